#include <toolwire/system/descriptor_limit.hpp>

#include <sys/resource.h>

#include <atomic>

namespace toolwire::system {
namespace {

/// From before it was raised; RLIM_INFINITY if it has not been, or needed not to be.
std::atomic<rlim_t>& limit_before() {
  static constinit std::atomic<rlim_t> limit{RLIM_INFINITY};
  return limit;
}

}  // namespace

void raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
  const rlim_t before = limit.rlim_cur;
  limit.rlim_cur = limit.rlim_max;
  if (::setrlimit(RLIMIT_NOFILE, &limit) == 0) limit_before() = before;
}

std::optional<std::size_t> descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return limit.rlim_cur;
}

void restore_descriptor_limit() {
  const rlim_t before = limit_before();
  rlimit limit{};
  if (before == RLIM_INFINITY || ::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = before;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace toolwire::system
