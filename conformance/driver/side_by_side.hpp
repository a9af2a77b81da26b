// Work that mostly waits, several pieces beside each other: more of them while processors of the machine are idle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace toolwire::conformance {

/// How many pieces of work are done beside each other.
struct Jobs {
  unsigned first = 1;  // at the beginning, and while the processors are busy
  unsigned most = 1;   // however idle they are
};

/// What the processors of the machine have spent since it started, in ticks of the kernel.
struct ProcessorTime {
  std::uint64_t all = 0;
  std::uint64_t idle = 0;  // with nothing to run, and nothing to wait for from a disk
};

/// Out of the text of /proc/stat (proc(5)); nothing where it says something else.
std::optional<ProcessorTime> processor_time_of(std::string_view text);

/// The number that should follow `now`, when that share of the processors' time, from 0 to 1, was idle: two more
/// while more than 0.4 are, one less below 0.1, always within `jobs`. The same where nobody knows.
unsigned next_jobs(const Jobs& jobs, unsigned now, std::optional<double> idle);

/// Calls `work` once with each number below `count`, in that order, and returns when all have returned. What one of
/// them throws ends it, once those that have begun are done, and is thrown again.
void run_side_by_side(std::size_t count, const Jobs& jobs, const std::function<void(std::size_t)>& work);

}  // namespace toolwire::conformance
