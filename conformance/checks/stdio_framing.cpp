// The stdio transport (basic, transports): lines in both directions. The form of every line is checked in
// passive/framing.cpp.
#include <algorithm>
#include <array>

#include "checks/groups.hpp"
#include "checks/tools.hpp"

namespace toolwire::conformance {
namespace {

using namespace std::chrono_literals;

Launch without_locale(const Probe& probe) {
  Launch launch = probe.target().launch;
  launch.environment["LC_ALL"] = "C";
  launch.environment["LANG"] = "";
  return launch;
}

/// A last line without its line feed is judged by stdio-newline-delimited alone.
void foreign_lines(Probe& probe, const Session& session, const std::string& when) {
  for (const Message& message : session.messages()) {
    if (message.kind == Message::Kind::foreign && message.ended)
      probe.fail("nothing but messages on standard output " + when, message.text.substr(0, 500));
  }
}

/// Echoes `text` and expects to find it again. `raw`: sent as UTF-8; else every character beyond ASCII escaped.
void echoes(Probe& probe, Session& session, const std::string& text) {
  const Callable echo = probe.need_tool("tool:echo", "TEXT", Json(text));
  const Answer answer = session.request("tools/call", echo.params());
  probe.expect_result(answer, "tools/call of " + echo.name);
  probe.expect(text_in(answer.result).find(text) != std::string::npos, "the text " + to_json_text(Json(text)),
               to_json_text(answer.result).substr(0, 500));
}

void no_embedded_newline(Probe& probe) {
  Session& session = probe.opened();
  echoes(probe, session, "first line\nsecond line\r\nthird");
  foreign_lines(probe, session, "when a text has line feeds");
}

void pure_in_handlers(Probe& probe) {
  constexpr std::array kinds{"tool:prints", "tool:spawns-child"};
  if (std::ranges::none_of(kinds, [&](const char* kind) { return probe.find(kind).has_value(); }))
    probe.skip("the server has neither a tool that prints nor one that starts a child");
  Session& session = probe.opened();
  for (std::string_view kind : kinds) {
    if (!probe.find(kind)) continue;
    const Callable tool = probe.need_tool(kind);
    probe.expect_answer(session.request("tools/call", tool.params()), "tools/call of " + tool.name);
  }
  probe.expect_alive(session);
  foreign_lines(probe, session, "while a tool prints or starts a child");
}

void pure_on_error(Probe& probe) {
  Session& session = probe.opened();
  session.send_line(R"({"jsonrpc":"2.0",)");
  session.request("tools/call", {{"name", "conformance-no-such-tool"}});
  if (probe.find("tool:throws")) session.request("tools/call", probe.need_tool("tool:throws").params());
  foreign_lines(probe, session, "after errors");
  if (session.process().output_ended())
    probe.skip("the output of the server ended at an error; rpc-parse-error-code judges that");
}

void utf8_input(Probe& probe) {
  const std::string text = "h\u00e9llo \u2013 \u65e5\u672c \U0001F600";
  const Callable echo = probe.need_tool("tool:echo", "TEXT", "PLACE");
  Session& session = probe.opened({}, without_locale(probe));
  echoes(probe, session, text);
  std::string line = session.request_text("escaped", "tools/call", echo.params());
  line.replace(line.find("PLACE"), 5, R"(h\u00e9llo \u2013 \u65e5\u672c \ud83d\ude00)");
  session.send_line(line);
  const Answer answer = session.await("escaped");
  probe.expect_result(answer, "tools/call with \\u escapes");
  probe.expect(text_in(answer.result).find(text) != std::string::npos, "the same text from \\u escapes",
               to_json_text(answer.result).substr(0, 500));
}

void only_line_feed_splits(Probe& probe) {
  Session& session = probe.opened();
  // Next line, line and paragraph separator, raw; vertical tab and form feed must be escaped in JSON.
  echoes(probe, session, "a\u0085b\u2028c\u2029d\ve\ff");
  const Callable echo = probe.need_tool("tool:echo", "TEXT", "carriage return between tokens");
  std::string line = session.request_text("with-cr", "tools/call", echo.params());
  line.insert(line.find(',') + 1, "\r");
  session.send_line(line);
  const Answer answer = session.await("with-cr");
  if (answer.kind == Answer::Kind::silence) probe.fail("one message, whatever white space is in it", answer.text());
  probe.expect_result(answer, "a request with a carriage return between its members");
}

void no_output_before_input(Probe& probe) {
  Session& session = probe.fresh();
  session.listen_for(300ms + probe.target().start_time);
  for (const Message& message : session.messages()) {
    if (!may_come_first(probe, message))
      probe.fail("nothing before the client has spoken", message.text.substr(0, 500));
  }
}

/// Progress and log belong to a request, list changes and the like to a subscription.
void allowed_notification_kinds(Probe& probe) {
  Session& session = probe.opened(all_capabilities(probe.revision()));
  for (std::string_view kind : {"tool:progress", "tool:logging", "tool:text", "tool:mutates-tool-list"}) {
    if (!probe.find(kind)) continue;
    session.request("tools/call", probe.need_tool(kind).params());
  }
  session.request("server/discover");
  for (const Message& message : session.messages()) {
    if (message.kind != Message::Kind::notification) continue;
    probe.fail("no notification without a progress token, a log level or a subscription", message.text.substr(0, 500));
  }
}

}  // namespace

std::span<const Check> stdio_framing_checks() {
  static constexpr Check checks[] = {
      {"stdio-no-embedded-newline", no_embedded_newline},
      {"stdio-stdout-pure-in-handlers", pure_in_handlers},
      {"stdio-stdout-pure-on-error", pure_on_error},
      {"stdio-utf8-input", utf8_input},
      {"stdio-only-lf-splits-input", only_line_feed_splits},
      {"stdio-no-output-before-input", no_output_before_input},
      {"stdio-allowed-notification-kinds", allowed_notification_kinds},
  };
  return checks;
}

}  // namespace toolwire::conformance
