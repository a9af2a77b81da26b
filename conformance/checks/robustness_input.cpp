// Input no client should send, and input any client may send.
#include <algorithm>
#include <vector>

#include "checks/groups.hpp"
#include "checks/robustness.hpp"

namespace toolwire::conformance {

using namespace std::chrono_literals;

IdleWatch::IdleWatch(const Session& session)
    : process_(session.process()),
      began_(std::chrono::steady_clock::now()),
      used_before_(process_.cpu_time()),
      wanted_before_(process_.wanted_cpu_times()) {}

bool IdleWatch::is_busy(std::chrono::milliseconds limit) const {
  constexpr auto least = std::chrono::milliseconds(20);  // what wakes up once and then waits is not busy
  const auto spent = used();
  if (spent >= limit || spent < least) return spent >= limit;
  const auto all_the_time = (std::chrono::steady_clock::now() - began_) * 9 / 10;
  return std::ranges::any_of(process_.wanted_cpu_times(), [&](const auto& thread) {
    const auto before = wanted_before_.find(thread.first);
    return thread.second - (before == wanted_before_.end() ? 0us : before->second) >= all_the_time;
  });
}

bool stays_busy(Session& session, std::chrono::milliseconds time, std::chrono::milliseconds limit) {
  for (int times = 0; times < 4; ++times) {
    const IdleWatch watch(session);
    if (session.process().wait_for_end(time) || !watch.is_busy(limit)) return false;
  }
  return true;
}

Session& rough_session(Probe& probe) {
  Session& session = probe.opened();
  probe.do_not_judge(session);
  return session;
}

void expect_serving(Probe& probe, Session& session, std::string_view after_what, std::chrono::milliseconds limit) {
  const Json id = session.send_request(harmless(probe));
  const Answer answer = session.await(id, probe.timeout(limit));
  if (!answer.ok()) probe.broken("an answer to the next request after " + std::string(after_what), answer.text());
  expect_pure(probe, session, std::string(after_what));
}

void expect_pure(Probe& probe, const Session& session, const std::string& after_what) {
  for (const Message& message : session.messages()) {
    if (message.kind == Message::Kind::foreign && message.ended)
      probe.broken("nothing but messages after " + after_what, message.text.substr(0, 300));
  }
}

bool refuses_nobody(const Message& message) {
  return message.kind == Message::Kind::response && message.is_error() && message.id().value_or(nullptr).is_null();
}

void expect_no_stray_response(Probe& probe, const Session& session, std::size_t from, const std::string& to_what) {
  for (std::size_t i = from; i < session.mark(); ++i) {
    const Message& message = session.messages()[i];
    if (message.kind == Message::Kind::response && !session.sent_ids().contains(to_json_text(message.member("id"))))
      probe.fail("no response to " + to_what, message.text.substr(0, 300));
  }
}

std::string request_with(const Session& session, const Json& id, std::string_view method, const JsonObject& params,
                         std::string_view placeholder, std::string_view raw) {
  std::string text = session.request_text(id, method, params);
  const std::string quoted = "\"" + std::string(placeholder) + "\"";
  const std::size_t at = text.find(quoted);
  if (at != std::string::npos) text.replace(at, quoted.size(), raw);
  return text;
}

std::span<const Check> robustness_input_checks() {
  static const std::vector<Check> all = [] {
    std::vector<Check> checks;
    for (auto table :
         {robustness_lines_checks(), robustness_bytes_checks(), robustness_sizes_checks(), robustness_ids_checks()})
      checks.insert(checks.end(), table.begin(), table.end());
    return checks;
  }();
  return all;
}

}  // namespace toolwire::conformance
