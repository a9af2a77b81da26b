#include "system/orphans.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>

#include <toolwire/system/process_id.hpp>
#include <toolwire/system/program_start.hpp>
#include <toolwire/system/signals_blocked.hpp>

#include "system/process_tree.hpp"

namespace toolwire::bridge {
namespace {

constexpr int rounds = 400;
constexpr std::chrono::milliseconds pause{5};

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): of the process, as what it switches on
std::atomic<bool> adopts = false;

/// Whether there was none. One that was there may have left children of its own behind, even if it is collected by now.
bool end_those_of_now() {
  bool none = true;
  // Listed first: a child that a start under way has just forked is known when it can be asked for.
  for (const system::ProcessId id : children_of(system::own_process_id())) {
    if (system::was_started_here(id)) continue;
    none = false;
    ::kill(id, SIGKILL);
    ::waitpid(id, nullptr, WNOHANG);
  }
  return none;
}

/// Collects orphans that have ended by themselves, such as helpers of an MCP server. False if it met a child that
/// somebody here waits for, behind which the kernel shows no others.
bool collect_ended() {
  siginfo_t about{};
  while (::waitid(P_ALL, 0, &about, WEXITED | WNOHANG | WNOWAIT) == 0 && about.si_pid != 0) {
    if (system::was_started_here(about.si_pid)) return false;
    ::waitpid(about.si_pid, nullptr, WNOHANG);
    about.si_pid = 0;
  }
  return true;
}

/// As collect_ended, one by one, which takes longer.
void collect_each() {
  for (const system::ProcessId id : children_of(system::own_process_id())) {
    if (!system::was_started_here(id)) ::waitpid(id, nullptr, WNOHANG);
  }
}

/// Ends that come together are told by one signal, so what is left behind has to be looked for.
void collect_orphans(const sigset_t& child) {
  while (::sigwaitinfo(&child, nullptr) > 0 || errno == EINTR) {
    if (collect_ended()) continue;
    std::this_thread::sleep_for(pause);  // mostly it is collected by then, and so are others that end now
    if (!collect_ended()) collect_each();
  }
}

}  // namespace

void adopt_orphans() {
  if (adopts || ::prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) return;
  adopts = true;
  sigset_t child;
  ::sigemptyset(&child);
  ::sigaddset(&child, SIGCHLD);
  if (::pthread_sigmask(SIG_BLOCK, &child, nullptr) != 0) return;
  const system::SignalsBlocked inherited_by_the_thread;  // others are for those who wait for them
  std::thread([child] { collect_orphans(child); }).detach();
}

void end_orphans() {
  if (!adopts) return;
  for (int round = 0; round < rounds; ++round) {
    // A child that is collected while the kernel lists them hides the next one, so that none is only none twice.
    const bool were_none = end_those_of_now();
    if (were_none && end_those_of_now()) return;
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace toolwire::bridge
