// Large, deep and extreme values.
#include <algorithm>
#include <string>
#include <vector>

#include "checks/robustness.hpp"
#include "checks/tools.hpp"

namespace toolwire::conformance {
namespace {

using namespace std::chrono_literals;

std::string nested(std::size_t levels, char open, char close) {
  return std::string(levels, open) + std::string(levels, close);
}

void send_params(Session& session, const Probe& probe, const Json& id, std::string_view raw) {
  session.send_line(request_with(session, id, harmless(probe), {{"x", "PLACE"}}, "PLACE", raw));
}

void deep_nesting(Probe& probe) {
  Session& session = rough_session(probe);
  for (std::size_t levels : {std::size_t{1'000}, std::size_t{10'000}, std::size_t{100'000}, std::size_t{1'000'000}}) {
    send_params(session, probe, "deep", nested(levels, '[', ']'));
    expect_serving(probe, session, std::to_string(levels) + " nested arrays", 10s);
  }
}

void deep_argument(Probe& probe) {
  const Callable tool = probe.any_tool();
  Session& session = rough_session(probe);
  JsonObject arguments = tool.arguments;
  arguments["conformance_deep"] = "PLACE";
  session.send_line(request_with(session, "deep", "tools/call", {{"name", tool.name}, {"arguments", arguments}},
                                 "PLACE", nested(5'000, '[', ']')));
  probe.expect_answer(session.await("deep", probe.timeout(5s)), "arguments 5 000 levels deep");
  expect_serving(probe, session, "deep arguments");
}

void huge_numbers(Probe& probe) {
  Session& session = rough_session(probe);
  const std::string digits(400, '9');
  for (const std::string& number : {std::string("1e400"), std::string("-1e400"), std::string("1e-400"), digits,
                                    std::string(1'000'000, '7'), std::string("-0"), std::string("1E+2")}) {
    send_params(session, probe, "number", number);
    expect_serving(probe, session, "the number " + number.substr(0, 20));
  }
}

void int_precision(Probe& probe) {
  for (const Json& number : {Json(std::int64_t{9007199254740993}), Json(std::uint64_t{18446744073709551615U}),
                             Json(std::int64_t{-9223372036854775807 - 1})}) {
    const Callable echo = probe.need_tool("tool:echo-json", "JSON", number);
    const Answer answer = probe.session().request("tools/call", echo.params());
    probe.expect_answer(answer, "tools/call of " + echo.name);
    const bool refused = answer.is_error() || get(answer.result, "isError") == Json(true);
    if (!refused && to_json_text(answer.result).find(to_json_text(number)) == std::string::npos)
      probe.info("the number " + to_json_text(number) + " comes back changed");
  }
}

/// How long a line of that size takes, the next request included.
std::chrono::milliseconds time_of_line(Probe& probe, Session& session, std::size_t megabytes) {
  const std::string what = "a line of " + std::to_string(megabytes) + " MB";
  const auto begin = Clock::now();
  const std::size_t before = session.mark();
  send_params(session, probe, "huge", "\"" + std::string(megabytes * 1'000'000, 'x') + "\"");
  expect_serving(probe, session, what, 60s);
  const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
  const auto served_or_refused = [](const Message& it) { return it.id() == Json("huge") || it.is_error(); };
  if (session.wait_for(before, served_or_refused, 1s) == nullptr)
    probe.warn("a result of " + what + ", or an error", "nothing");
  return time;
}

/// Ten times the size may take fifteen times the time; what is quick enough for anybody is not compared. All sizes are
/// sent first: whether they are served matters more than how fast.
void huge_line(Probe& probe) {
  struct Timed {
    std::size_t megabytes;
    std::chrono::milliseconds time;
  };
  Session& session = rough_session(probe);
  probe.compares_times();
  std::vector<Timed> lines;
  for (const std::size_t megabytes : {std::size_t{1}, std::size_t{10}, std::size_t{64}})
    lines.push_back({megabytes, time_of_line(probe, session, megabytes)});
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const Timed& smaller = lines[i - 1];
    const Timed& larger = lines[i];
    const auto compared = std::max<std::chrono::milliseconds>(smaller.time, 50ms * smaller.megabytes);
    const auto limit = compared * larger.megabytes * 3 / (smaller.megabytes * 2);
    probe.expect(larger.time <= limit,
                 "a line of " + std::to_string(larger.megabytes) + " MB within " + std::to_string(limit.count()) +
                     " ms, as one of " + std::to_string(smaller.megabytes) + " MB took " +
                     std::to_string(smaller.time.count()) + " ms",
                 std::to_string(larger.time.count()) + " ms");
  }
}

void line_over_64k(Probe& probe) {
  Session& session = rough_session(probe);
  for (std::size_t size : {std::size_t{65'530}, std::size_t{65'536}, std::size_t{65'537}, std::size_t{131'073}}) {
    const Json id("line-" + std::to_string(size));
    const std::string shortest = request_with(session, id, harmless(probe), {{"x", "PLACE"}}, "PLACE", "\"\"");
    session.send_line(request_with(session, id, harmless(probe), {{"x", "PLACE"}}, "PLACE",
                                   "\"" + std::string(size - shortest.size() - 1, 'x') + "\""));
    const Answer answer = session.await(id);
    if (!answer.ok()) probe.broken("an answer to a line of " + std::to_string(size) + " bytes", answer.text());
  }
}

void huge_method(Probe& probe) {
  Session& session = rough_session(probe);
  session.send_request_with_id("long-method", std::string(1 << 20, 'm'));
  probe.expect_answer(session.await("long-method", probe.timeout(15s)), "a method of 1 MiB");
  const std::string id(1 << 20, 'i');
  session.send_request_with_id(Json(id), "conformance/none");
  probe.expect_answer(session.await(Json(id), probe.timeout(15s)), "an id of 1 MiB");
}

void many_keys(Probe& probe) {
  Session& session = rough_session(probe);
  std::string object = "{";
  for (int i = 0; i < 100'000; ++i) object += (i > 0 ? ",\"k" : "\"k") + std::to_string(i) + "\":1";
  send_params(session, probe, "many-keys", object + "}");
  expect_serving(probe, session, "an object with 100 000 members");
}

void line_separators(Probe& probe) {
  Session& session = rough_session(probe);
  const Json id("id\u2028with\u2029separators\u0085");
  session.send_request_with_id(id, harmless(probe));
  probe.expect(session.await(id).ok(), "an answer to an id with line separators", "none");
  expect_serving(probe, session, "line separators");
}

}  // namespace

std::span<const Check> robustness_sizes_checks() {
  static constexpr Check checks[] = {
      {"rb-line-separators", line_separators},
      {"rb-deep-nesting", deep_nesting},
      {"rb-deep-nesting-argument", deep_argument},
      {"rb-huge-numbers", huge_numbers},
      {"rb-int-precision", int_precision},
      {"rb-huge-line", huge_line},
      {"rb-line-over-64k", line_over_64k},
      {"rb-huge-string-method", huge_method},
      {"rb-many-keys", many_keys},
  };
  return checks;
}

}  // namespace toolwire::conformance
