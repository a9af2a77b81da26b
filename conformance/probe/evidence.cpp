#include "probe/evidence.hpp"

#include <algorithm>
#include <vector>

#include <toolwire/error.hpp>
#include <toolwire/text.hpp>

namespace toolwire::conformance {
namespace {

constexpr std::string_view no_message = "input that is no message";
constexpr std::string_view long_line = "a line of more than a megabyte";
constexpr std::string_view a_response = "a response";
constexpr std::string_view spaced = "a message with white space around it";
constexpr std::string_view opened = "notifications/initialized";
constexpr std::string_view nameless = "a message with an empty method";
constexpr std::string_view unopened = "a message before the handshake";
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
constexpr std::size_t megabyte = 1'000'000;

bool is_one_of_ours(std::string_view kind) { return kind != no_message && kind != long_line; }
bool is_odd(std::string_view kind) { return !is_one_of_ours(kind) || kind == spaced || kind == nameless; }

/// Ids are texts and numbers.
bool has_id_of_another_kind(const Message& message) {
  return message.id().has_value() && !message.id()->is_string() && !message.id()->is_number();
}

/// Whether what came has an answer in it. Notifications of the server's own come when they like.
bool has_answer(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    if (read_message(bytes.substr(0, end), true).kind != Message::Kind::notification) return true;
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return false;
}

/// Batches are messages in one revision only.
std::string kind_in(const Session& session, std::string_view line, std::size_t size) {
  const bool is_batch = size == line.size() && read_message(line, true).kind == Message::Kind::batch;
  return is_batch && session.revision().name == "2025-03-26" ? "a batch" : kind_of_line(line, size);
}

/// The kinds of the lines that were sent after the last answer.
std::vector<std::string> kinds_since_last_answer(const Session& session, std::size_t from) {
  std::vector<std::string> kinds;
  const auto& events = session.connection().recording().events();
  for (std::size_t i = std::min(from, events.size()); i < events.size(); ++i) {
    const Event& event = events[i];
    if (event.direction == Direction::from_server && has_answer(event.bytes)) kinds.clear();
    if (event.direction != Direction::to_server) continue;
    if (event.total > event.bytes.size()) {
      kinds.push_back(kind_in(session, event.bytes, event.total));
      continue;
    }
    std::string_view rest = event.bytes;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      kinds.push_back(kind_in(session, rest.substr(0, end), end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return kinds;
}

/// Whether it is an `initialize` as the schema has it.
bool is_opening(const Message& message) {
  const Json& params = message.member("params");
  const JsonObject* capabilities = get(params, "capabilities").if_object();
  return message.method() == "initialize" && get(params, "protocolVersion").is_string() && capabilities != nullptr &&
         std::ranges::all_of(*capabilities, [](const auto& it) { return it.value().is_object(); }) &&
         get(params, "clientInfo").is_object();
}

/// Whether the first that was sent, but for pings, opens no session, in the revisions that have a handshake.
bool has_begun_wrong(const Session& session) {
  if (session.revision().modern) return false;
  for (const Event& event : session.connection().recording().events()) {
    if (event.direction != Direction::to_server) continue;
    std::string_view rest = event.bytes;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      const Message message = read_message(rest.substr(0, end), true);
      if (message.method() != "ping") return !is_opening(message);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return false;
}

/// The most peculiar of the lines that were not answered, or else the first: servers rarely end of a ping.
std::string stimulus_of(const Session& session, std::size_t from) {
  const auto kinds = kinds_since_last_answer(session, from);
  const auto odd = std::ranges::find_if(kinds, is_odd);
  if (odd != kinds.end()) return *odd;
  if (has_begun_wrong(session)) return std::string(unopened);
  const auto first = std::ranges::find_if(kinds, [](const std::string& kind) { return kind != opened; });
  if (first != kinds.end()) return *first;
  return kinds.empty() ? "nothing in particular" : kinds.front();
}

/// Else its input came from elsewhere, and what it ended at is not known.
bool was_sent_anything(const Session& session) {
  return std::ranges::any_of(session.connection().recording().events(),
                             [](const Event& event) { return event.direction == Direction::to_server; });
}

/// Then a call that is not answered may wait for the answer to its question: no line was dropped.
bool has_answered_a_question(const Session& session, std::size_t from) {
  const auto& events = session.connection().recording().events();
  return std::any_of(events.begin() + static_cast<std::ptrdiff_t>(std::min(from, events.size())), events.end(),
                     [](const Event& event) {
                       return event.direction == Direction::to_server && event.bytes.ends_with('\n') &&
                              kind_of_line(event.bytes.substr(0, event.bytes.size() - 1), event.total) == a_response;
                     });
}

/// Whether the request with this id was a ping, which may have been sent as a line.
bool was_a_ping(const Session& session, const Json& id) {
  const std::string member = "\"id\":" + to_json_text(id);
  return std::ranges::any_of(session.connection().recording().events(), [&](const Event& event) {
    return event.direction == Direction::to_server && event.bytes.find("\"method\":\"ping\"") != std::string::npos &&
           event.bytes.find(member) != std::string::npos;
  });
}

/// A ping was answered with -32601: nothing that is asked with pings can be seen.
bool knows_no_ping(const Session& session, const Finding& finding) {
  if (!finding.got.starts_with("error -32601")) return false;
  return std::ranges::any_of(session.messages(), [&](const Message& it) {
    return it.is_error() && it.error_code() == error_code::method_not_found && it.id() && was_a_ping(session, *it.id());
  });
}

/// The process ended, or at least its output, and none of that was asked for.
bool ended_by_itself(const Session& session) {
  return session.connection().output_ended() && !session.connection().end_expected() && !session.flooded();
}

std::string ending_of(const Session& session) {
  for (const Event& event : session.connection().recording().events()) {
    if (event.direction == Direction::remark && event.bytes.starts_with("the server ")) return event.bytes.substr(11);
  }
  return "closed its output";
}

}  // namespace

std::string kind_of_line(std::string_view line, std::size_t size) {
  if (size > megabyte) return std::string(long_line);
  if (size > line.size()) return "a line of more than " + std::to_string(line.size() / 1024) + " KiB";
  if (!text::is_valid(line) || line.starts_with(byte_order_mark)) return std::string(no_message);
  const Message message = read_message(line, true);
  if (message.kind == Message::Kind::request && has_id_of_another_kind(message)) return std::string(no_message);
  if (message.kind == Message::Kind::foreign || message.kind == Message::Kind::batch) return std::string(no_message);
  if (text_of(message.member("jsonrpc")) != "2.0") return std::string(no_message);
  if (message.kind == Message::Kind::response) return std::string(a_response);
  const bool has_space = line.starts_with(' ') || line.starts_with('\t') || line.ends_with(' ') || line.ends_with('\t');
  if (has_space) return std::string(spaced);
  return message.method().empty() ? std::string(nameless) : message.method();
}

Evidence evidence_of(const Session& session, std::size_t from, const Finding& finding) {
  if (ended_by_itself(session) && was_sent_anything(session))
    return {Symptom::ended, stimulus_of(session, from), ending_of(session)};
  if (const Message* line = session.foreign_line_in(finding.got))
    return {Symptom::foreign_output, "", line->text.substr(0, Session::shown_foreign)};
  if (knows_no_ping(session, finding)) return {Symptom::no_ping, "", ""};
  const std::string& got = finding.got;
  const bool wants_answer = finding.expected.starts_with("an answer to ") || finding.expected.starts_with("error -32");
  if (got == "nothing" && wants_answer && !has_answered_a_question(session, from)) return {Symptom::dropped, "", ""};
  if (got.starts_with("no answer in time")) {
    std::string stimulus = stimulus_of(session, from);
    if (!is_one_of_ours(stimulus)) return {Symptom::silent, std::move(stimulus), ""};
  }
  if (got.starts_with("error -32603") && finding.expected.find("error -326") != std::string::npos)
    return {Symptom::internal_error, "", ""};
  return {};
}

}  // namespace toolwire::conformance
