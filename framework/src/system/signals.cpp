#include <toolwire/system/signals.hpp>

#include <unistd.h>

#include <csignal>

namespace toolwire::system {
namespace {

int number_of(Signal signal) {
  switch (signal) {
    case Signal::terminate:
      return SIGTERM;
    case Signal::interrupt:
      return SIGINT;
    case Signal::hangup:
      return SIGHUP;
    case Signal::broken_pipe:
      break;
  }
  return SIGPIPE;
}

sigset_t set_of(std::initializer_list<Signal> signals) {
  sigset_t set;
  ::sigemptyset(&set);
  for (const Signal signal : signals) ::sigaddset(&set, number_of(signal));
  return set;
}

}  // namespace

void block_signals(std::initializer_list<Signal> signals) {
  const sigset_t set = set_of(signals);
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

void unblock_signals(std::initializer_list<Signal> signals) {
  const sigset_t set = set_of(signals);
  ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void wait_for_signal(std::initializer_list<Signal> signals) {
  const sigset_t set = set_of(signals);
  int came = 0;
  ::sigwait(&set, &came);
}

void send_to_this_process(Signal signal) { ::kill(::getpid(), number_of(signal)); }

void ignore_signal(Signal signal) { std::signal(number_of(signal), SIG_IGN); }

}  // namespace toolwire::system
