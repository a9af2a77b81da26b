#include <toolwire/detail/event_loop.hpp>

#define BOOST_TEST_MODULE event_loop_test
#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <future>
#include <vector>

namespace {

using toolwire::EventLoop;
using toolwire::system::FileDescriptor;

constexpr std::chrono::seconds patience{30};

struct Pipe {
  Pipe() {
    int ends[2];
    BOOST_REQUIRE(::pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
    out.reset(ends[0]);
    in.reset(ends[1]);
  }
  FileDescriptor out;
  FileDescriptor in;
};

bool comes(std::future<void> signal) { return signal.wait_for(patience) == std::future_status::ready; }

}  // namespace

BOOST_AUTO_TEST_CASE(jobs_run_in_the_order_of_posting_on_a_thread_of_the_engine) {
  std::vector<int> seen;
  std::thread::id thread = std::this_thread::get_id();
  std::promise<void> ran;
  EventLoop loop;
  for (int i = 0; i < 100; ++i) loop.post([&seen, i] { seen.push_back(i); });
  loop.post([&] {
    thread = std::this_thread::get_id();
    ran.set_value();
  });
  BOOST_REQUIRE(comes(ran.get_future()));
  BOOST_TEST((thread != std::this_thread::get_id()));
  BOOST_REQUIRE(seen.size() == 100U);
  for (int i = 0; i < 100; ++i) BOOST_TEST(seen[static_cast<std::size_t>(i)] == i);
}

BOOST_AUTO_TEST_CASE(a_job_may_post_a_job) {
  std::promise<void> ran;
  EventLoop loop;
  loop.post([&] { loop.post([&] { ran.set_value(); }); });
  BOOST_TEST(comes(ran.get_future()));
}

BOOST_AUTO_TEST_CASE(stopping_twice_is_stopping_once) {
  EventLoop loop;
  loop.stop();
  loop.stop();
}

BOOST_AUTO_TEST_CASE(timers_run_in_the_order_of_their_times_unless_cancelled) {
  std::vector<int> seen;
  std::promise<void> last;
  EventLoop loop;
  loop.post([&] {
    const auto now = EventLoop::Clock::now();
    loop.at(now + std::chrono::milliseconds(4), [&] { last.set_value(); });
    loop.at(now + std::chrono::milliseconds(3), [&] { seen.push_back(3); });
    const auto cancelled = loop.at(now + std::chrono::milliseconds(2), [&] { seen.push_back(2); });
    loop.at(now + std::chrono::milliseconds(1), [&] { seen.push_back(1); });
    loop.cancel(cancelled);
  });
  BOOST_REQUIRE(comes(last.get_future()));
  BOOST_TEST(seen == (std::vector<int>{1, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_handler_is_called_while_its_event_is_there) {
  Pipe pipe;
  std::promise<void> closed;
  std::string read;
  EventLoop loop;
  loop.post([&] {
    loop.watch(pipe.out.get(), toolwire::system::ready::to_read, [&](std::uint32_t) {
      char byte = 0;
      if (::read(pipe.out.get(), &byte, 1) == 1) {
        read.push_back(byte);
        return;
      }
      loop.unwatch(pipe.out.get());
      closed.set_value();
    });
  });
  BOOST_REQUIRE(::write(pipe.in.get(), "abc", 3) == 3);
  pipe.in.reset();
  BOOST_REQUIRE(comes(closed.get_future()));
  BOOST_TEST(read == "abc");
}

BOOST_AUTO_TEST_CASE(an_event_that_is_no_longer_waited_for_is_dropped) {
  Pipe one;
  Pipe two;
  int calls = 0;
  std::promise<void> called;
  BOOST_REQUIRE(::write(one.in.get(), "x", 1) == 1);
  BOOST_REQUIRE(::write(two.in.get(), "x", 1) == 1);
  EventLoop loop;
  loop.post([&] {
    const auto handler = [&](std::uint32_t) {
      ++calls;
      loop.unwatch(one.out.get());  // both events are of the same round: whichever comes first ends the other
      loop.unwatch(two.out.get());
      called.set_value();
    };
    loop.watch(one.out.get(), toolwire::system::ready::to_read, handler);
    loop.watch(two.out.get(), toolwire::system::ready::to_read, handler);
  });
  BOOST_REQUIRE(comes(called.get_future()));
  loop.stop();
  BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE(the_handler_of_a_borrowed_one_is_called_while_its_event_is_there) {
  Pipe pipe;
  std::promise<void> closed;
  std::string read;
  EventLoop loop;
  loop.post([&] {
    loop.watch_borrowed(pipe.out.get(), toolwire::system::ready::to_read, [&](std::uint32_t) {
      char byte = 0;
      if (::read(pipe.out.get(), &byte, 1) == 1) return read.push_back(byte);
      loop.forget(pipe.out.get());
      closed.set_value();
    });
  });
  BOOST_REQUIRE(::write(pipe.in.get(), "abc", 3) == 3);
  pipe.in.reset();
  BOOST_REQUIRE(comes(closed.get_future()));
  BOOST_TEST(read == "abc");
}

BOOST_AUTO_TEST_CASE(what_was_forgotten_is_not_handled_and_can_be_waited_for_again) {
  Pipe pipe;
  int calls = 0;
  std::promise<void> called;
  BOOST_REQUIRE(::write(pipe.in.get(), "x", 1) == 1);
  EventLoop loop;
  loop.post([&] {
    loop.watch_borrowed(pipe.out.get(), toolwire::system::ready::to_read, [&](std::uint32_t) { ++calls; });
    loop.forget(pipe.out.get());
    loop.at(EventLoop::Clock::now() + std::chrono::milliseconds(20), [&] {
      loop.watch_borrowed(pipe.out.get(), toolwire::system::ready::to_read, [&](std::uint32_t) {
        loop.forget(pipe.out.get());
        called.set_value();
      });
    });
  });
  BOOST_REQUIRE(comes(called.get_future()));
  loop.stop();
  BOOST_TEST(calls == 0);
}

BOOST_AUTO_TEST_CASE(a_forgotten_descriptor_does_not_keep_the_loop_awake) {
  Pipe pipe;
  std::promise<void> waited;
  BOOST_REQUIRE(::write(pipe.in.get(), "x", 1) == 1);
  EventLoop loop;
  const auto used = [] {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  };
  const auto before = used();
  loop.post([&] {
    loop.watch_borrowed(pipe.out.get(), toolwire::system::ready::to_read, [](std::uint32_t) {});
    loop.forget(pipe.out.get());
    loop.at(EventLoop::Clock::now() + std::chrono::milliseconds(500), [&] { waited.set_value(); });
  });
  BOOST_REQUIRE(comes(waited.get_future()));
  BOOST_TEST((used() - before < std::chrono::milliseconds(250)));  // half a second, had it kept turning
}

BOOST_AUTO_TEST_CASE(a_descriptor_that_cannot_be_waited_for_is_refused) {
  std::promise<bool> watched;
  EventLoop loop;
  loop.post([&] { watched.set_value(loop.watch(-1, toolwire::system::ready::to_read, [](std::uint32_t) {})); });
  BOOST_TEST(!watched.get_future().get());
}

BOOST_AUTO_TEST_CASE(a_job_for_a_loop_that_has_ended_stays_with_the_caller) {
  EventLoop loop;
  loop.stop();
  bool ran = false;
  EventLoop::Job job = [&] { ran = true; };
  const bool posted = loop.post(std::move(job));
  BOOST_TEST(!posted);
  BOOST_REQUIRE(job != nullptr);  // NOLINT(bugprone-use-after-move): what is not posted is not moved
  job();
  BOOST_TEST(ran);
}

BOOST_AUTO_TEST_CASE(a_job_that_must_run_runs_on_the_callers_thread_once_the_loop_has_ended) {
  std::vector<std::thread::id> threads;
  std::promise<void> ran;
  EventLoop loop;
  loop.post_or_run([&] {
    threads.push_back(std::this_thread::get_id());
    ran.set_value();
  });
  BOOST_REQUIRE(comes(ran.get_future()));
  loop.stop();
  loop.post_or_run([&] { threads.push_back(std::this_thread::get_id()); });
  BOOST_REQUIRE(threads.size() == 2U);
  BOOST_TEST((threads[0] != std::this_thread::get_id()));
  BOOST_TEST((threads[1] == std::this_thread::get_id()));
}

BOOST_AUTO_TEST_CASE(jobs_that_a_last_job_posts_are_run) {
  int left = 100;
  std::function<void()> again;
  EventLoop loop;
  again = [&] {
    if (--left > 0) loop.post(EventLoop::Job(again));
  };
  loop.post(EventLoop::Job(again));
  loop.stop();
  BOOST_TEST(left == 0);
}
