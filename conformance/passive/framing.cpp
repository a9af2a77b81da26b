// Passive checks of the framing on stdio: every line and byte of every session.
#include <algorithm>
#include <charconv>

#include <toolwire/text.hpp>

#include "passive/tables.hpp"

namespace toolwire::conformance {
namespace {

std::string line_text(const Message& message) { return message.text.empty() ? "an empty line" : start_of(message); }

/// The last line of an output that ended in its middle is judged here and nowhere else.
void newline_delimited(const Session& session, Watch& watch) {
  for (const Message& message : session.messages()) {
    ++watch.looked_at;
    if (!message.ended)
      watch.violation("a line feed at the end of each message", line_text(message) + " (without a line feed)");
  }
}

void only_messages(const Session& session, Watch& watch) {
  for (const Message& message : session.messages()) {
    if (!message.ended) continue;
    ++watch.looked_at;
    if (message.kind == Message::Kind::foreign)
      watch.violation("nothing but messages on standard output", line_text(message) + " (" + message.problem + ")");
  }
}

void no_content_length(const Session& session, Watch& watch) {
  for (const Message& message : session.messages()) {
    ++watch.looked_at;
    if (message.text.starts_with("Content-Length"))
      watch.violation("a message a line, without headers", line_text(message));
  }
}

void single_messages(const Session& session, Watch& watch) {
  for (const Message& message : session.messages()) {
    ++watch.looked_at;
    if (message.kind == Message::Kind::batch) watch.violation("one message a line, no array", line_text(message));
  }
}

/// The code unit of the escape \uXXXX at the beginning of a text, or 0.
unsigned escaped_unit(std::string_view text) {
  unsigned unit = 0;
  if (text.size() < 6 || !text.starts_with("\\u")) return 0;
  const auto [end, problem] = std::from_chars(text.data() + 2, text.data() + 6, unit, 16);
  return problem == std::errc() && end == text.data() + 6 ? unit : 0;
}

/// Whether a line of JSON has an escape of half a surrogate pair, which is no character and has no UTF-8.
bool has_half_a_character(std::string_view line) {
  for (std::size_t at = line.find('\\'); at != std::string_view::npos; at = line.find('\\', at)) {
    const unsigned unit = escaped_unit(line.substr(at));
    const bool high = unit >= 0xD800 && unit < 0xDC00;
    const unsigned next = high ? escaped_unit(line.substr(at + 6)) : 0;
    const bool pair = next >= 0xDC00 && next < 0xE000;
    if ((high && !pair) || (unit >= 0xDC00 && unit < 0xE000)) return true;
    at += pair ? 12 : unit != 0 ? 6 : 2;
  }
  return false;
}

/// Where the client has sent such halves itself, as malformed input, they may come back.
void utf8_output(const Session& session, Watch& watch) {
  for (const Message& message : session.messages()) {
    ++watch.looked_at;
    if (!text::is_valid(message.text)) watch.violation("UTF-8 on standard output", line_text(message));
  }
  if (!watch.got.empty() || session.sent_raw()) return;
  const auto half =
      std::ranges::find_if(session.messages(), [](const Message& it) { return has_half_a_character(it.text); });
  if (half == session.messages().end()) return;
  watch.only_warns = true;
  watch.violation("whole characters: half of a surrogate pair, as a text that was cut ends with, is none",
                  line_text(*half));
}

/// Without a character that is cut where the recording ends.
std::string_view without_cut_character(std::string_view text) {
  for (std::size_t i = 1; i <= std::min<std::size_t>(text.size(), 3); ++i) {
    const auto byte = static_cast<unsigned char>(text[text.size() - i]);
    if ((byte & 0xC0U) == 0x80) continue;
    const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
    return length > i ? text.substr(0, text.size() - i) : text;
  }
  return text;
}

/// Logs are for people: what is wrong with them is worth a warning at most.
void utf8_errors(const Session& session, Watch& watch) {
  if (!session.has_process()) return;
  const std::string& errors = session.process().errors();
  if (errors.empty()) return;
  ++watch.looked_at;
  watch.only_warns = true;
  if (!text::is_valid(without_cut_character(errors))) watch.violation("UTF-8 on standard error", "bytes that are none");
}

void no_requests(const Session& session, Watch& watch) {
  for (const Message& message : session.messages()) {
    ++watch.looked_at;
    if (message.kind == Message::Kind::request)
      watch.violation("no request of the server's own in this revision", line_text(message));
  }
}

/// Whether the server asks for it: a file or a page that it was asked for may name the header.
bool is_challenge(const Message& message) {
  constexpr std::string_view header = "WWW-Authenticate";
  if (message.text.find(header) == std::string::npos) return false;
  if (message.kind != Message::Kind::response || message.is_error()) return true;
  const Json& result = message.member("result");
  if (get(result, "isError") == Json(true)) return true;
  const JsonArray* content = get(result, "content").if_array();
  return content != nullptr &&
         std::ranges::any_of(*content, [&](const Json& it) { return text_of(get(it, "text")).starts_with(header); });
}

void no_authorization_flow(const Session& session, Watch& watch) {
  for (const Message& message : session.messages()) {
    ++watch.looked_at;
    if (is_challenge(message)) watch.violation("no HTTP authorization on standard output", line_text(message));
  }
}

}  // namespace

std::span<const PassiveCheck> framing_passive_checks() {
  static constexpr PassiveCheck checks[] = {
      {"stdio-newline-delimited", newline_delimited},
      {"stdio-stdout-only-mcp", only_messages},
      {"stdio-no-content-length", no_content_length},
      {"stdio-single-message-not-array", single_messages},
      {"stdio-utf8", utf8_output},
      {"stdio-stderr-optional-utf8", utf8_errors},
      {"stdio-server-sends-no-requests", no_requests},
      {"stdio-no-oauth", no_authorization_flow},
  };
  return checks;
}

}  // namespace toolwire::conformance
