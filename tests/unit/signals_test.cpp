#include <toolwire/system/signals.hpp>

#define BOOST_TEST_MODULE signals_test
#include <unistd.h>

#include <array>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <csignal>
#include <cstddef>
#include <thread>
#include <toolwire/system/end_by_signal.hpp>
#include <toolwire/system/signals_blocked.hpp>

using namespace toolwire::system;

namespace {

bool is_blocked(int number) {
  sigset_t now;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &now);
  return ::sigismember(&now, number) == 1;
}

/// Signals have their usual effect, whoever has started the test: a shell in the background ignores some.
struct UsualEffects {
  UsualEffects() {
    for (std::size_t i = 0; i < numbers.size(); ++i) before[i] = std::signal(numbers[i], SIG_DFL);
  }
  ~UsualEffects() {
    for (std::size_t i = 0; i < numbers.size(); ++i) std::signal(numbers[i], before[i]);
  }
  static constexpr std::array numbers{SIGTERM, SIGINT, SIGHUP, SIGQUIT};
  std::array<void (*)(int), numbers.size()> before{};
};

}  // namespace

BOOST_AUTO_TEST_CASE(blocked_signals_are_blocked_in_this_thread_and_those_it_starts) {
  const SignalsBlocked mask_is_put_back;
  sigset_t none;
  ::sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
  block_signals({Signal::hangup, Signal::broken_pipe});
  block_signals({Signal::terminate});
  std::thread([] {
    for (const int number : {SIGHUP, SIGPIPE, SIGTERM}) BOOST_TEST(is_blocked(number), number);
    BOOST_TEST(!is_blocked(SIGINT));
  }).join();
}

BOOST_AUTO_TEST_CASE(a_blocked_signal_is_waited_for) {
  const SignalsBlocked in_this_thread;
  ::raise(SIGINT);
  wait_for_signal({Signal::terminate, Signal::interrupt});
  std::thread([] { ::kill(::getpid(), SIGTERM); }).join();
  wait_for_signal({Signal::terminate, Signal::interrupt});
  sigset_t pending;
  ::sigpending(&pending);
  BOOST_TEST(::sigismember(&pending, SIGTERM) == 0);
}

BOOST_FIXTURE_TEST_CASE(signals_that_ask_to_end_are_held_unless_they_are_ignored, UsualEffects) {
  const SignalsBlocked mask_is_put_back;
  sigset_t none;
  ::sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
  std::signal(SIGHUP, SIG_IGN);
  {
    const EndingSignalsHeld held;
    for (const int number : {SIGTERM, SIGINT, SIGQUIT}) BOOST_TEST(is_blocked(number), number);
    BOOST_TEST(!is_blocked(SIGHUP));
    ::kill(::getpid(), SIGHUP);
    BOOST_TEST(!held.has_come());
    {
      const EndingSignalsHeld inner;
      ::kill(::getpid(), SIGQUIT);
    }
    BOOST_TEST(held.has_come());
    wait_for_ending_signal();
    BOOST_TEST(!held.has_come());
  }
  for (const int number : {SIGTERM, SIGINT, SIGQUIT}) BOOST_TEST(!is_blocked(number), number);
}

BOOST_FIXTURE_TEST_CASE(who_waits_for_a_signal_is_told_once_and_leaves_none_behind, UsualEffects) {
  const EndingSignalsHeld held;
  for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGQUIT, 0}) {
    std::atomic<int> told = 0;
    {
      const EndBySignal end([&] { ++told; });
      if (number != 0) ::kill(::getpid(), number);
      while (number != 0 && told == 0) std::this_thread::yield();
    }
    BOOST_TEST(told == (number == 0 ? 0 : 1));
    BOOST_TEST(!held.has_come());
  }
}

BOOST_AUTO_TEST_CASE(an_ignored_signal_does_nothing) {
  const auto before = std::signal(SIGPIPE, SIG_DFL);
  ignore_signal(Signal::broken_pipe);
  ::raise(SIGPIPE);
  BOOST_TEST((std::signal(SIGPIPE, before) == SIG_IGN));
}
