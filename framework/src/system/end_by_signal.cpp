#include <toolwire/system/end_by_signal.hpp>

namespace toolwire::system {
namespace {

bool is_ignored(int number) {
  struct sigaction action {};
  return ::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

sigset_t ending_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGTERM);
  for (const int number : {SIGINT, SIGHUP, SIGQUIT}) {
    if (!is_ignored(number)) ::sigaddset(&set, number);
  }
  return set;
}

}  // namespace

void block_ending_signals() {
  const sigset_t set = ending_signals();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

void wait_for_ending_signal() {
  const sigset_t set = ending_signals();
  int came = 0;
  ::sigwait(&set, &came);
}

EndingSignalsHeld::EndingSignalsHeld() {
  const sigset_t set = ending_signals();
  ::pthread_sigmask(SIG_BLOCK, &set, &before_);
}

EndingSignalsHeld::~EndingSignalsHeld() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

bool EndingSignalsHeld::has_come() const {
  sigset_t pending;
  ::sigpending(&pending);
  for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGQUIT}) {
    if (::sigismember(&pending, number) == 1) return true;
  }
  return false;
}

}  // namespace toolwire::system
