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

std::string joined(const std::vector<Json>& values, std::string_view separator) {
  std::string text;
  for (const Json& value : values) text.append(text.empty() ? "" : separator).append(to_json_text(value));
  return text;
}

}  // namespace

Transcript::Transcript(ModelFormat format, std::string text)
    : codec_(formats::codec_of(format)), text_(std::move(text)) {
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
  text_ = edited(text_, std::move(edits_));
  return next;
}

Transcript::Round Transcript::round_at(std::size_t first) const {
  Round round{.message = entries_[first].message, .last = first};
  while (codec_.joins && round.last + 1 < entries_.size() && entries_[round.last + 1].is_model)
    std::ranges::copy(entries_[++round.last].message.content, std::back_inserter(round.message.content));
  if (codec_.joins) formats::settle_stop_reason(round.message);
  if (stop_reason_) round.message.stop_reason = *stop_reason_;
  const auto behind = entries_.begin() + static_cast<std::ptrdiff_t>(round.last) + 1;
  round.end =
      static_cast<std::size_t>(std::ranges::find_if(behind, entries_.end(), &Entry::is_model) - entries_.begin());
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
