// Many requests at once, readers that are slow or stop, long sessions.
#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <vector>

#include "checks/groups.hpp"
#include "checks/open_world.hpp"
#include "checks/robustness.hpp"

namespace toolwire::conformance {
namespace {

using namespace std::chrono_literals;

/// A request whose answer is large: a list, or an echo.
std::string_view talkative_method(const Probe& probe) {
  return probe.offer().has("tools") ? "tools/list" : harmless(probe);
}

/// How many requests with large answers produce `bytes` of output, enough to fill the pipe several times: 200 at least.
std::size_t requests_for(Probe& probe, Session& session, std::size_t bytes, std::size_t most) {
  const std::size_t before = session.process().output_size();
  probe.expect_answer(session.request(talkative_method(probe)), std::string(talkative_method(probe)));
  const std::size_t one = std::max<std::size_t>(session.process().output_size() - before, 1);
  return std::clamp<std::size_t>(bytes / one, 200, most);
}

void reader_stops(Probe& probe) {
  Session& session = probe.opened();
  const std::size_t count = requests_for(probe, session, std::size_t{4} << 20, 2'000);
  session.process().read_output(false);
  const auto ids = session.send_requests(count, talkative_method(probe));
  session.process().listen(300ms);
  session.process().read_output(true);
  for (const Json& id : ids) {
    const Answer answer = session.await(id, probe.timeout(10s));
    if (!answer.ok())
      probe.broken("all of " + std::to_string(count) + " answers once the client reads again", answer.text());
  }
  expect_pure(probe, session, "a pause of the reader");
}

void no_deadlock(Probe& probe) {
  Session& session = probe.opened();
  const std::size_t count = requests_for(probe, session, std::size_t{4} << 20, 3'000);
  const auto ids = session.send_requests(count, talkative_method(probe));
  const Answer last = session.await(ids.back(), probe.timeout(20s));
  if (!last.ok()) probe.broken("an answer to the last of " + std::to_string(count) + " requests in a row", last.text());
}

Callable big_output(const Probe& probe, std::int64_t bytes) {
  return probe.need_tool("tool:big-output", "BYTES", bytes);
}

void slow_reader(Probe& probe) {
  const Callable tool = big_output(probe, 1 << 20);
  Session& session = probe.opened();
  const Json id = session.send_request("tools/call", tool.params());
  for (int i = 0; i < 10; ++i) {
    session.process().read_output(false);
    session.process().listen(10ms);
    session.process().read_output(true);
    session.listen_for(2ms);
  }
  probe.expect_result(session.await(id, probe.timeout(10s)), "a result of 1 MiB to a slow reader");
  expect_pure(probe, session, "a slow reader");
}

void big_result(Probe& probe) {
  const Callable tool = big_output(probe, 10 << 20);
  Session& session = probe.opened();
  const Answer answer = session.request("tools/call", tool.params(), probe.timeout(15s));
  probe.expect_result(answer, "a result of 10 MiB");
  probe.expect_alive(session);
}

/// Of three calls, since the machine may be busy.
std::chrono::milliseconds quickest_call(Probe& probe, Session& session, const Callable& tool) {
  auto quickest = std::chrono::milliseconds::max();
  for (int i = 0; i < 3; ++i) {
    const auto begin = Clock::now();
    probe.expect_answer(session.request("tools/call", tool.params()), "tools/call of " + tool.name);
    quickest = std::min(quickest, std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin));
  }
  return quickest;
}

void concurrent_1000(Probe& probe) {
  const Callable tool = probe.any_tool();
  if (says_open_world(probe, tool))
    probe.skip(tool.name + " says openWorldHint, and others must not be flooded; name another tool:text in a profile");
  Session& session = probe.opened();
  // A slow tool depends on others as well.
  if (quickest_call(probe, session, tool) > 100ms)
    probe.skip("a call of " + tool.name + " takes longer than 100 ms; name a quicker tool:text in a profile");
  const auto ids = session.send_requests(1'000, "tools/call", tool.params());
  for (const Json& id : ids) {
    const Answer answer = session.await(id, probe.timeout(20s));
    if (answer.kind == Answer::Kind::silence || answer.kind == Answer::Kind::ended)
      probe.broken("an answer to each of 1000 calls at once", answer.text());
  }
}

/// Quick calls end one by one: only slow ones are in flight together.
void fifty_in_flight(Probe& probe) {
  const Callable slow = probe.need_tool("tool:slow", "SECONDS", 0.3);
  Session& session = probe.opened();
  const auto ids = session.send_requests(50, "tools/call", slow.params());
  for (const Json& id : ids) {
    const Answer answer = session.await(id, probe.timeout(20s));
    probe.expect_answer(answer, "each of 50 calls that are in flight together");
    probe.expect(answer.ok(), "a result of each of 50 calls that are in flight together", answer.text());
  }
}

void no_interleave(Probe& probe) {
  const Callable tool = big_output(probe, 100'000);
  Session& session = probe.opened();
  const auto ids = session.send_requests(100, "tools/call", tool.params());
  for (const Json& id : ids) probe.expect_answer(session.await(id, probe.timeout(20s)), "one of 100 results of 100 kB");
  expect_pure(probe, session, "100 large results at once");
}

/// A second more than with nothing else to do.
void head_of_line(Probe& probe) {
  const Callable slow = probe.need_tool("tool:slow", "SECONDS", 2);
  Session& session = probe.opened();
  probe.compares_times();
  const auto time_of_both = [&] {
    const auto begin = Clock::now();
    probe.expect_result(session.request(talkative_method(probe)), "a list beside a slow call");
    probe.expect_result(session.request(harmless(probe)), "a request beside a slow call");
    return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
  };
  const auto limit = 1s + time_of_both();
  const Json call = session.send_request("tools/call", slow.params());
  const auto waited = time_of_both();
  session.notify("notifications/cancelled", {{"requestId", call}});
  probe.expect(waited < limit, "answers within " + std::to_string(limit.count()) + " ms beside a slow call",
               std::to_string(waited.count()) + " ms");
}

/// The handshake and 100 requests in one write.
void pipelined(Probe& probe) {
  Session& session = probe.fresh();
  std::string all;
  if (!probe.modern()) {
    all = session.request_text("opening", "initialize",
                               {{"protocolVersion", probe.revision().name},
                                {"capabilities", JsonObject{}},
                                {"clientInfo", {{"name", "check"}, {"version", "1"}}}}) +
          "\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";
  }
  for (int i = 0; i < 100; ++i)
    all += session.request_text(Json("pipelined-" + std::to_string(i)), harmless(probe)) + "\n";
  session.send_bytes(all);
  for (int i = 0; i < 100; ++i)
    probe.expect_result(session.await(Json("pipelined-" + std::to_string(i)), probe.timeout(10s)),
                        "a request right behind the handshake");
}

void cancel_storm(Probe& probe) {
  const Callable slow = probe.need_tool("tool:slow", "SECONDS", 5);
  Session& session = probe.opened();
  std::vector<Json> ids;
  for (int i = 0; i < 300; ++i) {
    ids.push_back(session.send_request("tools/call", slow.params()));
    if (i % 3 == 0) session.notify("notifications/cancelled", {{"requestId", ids[ids.size() / 2]}});
  }
  for (const Json& id : ids) session.notify("notifications/cancelled", {{"requestId", id}});
  probe.expect_alive(session);
}

/// In one write: some servers act on a notification only after all that they have read, so that what two writes show
/// depends on when they are read.
void cancel_before_request(Probe& probe) {
  Session& session = probe.opened();
  session.send_bytes(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"later"}})"
                     "\n" +
                     session.request_text("later", harmless(probe)) + "\n");
  const Answer answer = probe.expect_reply(session, "later", "a request whose cancellation came before it");
  probe.expect(answer.ok(), "a result: the cancellation came before the request", answer.text());
}

void cancel_twice(Probe& probe) {
  const Callable slow = probe.need_tool("tool:slow", "SECONDS", 2);
  Session& session = probe.opened();
  const Json id = session.send_request("tools/call", slow.params());
  for (int i = 0; i < 2; ++i) session.notify("notifications/cancelled", {{"requestId", id}});
  probe.expect_alive(session);
}

void progress_flood(Probe& probe) {
  Session& session = probe.opened();
  for (int i = 0; i < 1'000; ++i)
    session.notify("notifications/progress", {{"progressToken", "unknown"}, {"progress", i}});
  probe.expect_alive(session);
}

long resident_pages(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/statm");
  long total = 0;
  long resident = 0;
  file >> total >> resident;
  return resident;
}

/// Sends `count` requests and returns the least memory seen between them, in pages: what a collector of garbage keeps
/// for a while is no leak.
long least_pages_during(Probe& probe, Session& session, int count) {
  long least = resident_pages(session.process().id());
  for (int sent = 0; sent < count; sent += 100) {
    Json last;
    for (int i = 0; i < 100; ++i) last = session.send_request(harmless(probe));
    probe.expect_result(session.await(last, probe.timeout(10s)), "a request of a long session");
    least = std::min(least, resident_pages(session.process().id()));
  }
  return least;
}

void long_session(Probe& probe) {
  constexpr int window = 2'000;
  constexpr long pages_a_request = 2;
  Session& session = probe.opened();
  least_pages_during(probe, session, window);
  std::array<long, 4> least{};
  for (long& pages : least) pages = least_pages_during(probe, session, window);
  const bool always_more = std::ranges::is_sorted(least, std::less_equal<>{});
  const bool grows = least.back() - least.front() >= 3L * window * pages_a_request;
  probe.expect(!always_more || !grows, "memory that stays after 10 000 requests",
               std::to_string(least.front() * 4) + " kB at least, then " + std::to_string(least.back() * 4) + " kB");
}

void rapid_restart(Probe& probe) {
  for (int i = 0; i < 10; ++i) {
    Session session(probe.target().launch, probe.revision(), {.timeout = probe.target().start_timeout});
    const Answer answer = session.open();
    if (!answer.ok()) probe.broken("a start each of ten times in a row", answer.text());
    session.end(2s);
  }
}

void two_instances(Probe& probe) {
  Session& first = probe.opened();
  Session& second = probe.opened();
  probe.expect_alive(first);
  probe.expect_alive(second);
  first.end(2s);
  probe.expect_alive(second);
}

void idle_then_serve(Probe& probe) {
  if (!probe.target().patient) probe.skip("it takes a minute; --patient includes it");
  Session& session = probe.opened();
  session.listen_for(60s);
  probe.expect_alive(session);
}

/// One that has answered before, since its answers are validated too.
void startup_time(Probe& probe) {
  probe.compares_times();
  const auto begin = Clock::now();
  const Answer answer = probe.fresh().open();
  if (!answer.ok()) probe.broken("a first answer within ten seconds", answer.text());
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
  probe.expect(took < 10s, "a first answer within ten seconds", std::to_string(took.count()) + " ms");
}

void crash_contained(Probe& probe) {
  const Callable slow = probe.need_tool("tool:slow", "SECONDS", 0.5);
  const Callable throwing = probe.need_tool("tool:throws");
  Session& session = probe.opened();
  const auto ids = session.send_requests(10, "tools/call", slow.params());
  probe.expect_answer(session.request("tools/call", throwing.params()), "a tool that throws");
  for (const Json& id : ids)
    probe.expect_result(session.await(id, probe.timeout(10s)), "a call beside one that throws");
}

}  // namespace

std::span<const Check> robustness_flow_checks() {
  static constexpr Check checks[] = {
      {"rb-backpressure-reader-stops", reader_stops},
      {"rb-backpressure-no-deadlock", no_deadlock},
      {"rb-slow-reader", slow_reader},
      {"rb-big-output", big_result},
      {"rb-concurrent-1000", concurrent_1000},
      {"rb-in-flight-50", fifty_in_flight},
      {"rb-concurrent-no-interleave", no_interleave},
      {"rb-head-of-line", head_of_line},
      {"rb-sequential-order-same-client", pipelined},
      {"rb-cancel-storm", cancel_storm},
      {"rb-cancel-before-request", cancel_before_request},
      {"rb-cancel-twice", cancel_twice},
      {"rb-progress-flood-client", progress_flood},
      {"rb-long-session", long_session},
      {"rb-rapid-restart", rapid_restart},
      {"rb-two-instances", two_instances},
      {"rb-idle-then-serve", idle_then_serve},
      {"rb-startup-time", startup_time},
      {"rb-tool-crash-contained", crash_contained},
  };
  return checks;
}

}  // namespace toolwire::conformance
