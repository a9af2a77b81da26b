// How messages arrive, byte by byte or many at once, and what ends them.
#include <string>
#include <vector>

#include "checks/robustness.hpp"

namespace toolwire::conformance {
namespace {

using namespace std::chrono_literals;

void split_byte_by_byte(Probe& probe) {
  Session& session = rough_session(probe);
  const std::string line =
      request_with(session, "bytes", harmless(probe), {{"x", "PLACE"}}, "PLACE", "\"h\u00e9 \\u00e9\"") + "\n";
  for (char byte : line) {
    session.send_bytes({&byte, 1});
    session.listen_for(1ms);
  }
  probe.expect_result(session.await("bytes"), "a request that comes byte by byte");
}

void coalesced_messages(Probe& probe) {
  Session& session = rough_session(probe);
  std::string all;
  for (int i = 0; i < 500; ++i)
    all += session.request_text(Json("one-write-" + std::to_string(i)), harmless(probe)) + "\n";
  session.send_bytes(all);
  for (int i = 0; i < 500; ++i) {
    const Answer answer = session.await(Json("one-write-" + std::to_string(i)));
    if (!answer.ok()) probe.broken("answers to all of 500 requests in one write", answer.text());
  }
}

void partial_then_rest(Probe& probe) {
  Session& session = rough_session(probe);
  const std::string second = session.request_text("rest", harmless(probe)) + "\n";
  session.send_bytes(session.request_text("whole", harmless(probe)) + "\n" + second.substr(0, second.size() / 2));
  const Answer first = session.await("whole");
  probe.expect(first.ok(), "an answer to the whole message before the rest of the next has come", first.text());
  session.send_bytes(second.substr(second.size() / 2));
  probe.expect_result(session.await("rest"), "a message in two parts");
}

/// A request surrounded by these bytes must be answered as usual.
void expect_answered(Probe& probe, const std::string& before, const std::string& after, const std::string& what) {
  Session& session = rough_session(probe);
  session.send_bytes(before + session.request_text("framed", harmless(probe)) + after);
  const Answer answer = session.await("framed");
  probe.expect(answer.ok(), "an answer to a message " + what, answer.text());
  expect_serving(probe, session, "a message " + what);
}

void crlf(Probe& probe) { expect_answered(probe, "", "\r\n", "that ends with CRLF"); }
void leading_whitespace(Probe& probe) { expect_answered(probe, "  \t", "\t \n", "with white space around it"); }
void blank_lines(Probe& probe) { expect_answered(probe, "\n\r\n   \n", "\n\n", "after blank lines"); }

/// Before the first message, where it stands if a text is saved as some editors do.
void byte_order_mark(Probe& probe) {
  Session& session = probe.fresh();
  probe.do_not_judge(session);
  session.send_bytes("\xEF\xBB\xBF");
  const Json marked = session.start_opening();
  session.send_request(harmless(probe));
  session.wait_for(
      0, [](const Message& it) { return it.kind == Message::Kind::response; }, probe.after_start(1s));
  const Answer first = session.await(marked, 300ms);
  const Answer opening = first.ok() ? first : session.open();
  if (!opening.ok()) probe.broken("a session, be it by the message after the one with the mark", opening.text());
  if (first.ok()) session.finish_opening(first);
  expect_serving(probe, session, "a byte order mark");
}

void byte_order_mark_output(Probe& probe) {
  Session& session = probe.session();
  session.probe();
  probe.expect(!session.process().output().starts_with("\xEF\xBB\xBF"), "no byte order mark", "one");
}

void crlf_output(Probe& probe) {
  Session& session = probe.session();
  session.probe();
  if (session.process().output().find("\r\n") != std::string::npos)
    probe.warn("lines that end with a line feed alone", "CRLF");
}

void no_final_newline(Probe& probe) {
  Session& session = rough_session(probe);
  session.send_bytes(session.request_text("unfinished", harmless(probe)));
  session.process().close_input();
  if (!session.process().wait_for_end(5s)) probe.broken("an end after the end of input", "the server is still running");
  if (session.process().ending().signal != 0) probe.broken("an orderly end", session.process().ending().text());
}

void eof_mid_message(Probe& probe) {
  Session& session = rough_session(probe);
  session.send_bytes(session.request_text("half", harmless(probe)).substr(0, 25));
  session.process().close_input();
  if (!session.process().wait_for_end(5s))
    probe.broken("an end after the end of input within a message", "the server is still running");
  if (session.process().ending().signal != 0) probe.broken("an orderly end", session.process().ending().text());
  expect_pure(probe, session, "half a message");
}

/// CPU time while it is idle, and after the end of input if it lives that long.
void no_spin(Probe& probe) {
  Session& session = rough_session(probe);
  probe.compares_times();
  session.listen_for(100ms);
  const IdleWatch idle(session);
  probe.expect(!stays_busy(session, 700ms, 150ms), "an idle server that uses no CPU",
               std::to_string(idle.used().count()) + " ms in 2800 ms");
  session.process().close_input();
  if (session.process().wait_for_end(1s)) return;
  if (stays_busy(session, 500ms, 250ms)) probe.broken("no busy loop after the end of input", "one of two seconds");
}

}  // namespace

std::span<const Check> robustness_bytes_checks() {
  static constexpr Check checks[] = {
      {"rb-split-byte-by-byte", split_byte_by_byte},
      {"rb-coalesced-messages", coalesced_messages},
      {"rb-partial-then-rest", partial_then_rest},
      {"rb-crlf", crlf},
      {"rb-blank-lines", blank_lines},
      {"rb-leading-whitespace", leading_whitespace},
      {"rb-bom", byte_order_mark},
      {"rb-bom-output", byte_order_mark_output},
      {"rb-crlf-output", crlf_output},
      {"rb-no-final-newline", no_final_newline},
      {"rb-eof-mid-message", eof_mid_message},
      {"rb-eof-no-spin", no_spin},
  };
  return checks;
}

}  // namespace toolwire::conformance
