#include "driver/interruption.hpp"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "driver/descendants.hpp"
#include "driver/temporary.hpp"

namespace toolwire::conformance {
namespace {

// A signal handler reaches nothing else. NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<bool> reports_when_interrupted{false};
std::atomic<bool> interrupted{false};
std::atomic<bool> is_ended_by_signal{false};
std::atomic<RunEnd> noticed{RunEnd::none};
std::atomic<Clock::rep> end_of_budget{Clock::time_point::max().time_since_epoch().count()};
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

/// Servers have sessions of their own, so the terminal's signals do not reach them; nor would our destructors run.
[[noreturn]] void end_all(int number) {
  is_ended_by_signal = true;
  // Other threads still run: what has its folder may write into it, or start a process, once more.
  constexpr int rounds = 100;
  bool is_clean = false;
  for (int round = 0; round < rounds && !is_clean; ++round) {
    kill_descendants(::getpid(), "");
    is_clean = !remove_temporaries();
  }
  kill_descendants(::getpid(), "");
  std::signal(number, SIG_DFL);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, number);
  ::pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
  ::raise(number);
  ::_exit(128 + number);
}

/// What runs this program often passes a signal on that a terminal has sent to both: the second is no other wish.
void wait_for_signals(const sigset_t& signals) {
  constexpr std::chrono::milliseconds same_wish{300};
  Clock::time_point asked;
  for (int number = 0; ::sigwait(&signals, &number) == 0;) {
    const bool is_passed_on = interrupted && Clock::now() - asked < same_wish;
    const bool only_asks = number == SIGINT && reports_when_interrupted && (!interrupted || is_passed_on);
    if (!only_asks) end_all(number);
    if (!interrupted) asked = Clock::now();
    interrupted = true;
  }
}

}  // namespace

void clean_up_when_interrupted() {
  static sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, number);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  // A run whose servers were ended is over soon, which is not how this program ends.
  std::atexit([] {
    while (is_ended_by_signal) ::pause();
  });
  std::thread([] { wait_for_signals(signals); }).detach();
}

void report_when_interrupted() { reports_when_interrupted = true; }

void end_run_at(Clock::time_point time) { end_of_budget = time.time_since_epoch().count(); }

RunEnd run_end() {
  const bool over = Clock::now().time_since_epoch().count() >= end_of_budget;
  const RunEnd end = interrupted ? RunEnd::signal : over ? RunEnd::budget : RunEnd::none;
  if (end != RunEnd::none) noticed = end;
  return end;
}

RunEnd noticed_run_end() { return noticed; }

std::string_view text_of(RunEnd end) {
  switch (end) {
    case RunEnd::signal:
      return "it was interrupted";
    case RunEnd::budget:
      return "its time was over";
    case RunEnd::none:
      break;
  }
  return "";
}

}  // namespace toolwire::conformance
