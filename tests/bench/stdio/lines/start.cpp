// Start-up, against a C program that only answers, and of the same server linked in other ways. All on one CPU: waiting
// for a second, busy CPU would take longer than the start itself.
#include "lines/groups.hpp"
#include "lines/slices.hpp"

namespace toolwire::bench {
namespace {

void measure(const Setting& setting, Board& board) {
  Effort effort = setting.quick ? quick_effort() : Effort{};
  const OneCpu pinned;
  std::vector<const Candidate*> candidates = {&setting.raw, &setting.ours};
  for (const auto* other : {&setting.shared_libc, &setting.all_shared})
    if (*other) candidates.push_back(&**other);
  const Results results = in_turn(candidates, measure_start_up, effort, setting.quick ? 1 : 8);
  const double raw = best_of(results, Metric::start_up, setting.raw, Better::smaller);
  const auto compare = [&](std::string_view line, const Candidate& candidate) {
    const double own = best_of(results, Metric::start_up, candidate, Better::smaller);
    board.add(line, own / raw, {{"raw ms", raw}, {"ours ms", own}});
  };
  compare("start", setting.ours);
  if (setting.shared_libc) compare("start-libc-shared", *setting.shared_libc);
  if (setting.all_shared) compare("start-all-shared", *setting.all_shared);
}

}  // namespace

const Group& start_group() {
  static const Group group = {{
                                  {"start", "start-up on one CPU / raw program", Bound::at_most, 2, "x"},
                                  {"start-libc-shared", "the same server with a shared C library", Bound::none, 0, "x"},
                                  {"start-all-shared", "the same with every library shared", Bound::none, 0, "x"},
                              },
                              measure};
  return group;
}

}  // namespace toolwire::bench
