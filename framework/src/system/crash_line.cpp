#include "system/crash_line.hpp"

#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <mutex>

#include "system/current_call.hpp"

namespace toolwire::system {
namespace {

struct Crash {
  int signal;
  std::string_view name;
};
constexpr std::array crashes{Crash{SIGSEGV, "SIGSEGV"}, Crash{SIGBUS, "SIGBUS"}, Crash{SIGFPE, "SIGFPE"},
                             Crash{SIGILL, "SIGILL"}, Crash{SIGABRT, "SIGABRT"}};

constexpr int patience = 100;                 // milliseconds for a stderr that takes nothing
constexpr std::size_t max_text = 200;         // bytes of a name, which may be a URI
constexpr std::size_t max_trace_path = 1024;  // bytes

// What a handler reads: nothing of it may need memory or a lock.
// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables)
constinit std::atomic<pid_t> owner{0};
constinit std::atomic<bool> is_told{false};
constinit std::array<char, max_trace_path> trace_path{};
constinit std::atomic<std::size_t> trace_path_size{0};
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

/// Less than PIPE_BUF, so that it is written as a whole. What is not printable is shown as '?'.
class Line {
 public:
  Line& add(std::string_view text) noexcept {
    for (const char one : text) put(one >= ' ' && one <= '~' ? one : '?');
    return *this;
  }
  Line& add_at_most(std::string_view text, std::size_t bytes) noexcept {
    return text.size() <= bytes ? add(text) : add(text.substr(0, bytes)).add("...");
  }
  Line& add(std::uint64_t number) noexcept {
    std::array<char, 20> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    return add({digits.data(), static_cast<std::size_t>(end - digits.data())});
  }
  void write() noexcept {
    bytes_[size_++] = '\n';
    pollfd errors{STDERR_FILENO, POLLOUT, 0};
    if (::poll(&errors, 1, patience) != 1 || (errors.revents & POLLOUT) == 0) return;
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, bytes_.data(), size_);
  }

 private:
  void put(char one) noexcept {
    if (size_ + 1 < bytes_.size()) bytes_[size_++] = one;
  }

  std::array<char, 2048> bytes_{};
  std::size_t size_ = 0;
};

std::string_view name_of(int signal) noexcept {
  const auto* const found = std::ranges::find(crashes, signal, &Crash::signal);
  return found == crashes.end() ? "a signal" : found->name;
}

void tell(std::string_view what) noexcept {
  Line line;
  line.add("toolwire: ").add(what);
  if (const CurrentCall* const call = current_call()) {
    line.add(" in ").add(call->kind).add(" \"").add_at_most(call->name, max_text).add("\", request ");
    line.add_at_most(call->request, max_text).add(" of connection ").add(call->connection);
  } else {
    line.add(" outside of all calls");
  }
  if (const std::size_t size = trace_path_size.load(std::memory_order_acquire); size > 0)
    line.add("; trace: ").add({trace_path.data(), size});
  line.write();
}

void let_it_strike(int signal) noexcept {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(signal, &action, nullptr);
}

/// A fault strikes again when this returns; what was sent has to be sent again.
void on_crash(int signal, siginfo_t* info, void* /*context*/) {
  const int error = errno;
  if (::getpid() == owner.load(std::memory_order_relaxed)) {
    if (!is_told.exchange(true)) {
      tell(name_of(signal));
    } else {
      ::poll(nullptr, 0, 2 * patience);  // another thread tells already
    }
  }
  let_it_strike(signal);
  if (info->si_code <= 0) ::syscall(SYS_tgkill, ::getpid(), ::syscall(SYS_gettid), signal);
  errno = error;
}

/// A server that ends as it should does not end in a call.
void on_exit() noexcept {
  if (!CrashLines::exist() || current_call() == nullptr || ::getpid() != owner.load(std::memory_order_relaxed)) return;
  if (!is_told.exchange(true)) tell("exit()");
}

/// Once for the process: what is registered cannot be taken back.
void take_exit() {
  [[maybe_unused]] static const bool is_taken = std::atexit([] { on_exit(); }) == 0;
}

bool is_ours(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == &on_crash;
}

bool is_default(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL;
}

void take(int signal) {
  struct sigaction now {};
  if (::sigaction(signal, nullptr, &now) != 0 || !is_default(now)) return;
  struct sigaction action {};
  action.sa_sigaction = &on_crash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(signal, &action, nullptr);
}

void give_back(int signal) {
  struct sigaction now {};
  if (::sigaction(signal, nullptr, &now) == 0 && is_ours(now)) let_it_strike(signal);
}

void name_trace(std::string_view path) {
  if (path.empty() || path.size() > trace_path.size() || trace_path_size.load() > 0) return;
  std::ranges::copy(path, trace_path.begin());
  trace_path_size.store(path.size(), std::memory_order_release);
}

std::mutex& installing() {
  // NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
  static std::mutex mutex;
  return mutex;
}

}  // namespace

CrashLines::CrashLines(std::string_view trace) {
  const std::lock_guard lock(installing());
  name_trace(trace);
  if (count_.fetch_add(1) > 0) return;
  owner = ::getpid();
  for (const Crash& crash : crashes) take(crash.signal);
  take_exit();
}

CrashLines::~CrashLines() {
  const std::lock_guard lock(installing());
  if (count_.fetch_sub(1) > 1) return;
  for (const Crash& crash : crashes) give_back(crash.signal);
  trace_path_size = 0;
}

SignalStack::SignalStack() noexcept {
  stack_t now{};
  if (::sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0) return;
  const long least = std::max(::sysconf(_SC_SIGSTKSZ), 32L * 1024);
  const auto size = static_cast<std::size_t>(least);
  void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return;
  stack_t own{};
  own.ss_sp = memory;
  own.ss_size = size;
  if (::sigaltstack(&own, nullptr) != 0) {
    ::munmap(memory, size);
    return;
  }
  memory_ = memory;
  size_ = size;
}

SignalStack::~SignalStack() {
  if (memory_ == nullptr) return;
  stack_t now{};
  if (::sigaltstack(nullptr, &now) == 0 && now.ss_sp == memory_) {
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    ::sigaltstack(&none, nullptr);
  }
  ::munmap(memory_, size_);
}

}  // namespace toolwire::system
