#include "messages/transcript.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "manifest/indented_json.hpp"

namespace toolwire::bridge {
namespace {

using formats::At;
using formats::Entry;

/// Forms without ids, and results that leave them out, are matched by the name of the tool.
bool belongs(const Entry::Recorded& result, const ToolCallBlock& call) {
  if (!result.id.empty() && !call.id.empty()) return result.id == call.id;
  return !result.tool.empty() && result.tool == call.name;
}

template <class Values>
std::string joined(const Values& values, std::string_view separator) {
  std::string text;
  for (const Json& value : values) text.append(text.empty() ? "" : separator).append(to_json_text(value));
  return text;
}

}  // namespace

Transcript::Transcript(ModelFormat format, std::string text)
    : format_(format), codec_(formats::codec_of(format)), text_(std::move(text)) {
  const Json document = parse_json(text_, {.max_values = usual_json_values});
  if (const Json* const conversation = conversation_in(document)) {
    if (!conversation->is_string()) read(*conversation);  // what a user says, as a text
    return;
  }
  const At answer(document);
  stop_reason_ = codec_.read_answer(answer).stop_reason;
  is_paused_ = answer.text_or("stop_reason") == "pause_turn";
  const Json context = codec_.context_of(answer);
  text_ = indented_json(context) + "\n";
  read(context);
}

Transcript Transcript::begun(ModelFormat format, std::string text) {
  const Json document = parse_json(text, {.max_values = usual_json_values});
  Transcript transcript(format);
  transcript.text_ = std::move(text);
  transcript.begin_list(document);
  return transcript;
}

/// A conversation that is missing, or is what a user says as a text, becomes a list.
void Transcript::begin_list(const Json& document) {
  const Json* const conversation = conversation_in(document);
  if (conversation != nullptr && conversation->is_array()) return read(*conversation);
  const std::string member(codec_.conversation);
  if (conversation == nullptr) {
    if (!document.is_object()) At(document).wrong("a list of messages, or an object that is the body of a request");
    text_ = with_member(member, "[]");
    list_ = {member};
    return;
  }
  if (!conversation->is_string()) At(*conversation, "/" + member).wrong("a list of messages");
  edits_.push_back({range_of(text_, list_), "[]"});
  apply_edits();
  say(std::string(conversation->get_string()));
}

/// Of an object; put before the others.
std::string Transcript::with_member(std::string_view name, const std::string& value) const {
  const TextRange whole = range_of(text_, {});
  const std::size_t begin = whole.begin + 1;
  const std::size_t next = text_.find_first_not_of(" \t\r\n", begin);
  const std::string lead = text_.substr(begin, next - begin);
  const std::string_view separator = text_[next] == '}' ? "" : ",";
  return edited(text_, {{{begin, begin}, lead + to_json_text(Json(name)) + ":" + value + std::string(separator)}});
}

/// Notes where it stands. Null: the document is an answer.
const Json* Transcript::conversation_in(const Json& document) {
  if (document.is_array()) return &document;
  for (const char* const name : {"messages", "input", "contents"}) {
    const Json* const list = document.is_object() ? document.get_object().if_contains(name) : nullptr;
    if (list == nullptr) continue;
    list_ = {name};
    return list;
  }
  return nullptr;
}

void Transcript::read(const Json& document) {
  entries_.clear();
  std::string where;
  for (const auto& step : list_) where += "/" + std::get<std::string>(step);
  At(document, std::move(where)).each([&](const At& element) { entries_.push_back(codec_.read_entry(element)); });
}

NextStep Transcript::complete(const std::shared_ptr<ToolRunner>& tools, const TurnOptions& options, bool again) {
  NextStep next = NextStep::ask_model;  // a context that ends with what the user says
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].is_user) next = NextStep::ask_model;
    if (!entries_[i].is_model) continue;
    const Round round = round_at(i);
    next = run(round, tools, options, again);
    i = round.last;
  }
  apply_edits();
  return next;
}

void Transcript::apply_edits() {
  if (edits_.empty()) return;
  text_ = edited(text_, std::exchange(edits_, {}));
  const Json document = parse_json(text_, {.max_values = usual_json_values});
  read(*conversation_in(document));
}

void Transcript::say(const std::string& text) { append(codec_.write_context({UserMessage{{TextBlock{text}}}})); }

AssistantMessage Transcript::answer(const Json& response) {
  const At answer(response);
  AssistantMessage message = codec_.read_answer(answer);
  append(codec_.context_of(answer));
  stop_reason_ = message.stop_reason;
  is_paused_ = answer.text_or("stop_reason") == "pause_turn";
  return message;
}

void Transcript::append(const JsonArray& elements) {
  const std::vector<Json> values(elements.begin(), elements.end());
  if (values.empty()) return;
  if (!entries_.empty()) {
    insert_behind(list_, entries_.size() - 1, values);
  } else {
    edits_.push_back({range_of(text_, list_), "[\n" + joined(values, ",\n") + "\n]"});
  }
  apply_edits();
}

std::string Transcript::request(const std::vector<ToolDefinition>& tools) const {
  const std::string list = joined(write_tools(format_, tools), ",");
  const Json document = parse_json(text_, {.max_values = usual_json_values});
  if (document.is_array())
    return "{" + to_json_text(Json(codec_.conversation)) + ":" + text_ + ",\"tools\":[" + list + "]}";
  const Json* const own = document.get_object().if_contains("tools");
  if (own == nullptr) return with_member("tools", "[" + list + "]");
  if (own->is_null()) return edited(text_, {{range_of(text_, {"tools"}), "[" + list + "]"}});
  if (!own->is_array()) At(*own, "/tools").wrong("a list of tools");
  const std::size_t begin = range_of(text_, {"tools"}).begin + 1;
  const std::string_view separator = own->get_array().empty() || list.empty() ? "" : ",";
  return edited(text_, {{{begin, begin}, list + std::string(separator)}});
}

Transcript::Round Transcript::round_at(std::size_t first) const {
  Round round{.message = entries_[first].message, .last = first};
  while (codec_.joins && round.last + 1 < entries_.size() && entries_[round.last + 1].is_model)
    std::ranges::copy(entries_[++round.last].message.content, std::back_inserter(round.message.content));
  if (codec_.joins) formats::settle_stop_reason(round.message);
  const auto behind = entries_.begin() + static_cast<std::ptrdiff_t>(round.last) + 1;
  round.end =
      static_cast<std::size_t>(std::ranges::find_if(behind, entries_.end(), &Entry::is_model) - entries_.begin());
  if (stop_reason_ && round.end == entries_.size()) round.message.stop_reason = *stop_reason_;
  return round;
}

std::vector<Transcript::Standing> Transcript::results_of(const Round& round) const {
  std::vector<Standing> results;
  for (std::size_t i = round.last + 1; i < round.end; ++i) {
    for (const Entry::Recorded& recorded : entries_[i].results) results.push_back({i, recorded});
  }
  return results;
}

NextStep Transcript::run(const Round& round, const std::shared_ptr<ToolRunner>& tools, const TurnOptions& options,
                         bool again) {
  std::vector<Standing> recorded = results_of(round);
  const std::vector<ToolCallBlock> calls = tool_calls_in(round.message);
  AssistantMessage missing = round.message;
  missing.content.clear();
  std::vector<std::optional<Standing>> places;
  for (const ToolCallBlock& call : calls) {
    const auto found = std::ranges::find_if(recorded, [&](const Standing& one) { return belongs(one.recorded, call); });
    const bool is_there = found != recorded.end();
    if (!is_there || again) {
      missing.content.emplace_back(call);
      places.push_back(is_there ? std::optional(*found) : std::nullopt);
    }
    if (is_there) recorded.erase(found);
  }
  if (missing.content.empty() && (!calls.empty() || is_paused_)) return NextStep::ask_model;
  const ToolTurn turn = run_turn(missing, tools, options);
  std::vector<Json> fresh;
  for (std::size_t i = 0; i < turn.results.size(); ++i) {
    if (places[i]) {
      replace(*places[i], turn.results[i]);
    } else {
      fresh.push_back(codec_.write_result(turn.results[i]));
    }
  }
  if (!fresh.empty()) add(round, fresh);
  return turn.next;
}

JsonPath Transcript::path_of(std::size_t element) const {
  JsonPath path = list_;
  path.emplace_back(element);
  return path;
}

void Transcript::replace(const Standing& standing, const ToolResultMessage& result) {
  JsonPath path = path_of(standing.element);
  if (standing.recorded.block) {
    path.emplace_back(std::string(codec_.blocks));
    path.emplace_back(*standing.recorded.block);
  }
  edits_.push_back({range_of(text_, path), to_json_text(codec_.write_result(result))});
}

/// Behind the results that stand there.
void Transcript::add(const Round& round, const std::vector<Json>& results) {
  if (!codec_.blocks.empty()) return add_blocks(round, results);
  std::size_t behind = round.last;
  while (behind + 1 < round.end && !entries_[behind + 1].results.empty()) ++behind;
  insert_behind(list_, behind, results);
}

/// Into the message behind it if that is of the side the results come from, else into one of their own.
void Transcript::add_blocks(const Round& round, const std::vector<Json>& results) {
  const std::string member(codec_.blocks);
  if (round.last + 1 >= entries_.size() || !entries_[round.last + 1].takes_results) {
    return insert_behind(list_, round.last,
                         {JsonObject{{"role", "user"}, {member, JsonArray(results.begin(), results.end())}}});
  }
  const Entry& next = entries_[round.last + 1];
  JsonPath path = path_of(round.last + 1);
  path.emplace_back(member);
  if (!next.results.empty()) return insert_behind(path, *next.results.back().block, results);
  const TextRange range = range_of(text_, path);
  if (text_[range.begin] == '"') {  // a text in the place of one block
    const std::string said = text_.substr(range.begin, range.end - range.begin);
    edits_.push_back({range, "[" + joined(results, ",") + ",{\"type\":\"text\",\"text\":" + said + "}]"});
    return;
  }
  const std::string lead(indentation_in(text_, range));
  const std::size_t begin = range.begin + 1;
  const bool is_empty = text_[begin + lead.size()] == ']';
  edits_.push_back({{begin, begin}, lead + joined(results, "," + lead) + (is_empty ? "" : ",")});
}

void Transcript::insert_behind(const JsonPath& list, std::size_t element, const std::vector<Json>& values) {
  const std::string separator = "," + std::string(indentation_in(text_, range_of(text_, list)));
  JsonPath path = list;
  path.emplace_back(element);
  const std::size_t end = range_of(text_, path).end;
  edits_.push_back({{end, end}, separator + joined(values, separator)});
}

}  // namespace toolwire::bridge
