// Start-up and one call after the other.
#include "bench/measures.hpp"

namespace toolwire::bench {
namespace {

struct RoundTrips {
  std::vector<double> microseconds;
  double cpu_per_call = 0;
};

void expect_echo(std::string_view answer, std::string_view text) {
  if (is_refusal(answer) || answer.find(text) == std::string_view::npos)
    throw MeasureFailed("echo did not answer with the text it was sent: " + std::string(answer.substr(0, 200)));
}

RoundTrips round_trips(Session& session, const Tools& tools, const Effort& effort) {
  const auto text = wire_text(TextKind::ascii, effort.text_size);
  CallLine call = echo_call(tools, text);
  Id id = first_call_id;
  for (const Id warm = id + 1000; id < warm; ++id) expect_echo(session.ask(call.with_id(id), id), text);

  RoundTrips result;
  result.microseconds.reserve(1'000'000);
  const double cpu_before = session.child().cpu_microseconds();
  const auto stop = Clock::now() + effort.sequential;
  for (auto before = Clock::now(); before < stop; ++id) {
    const auto line = call.with_id(id);
    session.ask(line, id);
    const auto after = Clock::now();
    result.microseconds.push_back(microseconds(after - before));
    before = after;
  }
  const auto calls = static_cast<double>(result.microseconds.size());
  result.cpu_per_call = (session.child().cpu_microseconds() - cpu_before) / calls;
  expect_echo(session.ask(call.with_id(id), id), text);
  return result;
}

}  // namespace

void measure_start_up(const Candidate& candidate, const Effort& effort, Results& results) {
  std::vector<double> starts(static_cast<std::size_t>(effort.starts));
  for (double& start : starts) start = milliseconds(Session(candidate).start_up());
  results.add(Metric::start_up, candidate.name, median(starts));
}

void measure_pinned_round_trip(const Candidate& candidate, const Effort& effort, Results& results) {
  const OneCpu pinned;
  Session session(candidate);
  if (!session.has_tool(candidate.tools.echo)) return;
  const auto trips = round_trips(session, candidate.tools, effort);
  results.add(Metric::pinned_p50, candidate.name, quantile(trips.microseconds, 0.5));
  results.add(Metric::pinned_p99, candidate.name, quantile(trips.microseconds, 0.99));
  results.add(Metric::pinned_cpu, candidate.name, trips.cpu_per_call);
}

void measure_unpinned_round_trip(const Candidate& candidate, const Effort& effort, Results& results) {
  Session session(candidate);
  if (!session.has_tool(candidate.tools.echo)) return;
  const auto trips = round_trips(session, candidate.tools, effort);
  results.add(Metric::free_p50, candidate.name, quantile(trips.microseconds, 0.5));
  results.add(Metric::free_p99, candidate.name, quantile(trips.microseconds, 0.99));
}

}  // namespace toolwire::bench
