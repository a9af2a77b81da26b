#include "attach/conversation.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "attach/json_text.hpp"
#include "attach/same_id.hpp"

namespace toolwire::attach {
namespace {

/// Longer ones are not kept to be said again.
constexpr std::size_t max_kept_line = std::size_t{64} << 10;
constexpr std::size_t max_settings = 256;

/// What they ask for is told and nothing else, or sets what may be set twice.
constexpr std::array<std::string_view, 16> repeatable_methods{"initialize",
                                                              "ping",
                                                              "server/discover",
                                                              "tools/list",
                                                              "resources/list",
                                                              "resources/templates/list",
                                                              "resources/read",
                                                              "resources/subscribe",
                                                              "resources/unsubscribe",
                                                              "prompts/list",
                                                              "prompts/get",
                                                              "completion/complete",
                                                              "logging/setLevel",
                                                              "subscriptions/listen",
                                                              "tasks/get",
                                                              "tasks/list"};

constexpr std::array<std::string_view, 3> list_kinds{"tools", "resources", "prompts"};

bool is_repeatable(std::string_view method) {
  return std::ranges::find(repeatable_methods, method) != repeatable_methods.end();
}

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 14'695'981'039'346'656'037U;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1'099'511'628'211U;
  return hash;
}

std::optional<std::uint64_t> number_in(std::string_view id) {
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(id.data(), id.data() + id.size(), number);
  if (error != std::errc() || stop != id.data() + id.size()) return std::nullopt;
  return number;
}

/// The line with another text in the place of a part of it.
std::string with(std::string_view line, std::string_view part, std::string_view other) {
  const auto at = static_cast<std::size_t>(part.data() - line.data());
  std::string made(line.substr(0, at));
  made.append(other).append(line.substr(at + part.size()));
  return made;
}

void add_line(std::string& lines, std::string_view line) {
  lines.append(line);
  lines.push_back('\n');
}

}  // namespace

void Conversation::say(std::string_view line, Lines& out) {
  add_line(out.to_daemon, line);
  said_ += line.size() + 1;
}

void Conversation::from_host(std::string_view line, Lines& out) {
  const std::uint64_t end = said_ + line.size() + 1;
  if (is_array(line)) {
    Elements elements(line);
    while (const auto one = elements.next()) note(*one, {}, false);
  } else if (is_object(line)) {
    const std::string_view id = member(line, "id");
    if (member(line, "method").empty() && !id.empty() && answers_question(line, id, out)) return;
    note(line, line, true);
  }
  for (Request& request : requests_) {
    if (request.end == 0) request.end = end;
  }
  say(line, out);
}

/// Whether that was all: an answer to a question is said as the daemon knows that, or to nobody.
bool Conversation::answers_question(std::string_view message, std::string_view id, Lines& out) {
  const auto number = number_in(id);
  if (!number) return false;
  std::erase(questions_, *number);
  if (question_base_ == 0) return false;
  if (*number > question_base_) say(with(message, id, std::to_string(*number - question_base_)), out);
  return true;
}

void Conversation::note(std::string_view message, std::string_view line, bool is_alone) {
  const std::string_view method = text_in(member(message, "method")), id = member(message, "id");
  const std::string_view params = member(message, "params");
  if (method.empty()) return;
  if (id.empty()) {
    if (method == "notifications/initialized") initialized_ = message;
    if (method == "notifications/cancelled")
      std::erase_if(requests_, [given_up = member(params, "requestId")](const Request& one) {
        return same_id(one.id, given_up) && one.method != "initialize";
      });
    return;
  }
  Request request{.id = std::string(id), .method = std::string(method)};
  if (method == "tools/call") {
    request.kind = Kind::call;
    request.is_safe = std::ranges::binary_search(safe_tools_, hash_of(text_in(member(params, "name"))));
  } else if (is_alone && is_repeatable(method) && line.size() <= max_kept_line) {
    request.kind = Kind::repeatable;
    request.line = line;
    note_setting(method, params, line);
  }
  requests_.push_back(std::move(request));
}

void Conversation::note_setting(std::string_view method, std::string_view params, std::string_view line) {
  if (method == "initialize") initialize_ = line;
  if (method != "logging/setLevel" && !method.ends_with("subscribe")) return;
  std::string key(method == "logging/setLevel" ? std::string_view() : member(params, "uri"));
  std::erase_if(settings_, [&](const Setting& one) { return one.key == key; });
  if (method != "resources/unsubscribe" && settings_.size() < max_settings)
    settings_.push_back({std::move(key), std::string(line)});
}

void Conversation::from_daemon(std::string_view line, Lines& out) {
  if (is_array(line)) {
    Elements elements(line);
    while (const auto one = elements.next()) answered(*one, member(*one, "id"));
    return add_line(out.to_host, line);
  }
  const std::string_view id = is_object(line) ? member(line, "id") : std::string_view();
  if (id.empty() || !member(line, "method").empty()) return add_line(out.to_host, as_shown(line, id));
  if (id == awaited_) {
    awaited_.clear();
    go_on(out);
    return tell_changes(out);
  }
  if (std::erase(unwanted_, id) > 0) return;
  answered(line, id);
  add_line(out.to_host, line);
}

void Conversation::answered(std::string_view message, std::string_view id) {
  const auto request = std::ranges::find_if(requests_, [&](const Request& one) { return same_id(one.id, id); });
  if (request == requests_.end()) return;
  const std::string_view result = member(message, "result");
  if (request->method == "tools/list") note_tools(result);
  if (request->method == "initialize") {
    is_initialized_ = !result.empty() && !initialize_.empty();
    if (!is_initialized_) initialize_.clear();
    note_lists(result);
  }
  requests_.erase(request);
}

void Conversation::note_lists(std::string_view result) {
  const std::string_view capabilities = member(result, "capabilities");
  lists_.clear();
  for (const std::string_view kind : list_kinds) {
    if (member(member(capabilities, kind), "listChanged") == "true") lists_.push_back(kind);
  }
}

/// What the dead daemon has listed may be other things by now.
void Conversation::tell_changes(Lines& out) const {
  if (initialized_.empty()) return;
  for (const std::string_view kind : lists_)
    add_line(out.to_host, R"({"jsonrpc":"2.0","method":"notifications/)" + std::string(kind) + R"(/list_changed"})");
}

/// Which tools may be called twice, as the server says.
void Conversation::note_tools(std::string_view result) {
  Elements tools(member(result, "tools"));
  while (const auto tool = tools.next()) {
    const std::uint64_t name = hash_of(text_in(member(*tool, "name")));
    const std::string_view hints = member(*tool, "annotations");
    const bool is_safe = member(hints, "readOnlyHint") == "true" || member(hints, "idempotentHint") == "true";
    const auto place = std::ranges::lower_bound(safe_tools_, name);
    const bool is_known = place != safe_tools_.end() && *place == name;
    if (is_safe && !is_known) safe_tools_.insert(place, name);
    if (!is_safe && is_known) safe_tools_.erase(place);
  }
}

/// A question, or that it is given up, with the id that the host knows it by; anything else as it is.
std::string Conversation::as_shown(std::string_view message, std::string_view id) {
  const bool is_question = !id.empty();
  const std::string_view named = is_question ? id : member(member(message, "params"), "requestId");
  const bool gives_up = !is_question && text_in(member(message, "method")) == "notifications/cancelled";
  const auto number = is_question || gives_up ? number_in(named) : std::nullopt;
  if (!number) return std::string(message);
  const std::uint64_t shown = *number + question_base_;
  if (is_question) {
    questions_.push_back(shown);
    highest_question_ = std::max(highest_question_, shown);
  } else {
    std::erase(questions_, shown);
  }
  return question_base_ == 0 ? std::string(message) : with(message, named, std::to_string(shown));
}

std::string Conversation::with_own_id(std::string_view line) {
  const std::string id = "\"attach-" + std::to_string(++own_ids_) + "\"";
  unwanted_.push_back(id);
  return with(line, member(line, "id"), id);
}

void Conversation::begin_again(std::uint64_t written, Lines& out) {
  end_questions(out);
  unwanted_.clear();
  awaited_.clear();
  repeated_.clear();
  std::erase_if(requests_, [&](Request& request) {
    if (request.end > written) return false;  // the new daemon will be the first to hear of it
    if (request.kind == Kind::repeatable && !std::exchange(request.was_repeated, true)) {
      repeated_.push_back(request.line);
      return false;
    }
    add_line(out.to_host, lost(request, true));
    return true;
  });
  if (!is_initialized_) return go_on(out);
  add_line(out.to_daemon, with_own_id(initialize_));
  awaited_ = std::move(unwanted_.back());
  unwanted_.pop_back();
}

/// The rest of what a new daemon is told.
void Conversation::go_on(Lines& out) {
  if (is_initialized_ && !initialized_.empty()) add_line(out.to_daemon, initialized_);
  for (const Setting& setting : is_initialized_ ? settings_ : std::vector<Setting>())
    add_line(out.to_daemon, with_own_id(setting.line));
  for (const std::string& line : repeated_) add_line(out.to_daemon, line);
  repeated_.clear();
}

void Conversation::give_up(std::uint64_t written, Lines& out) {
  end_questions(out);
  for (const Request& request : requests_) add_line(out.to_host, lost(request, request.end <= written));
  requests_.clear();
}

/// Nobody waits for the answers any more.
void Conversation::end_questions(Lines& out) {
  for (const std::uint64_t question : questions_)
    add_line(out.to_host, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" +
                              std::to_string(question) + R"(,"reason":"who asked has ended"}})");
  questions_.clear();
  question_base_ = highest_question_;
}

/// The answer to a request that will have no other.
std::string Conversation::lost(const Request& request, bool has_begun) const {
  const bool is_retryable = !has_begun || request.kind == Kind::repeatable || request.is_safe;
  const std::string text = !has_begun ? "the bridge cannot be reached; nothing of this has begun"
                           : is_retryable
                               ? "the bridge ended before it had answered; this may be repeated"
                               : "the bridge ended before it had answered; what was done by then is not known";
  const std::string details = std::string(R"({"code":")") + (has_begun ? "interrupted" : "unavailable") +
                              R"(","retryable":)" + (is_retryable ? "true}" : R"(false,"outcome":"unknown"})");
  const std::string head = R"({"jsonrpc":"2.0","id":)" + request.id;
  if (request.kind != Kind::call)
    return head + R"(,"error":{"code":-32603,"message":")" + text + R"(","data":)" + details + "}}";
  return head + R"(,"result":{)" + (initialize_.empty() ? R"("resultType":"complete",)" : "") +
         R"("content":[{"type":"text","text":")" + text + R"("}],"isError":true,"_meta":{"dev.toolwire/error":)" +
         details + "}}}";
}

}  // namespace toolwire::attach
