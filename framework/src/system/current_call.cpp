#include "system/current_call.hpp"

#include "system/crash_line.hpp"

namespace toolwire::system {
namespace {

// In the memory that each thread begins with: a first use in a signal handler must not allocate.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
[[gnu::tls_model("initial-exec")]] thread_local constinit const CurrentCall* current = nullptr;

}  // namespace

const CurrentCall* current_call() noexcept { return current; }

CallScope::CallScope(CurrentCall call) noexcept : call_(call), before_(current) {
  prepare_for_crash();
  current = &call_;
}

CallScope::~CallScope() { current = before_; }

}  // namespace toolwire::system
