#include "lines/placement.hpp"

#include <sched.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace toolwire::bench {
namespace {

void use_cpus(const std::vector<int>& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) CPU_SET(static_cast<std::size_t>(cpu), &set);
  if (::sched_setaffinity(0, sizeof set, &set) != 0)
    throw std::system_error(errno, std::generic_category(), "sched_setaffinity");
}

std::vector<int> usable_cpus() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0)
    throw std::system_error(errno, std::generic_category(), "sched_getaffinity");
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) cpus.push_back(cpu);
  return cpus;
}

}  // namespace

TwoCpus::TwoCpus() : before_(usable_cpus()) { use_cpus({before_.front()}); }

TwoCpus::~TwoCpus() {
  try {
    use_cpus(before_);
  } catch (const std::system_error&) {
    return;  // the CPUs this thread was given are gone: it stays where it is
  }
}

Candidate TwoCpus::on_the_other(const Candidate& candidate) const {
  Candidate moved = candidate;
  const std::vector<std::string> prefix = {"taskset", "--cpu-list", std::to_string(before_.back())};
  moved.command.insert(moved.command.begin(), prefix.begin(), prefix.end());
  return moved;
}

}  // namespace toolwire::bench
