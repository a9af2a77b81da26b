// Large, deep and extreme values.
#include <algorithm>
#include <array>
#include <iterator>
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

std::string nested_objects(std::size_t levels) {
  std::string text;
  for (std::size_t i = 0; i < levels; ++i) text += R"({"a":)";
  return text + "1" + std::string(levels, '}');
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
  send_params(session, probe, "deep", nested_objects(100'000));
  expect_serving(probe, session, "100000 nested objects", 10s);
}

void deep_argument(Probe& probe) {
  const Callable tool = probe.any_tool();
  Session& session = rough_session(probe);
  JsonObject arguments = tool.arguments;
  arguments["conformance_deep"] = "PLACE";
  const std::size_t before = session.mark();
  session.send_line(request_with(session, "deep", "tools/call", {{"name", tool.name}, {"arguments", arguments}},
                                 "PLACE", nested(5'000, '[', ']')));
  // Parsers may bound the depth (RFC 8259 § 9): to them it is no request, and has no id.
  expect_serving(probe, session, "arguments 5 000 levels deep");
  if (session.wait_for(before, refuses_nobody, 0ms) != nullptr) return;
  probe.expect_reply(session, "deep", "arguments 5 000 levels deep", 5s);
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

/// Lines of one size that are sent in a row.
struct SentLines {
  std::size_t megabytes, count;
  double cost_of_memory = 0;  // ms of CPU time for a MB, for which nobody is blamed
  std::chrono::milliseconds work = std::chrono::milliseconds::max();  // CPU time of the server, the least that was seen
  std::chrono::milliseconds time{0};                                  // of one line, the slowest

  std::string what() const { return "a line of " + std::to_string(megabytes) + " MB"; }
  double per_megabyte() const {
    return static_cast<double>(std::max<std::chrono::milliseconds>(work, 1ms).count()) /
           static_cast<double>(megabytes * count);
  }
};

/// `patience` beyond the time limit of an answer: a server that does more and more work is slow, not dead.
void send_huge(Probe& probe, Session& session, SentLines& lines, std::chrono::milliseconds patience) {
  const auto limit = probe.timeout() + std::min<std::chrono::milliseconds>(patience, 60s);
  const Json id("huge-" + std::to_string(lines.megabytes) + "-" + std::to_string(session.mark()));
  const auto begin = Clock::now();
  const std::size_t before = session.mark();
  send_params(session, probe, id, "\"" + std::string(lines.megabytes * 1'000'000, 'x') + "\"");
  expect_serving(probe, session, lines.what(), limit);
  lines.time = std::max(lines.time, std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin));
  const auto served_or_refused = [&](const Message& it) { return it.id() == id || it.is_error(); };
  if (session.wait_for(before, served_or_refused, 1s) == nullptr)
    probe.warn("a result of " + lines.what() + ", or an error", "nothing");
}

/// The first line of a size is given the square of the growth, in the time the size before it took.
void measure(Probe& probe, Session& session, SentLines& lines, const SentLines* smaller) {
  const auto growth = smaller == nullptr ? 0 : static_cast<int>(lines.megabytes / smaller->megabytes) + 1;
  const auto patience = smaller == nullptr ? 0ms : smaller->time * (growth * growth);
  const auto before = session.process().cpu_time();
  for (std::size_t i = 0; i < lines.count; ++i) send_huge(probe, session, lines, patience);
  lines.work = std::min(lines.work, session.process().cpu_time() - before);
}

/// Work is compared, not time, for others run on the machine; and the least of some measures. Work that grows with the
/// square of the size is six times as much per byte at 64 MB as at 10. A server so fast that memory is what costs it is
/// not blamed for that: lines of 10 MB have outgrown its caches, those of 1 MB have not. Ten copies of one, each in
/// memory that is given back at once, were seen to cost 11 ms for a MB more.
void huge_line(Probe& probe) {
  constexpr double most = 3;
  constexpr int measures = 3;
  Session& session = rough_session(probe);
  std::array<SentLines, 3> sizes{SentLines{1, 16}, SentLines{10, 2, 20}, SentLines{64, 1, 3}};
  const auto grows = [](const SentLines& smaller, const SentLines& larger) {
    return larger.per_megabyte() > larger.cost_of_memory && larger.per_megabyte() > most * smaller.per_megabyte();
  };
  for (int i = 0; i < measures && (i == 0 || std::ranges::adjacent_find(sizes, grows) != sizes.end()); ++i) {
    for (std::size_t at = 0; at < sizes.size(); ++at)
      measure(probe, session, sizes[at], at == 0 ? nullptr : &sizes[at - 1]);
  }
  const auto* smaller = std::ranges::adjacent_find(sizes, grows);
  if (smaller == sizes.end()) return;
  const auto work = [](const SentLines& it) {
    return std::to_string(it.work.count()) + " ms of CPU time for " + std::to_string(it.count * it.megabytes) + " MB";
  };
  probe.fail("at most three times the work for a byte in " + std::next(smaller)->what() + " as in " + smaller->what(),
             work(*std::next(smaller)) + ", " + work(*smaller));
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
  const auto expect_refused = [&](const Json& id, const std::string& what) {
    const Answer answer = session.await(id, probe.timeout(15s));
    probe.expect(probe.expect_answer(answer, what).is_error(), "an error to " + what, answer.text());
  };
  expect_refused("long-method", "a method of 1 MiB");
  const Json id(std::string(1 << 20, 'i'));
  session.send_request_with_id(id, "conformance/none");
  expect_refused(id, "an unknown method with an id of 1 MiB");
}

/// How long a server takes for an object with so many members.
std::chrono::milliseconds time_of_members(Probe& probe, Session& session, int count, std::chrono::milliseconds limit) {
  std::string object = "{";
  for (int i = 0; i < count; ++i) object += (i > 0 ? ",\"k" : "\"k") + std::to_string(i) + "\":1";
  const auto begin = Clock::now();
  send_params(session, probe, Json("members-" + std::to_string(count)), object + "}");
  expect_serving(probe, session, "an object with " + std::to_string(count) + " members", limit);
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
}

/// On a busy machine all takes long: it is measured by what a tenth of the members takes.
void many_keys(Probe& probe) {
  constexpr int most = 30;
  Session& session = rough_session(probe);
  const auto tenth = time_of_members(probe, session, 10'000, 5s);
  time_of_members(probe, session, 100'000, 5s + most * tenth);
}

void line_separators(Probe& probe) {
  Session& session = rough_session(probe);
  const Json id("id\u2028with\u2029separators\u0085");
  session.send_request_with_id(id, harmless(probe));
  probe.expect(session.await(id).ok(), "an answer to an id with line separators", "none");
  session.send_request_with_id("separated", "conformance/a\u2028b\u2029c\u0085d");
  probe.expect(session.await("separated").is_error(), "an error to a method with line separators", "another, or none");
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
