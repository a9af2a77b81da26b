#include "driver/interruption.hpp"

#include <unistd.h>

#include <csignal>
#include <thread>

#include "driver/descendants.hpp"

namespace toolwire::conformance {
namespace {

/// Servers have sessions of their own, so the terminal's signals do not reach them; nor would our destructors run.
[[noreturn]] void end_all(int number) {
  kill_descendants(::getpid(), "");
  std::signal(number, SIG_DFL);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, number);
  ::pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
  ::raise(number);
  ::_exit(128 + number);
}

}  // namespace

void clean_up_when_interrupted() {
  static sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, number);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([] {
    int number = 0;
    if (::sigwait(&signals, &number) == 0) end_all(number);
  }).detach();
}

}  // namespace toolwire::conformance
