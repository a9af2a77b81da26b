#include <toolwire/system/signals.hpp>

#define BOOST_TEST_MODULE signals_test
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <thread>
#include <toolwire/system/signals_blocked.hpp>

using namespace toolwire::system;

namespace {

bool is_blocked(int number) {
  sigset_t now;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &now);
  return ::sigismember(&now, number) == 1;
}

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

BOOST_AUTO_TEST_CASE(an_ignored_signal_does_nothing) {
  const auto before = std::signal(SIGPIPE, SIG_DFL);
  ignore_signal(Signal::broken_pipe);
  ::raise(SIGPIPE);
  BOOST_TEST((std::signal(SIGPIPE, before) == SIG_IGN));
}
