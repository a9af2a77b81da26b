// Passive checks of the framing on stdio: every line and byte of every session.
#include <algorithm>

#include "passive/tables.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::size_t shown = 500;

std::string line_text(const Message& message) {
  return message.text.empty() ? "an empty line" : message.text.substr(0, shown);
}

/// Length of the well-formed UTF-8 sequence `text` begins with; 0 if it is none (RFC 3629 §4).
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  const unsigned lowest = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned highest = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  if (first < 0xC2 || first > 0xF4 || byte(1) < lowest || byte(1) > highest) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return 0;
  }
  return length;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

void newline_delimited(const Session& session, Watch& watch) {
  for (const Message& message : session.messages()) {
    ++watch.looked_at;
    if (!message.ended && message.kind != Message::Kind::foreign)
      watch.violation("a line feed at the end of each message", line_text(message) + " (without a line feed)");
  }
}

void only_messages(const Session& session, Watch& watch) {
  for (const Message& message : session.messages()) {
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

void utf8_output(const Session& session, Watch& watch) {
  for (const Message& message : session.messages()) {
    ++watch.looked_at;
    if (!is_utf8(message.text)) watch.violation("UTF-8 on standard output", line_text(message));
  }
}

void utf8_errors(const Session& session, Watch& watch) {
  const std::string& errors = session.process().errors();
  if (errors.empty()) return;
  ++watch.looked_at;
  // The last character may have been cut where the recording ends.
  const std::size_t whole = errors.size() - std::min<std::size_t>(errors.size(), 3);
  if (!is_utf8(errors) && !is_utf8(std::string_view(errors).substr(0, whole)))
    watch.violation("UTF-8 on standard error", "bytes that are none");
}

void no_requests(const Session& session, Watch& watch) {
  for (const Message& message : session.messages()) {
    ++watch.looked_at;
    if (message.kind == Message::Kind::request)
      watch.violation("no request of the server's own in this revision", line_text(message));
  }
}

void no_authorization_flow(const Session& session, Watch& watch) {
  for (const Message& message : session.messages()) {
    ++watch.looked_at;
    if (message.text.find("WWW-Authenticate") != std::string::npos)
      watch.violation("no HTTP authorization on standard output", line_text(message));
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
