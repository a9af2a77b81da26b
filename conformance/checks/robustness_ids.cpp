// Unusual ids.
#include <algorithm>
#include <string>
#include <vector>

#include "checks/robustness.hpp"

namespace toolwire::conformance {
namespace {

using namespace std::chrono_literals;

/// Whether exactly this text is the id.
bool has_id(const std::string& text, const std::string& id) {
  for (const char* separator : {":", ": "}) {
    const std::size_t at = text.find("\"id\"" + std::string(separator) + id);
    if (at == std::string::npos) continue;
    const char next = text[at + 4 + std::string(separator).size() + id.size()];
    if (next == ',' || next == '}' || next == ' ') return true;
  }
  return false;
}

/// Whether a response with exactly this text as its id comes: the answer to the next request may overtake it.
bool id_echoed(Session& session, std::size_t from, const std::string& id) {
  return session.wait_for(
             from, [&](const Message& it) { return has_id(it.text, id); }, 1s) != nullptr;
}

/// Sends a harmless request with an id as raw text and waits until the server has served the next one.
std::size_t send_with_id(Probe& probe, Session& session, const std::string& id) {
  const std::size_t before = session.mark();
  session.send_line(request_with(session, "PLACE", harmless(probe), {}, "PLACE", id));
  expect_serving(probe, session, "the id " + id.substr(0, 40));
  return before;
}

/// Whether it is that number, however it is written; integers of 64 bits digit by digit, as doubles round them.
bool is_the_number(const Message& response, const std::string& id) {
  if (has_id(response.text, id)) return true;
  const Json sent = parse_json(id);
  const Json got = response.id().value();
  return sent.is_int64() ? got == sent : got.to_number<double>() == sent.to_number<double>();
}

/// A number that not every language can hold may be refused or dropped, and comes back as no other. `unanswered`: such
/// numbers before it, whose answers may have been overtaken by one that was asked for after them.
void expect_no_other_number(Probe& probe, Session& session, const std::string& id,
                            std::vector<std::string>& unanswered) {
  unanswered.push_back(id);
  for (std::size_t i = send_with_id(probe, session, id); i < session.mark(); ++i) {
    const Message& message = session.messages()[i];
    if (message.kind != Message::Kind::response || !message.member("id").is_number()) continue;
    if (session.sent_ids().contains(to_json_text(message.member("id")))) continue;
    const auto answered =
        std::ranges::find_if(unanswered, [&](const std::string& it) { return is_the_number(message, it); });
    probe.expect(answered != unanswered.end(), "the id " + id + " in the response, an error without it, or none",
                 message.text.substr(0, 300));
    unanswered.erase(answered);
  }
}

void unusual_ids(Probe& probe) {
  Session& session = rough_session(probe);
  for (const std::string& id : {std::string("-1"), std::string("2147483648"), std::string("9007199254740991"),
                                std::string("\"\""), "\"" + std::string(5'000, 'i') + "\""}) {
    const std::size_t before = send_with_id(probe, session, id);
    probe.expect(id_echoed(session, before, id), "the id " + id.substr(0, 40) + " in the response", "another, or none");
  }
  std::vector<std::string> unanswered;
  for (const char* id : {"-0", "9007199254740993", "9223372036854775807", "18446744073709551616", "1e3", "1.5"})
    expect_no_other_number(probe, session, id, unanswered);
  for (const char* id : {"true", "[]", "{}"}) send_with_id(probe, session, id);
}

void format_of_integers(Probe& probe) {
  Session& session = rough_session(probe);
  for (const char* id : {"1000000", "12345678901"}) {
    const std::size_t before = send_with_id(probe, session, id);
    probe.expect(id_echoed(session, before, id), std::string("the id ") + id + ", digit by digit", "another, or none");
  }
  send_with_id(probe, session, "100000000000000000000");
}

void duplicate_in_flight(Probe& probe) {
  const Callable slow = probe.need_tool("tool:slow", "SECONDS", 0.3);
  Session& session = rough_session(probe);
  session.send_line(session.request_text("twice", "tools/call", slow.params()));
  session.send_line(session.request_text("twice", "tools/call", slow.params()));
  session.await("twice", probe.timeout(1s));
  session.listen_for(700ms);
  expect_serving(probe, session, "two requests with one id");
  std::size_t answers = 0;
  for (const Message& message : session.messages()) answers += message.id() == Json("twice") ? 1U : 0U;
  probe.expect(answers >= 1 && answers <= 2, "one or two answers", std::to_string(answers));
}

void reuse_in_sequence(Probe& probe) {
  Session& session = rough_session(probe);
  for (std::size_t i = 0; i < 100; ++i) {
    const std::size_t before = session.mark();
    session.send_line(session.request_text("again", harmless(probe)));
    const Message* answer = session.wait_for(
        before, [](const Message& it) { return it.id() == Json("again"); }, probe.timeout());
    probe.expect(answer != nullptr, "an answer each time an id is used again",
                 "none the " + std::to_string(i + 1) + ". time");
  }
}

}  // namespace

std::span<const Check> robustness_ids_checks() {
  static constexpr Check checks[] = {
      {"rb-multiple-types-of-id", unusual_ids},
      {"rb-id-1000000-format", format_of_integers},
      {"rb-duplicate-inflight-id", duplicate_in_flight},
      {"rb-id-reuse-sequential", reuse_in_sequence},
  };
  return checks;
}

}  // namespace toolwire::conformance
