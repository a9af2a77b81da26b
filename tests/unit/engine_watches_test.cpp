// One set of threads for descriptors, points in time, jobs and servers of a program.
#include <toolwire/client.hpp>
#include <toolwire/engine.hpp>
#include <toolwire/server.hpp>

#define BOOST_TEST_MODULE engine_watches_test
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <toolwire/system/file_descriptor.hpp>
#include <vector>

#include "engine/engine.hpp"
#include "gates.hpp"
#include "scratch_folder.hpp"
#include "system/poller.hpp"

using namespace std::chrono_literals;
using namespace toolwire;
using toolwire::system::FileDescriptor;
using toolwire_test::Gates;
using toolwire_test::ScratchFolder;

namespace {

constexpr std::chrono::seconds patience{30};

struct Pipe {
  Pipe() {
    int ends[2];
    BOOST_REQUIRE(::pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
    out = FileDescriptor{ends[0]};
    in = FileDescriptor{ends[1]};
  }
  void write(char byte) const { BOOST_REQUIRE(::write(in.get(), &byte, 1) == 1); }
  char read() const {
    char byte = '\0';
    return ::read(out.get(), &byte, 1) == 1 ? byte : '\0';
  }
  FileDescriptor out;
  FileDescriptor in;
};

/// Set once, from any thread.
class Signal {
 public:
  void set() { promise_.set_value(); }
  bool comes() { return future_.wait_for(patience) == std::future_status::ready; }

 private:
  std::promise<void> promise_;
  std::future<void> future_ = promise_.get_future();
};

/// All that was posted before has run, as long as none of it lasts.
bool has_caught_up(Engine& engine) {
  Signal last;
  engine.post([&] { last.set(); });
  return last.comes();
}

int threads_of_this_process() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("Threads:")) return std::stoi(line.substr(8));
  }
  return 0;
}

struct Listening {
  explicit Listening(const std::shared_ptr<Engine>& engine) : server({"listening", "1"}, {.engine = engine}) {
    server.tool("ping", "Answers", [] { return "pong"; });
    server.tool("hold", "Waits until it is told to go on", [this](Context& context) {
      gates.open("held");
      return gates.wait("go on", context.stop_token()) ? "went on" : "stopped";
    });
    server.listen(UnixSocket{path()});
  }
  ~Listening() { end(); }

  std::string path() const { return (folder / "socket").string(); }
  void run() {
    running = std::thread([this] { server.run(); });
  }
  void end() {
    server.stop();
    if (running.joinable()) running.join();
  }
  std::unique_ptr<Client> client() const { return std::make_unique<Client>(connect_unix_socket(path())); }

  ScratchFolder folder;
  Gates gates;
  Server server;
  std::thread running;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_handler_is_called_as_long_as_its_descriptor_is_ready) {
  const Pipe pipe;
  std::string read;
  Signal done;
  Engine engine;
  for (const char byte : {'a', 'b', 'c'}) pipe.write(byte);
  const Engine::Watch watch = engine.watch(pipe.out.get(), Engine::readable, [&](unsigned ready_for) {
    if (ready_for == Engine::readable) read += pipe.read();
    if (read.size() == 3) done.set();
  });
  BOOST_TEST(done.comes());
  BOOST_TEST(read == "abc");
}

BOOST_AUTO_TEST_CASE(that_something_can_be_written_and_that_the_other_end_is_gone_are_told) {
  Pipe pipe;
  Gates gates;
  Signal writable;
  Signal gone;
  Engine engine;
  Engine::Watch writing;
  Engine::Watch reading;
  writing = engine.watch(pipe.in.get(), Engine::writable, [&](unsigned ready_for) {
    gates.wait("watched", {});
    writing.end();
    if (ready_for == Engine::writable) writable.set();
  });
  reading = engine.watch(pipe.out.get(), Engine::readable, [&](unsigned) {
    reading.end();
    gone.set();
  });
  gates.open("watched");
  BOOST_TEST(writable.comes());
  pipe.in.reset();
  BOOST_TEST(gone.comes());
}

BOOST_AUTO_TEST_CASE(a_slow_handler_is_called_once_at_a_time_and_holds_up_nobody_else) {
  const Pipe slow;
  const Pipe quick;
  Gates gates;
  std::atomic<int> inside{0};
  std::atomic<int> calls{0};
  std::atomic<bool> at_once{false};
  Signal second_call;
  Signal other;
  Engine engine({.threads = 1});
  const Engine::Watch slow_watch = engine.watch(slow.out.get(), Engine::readable, [&](unsigned) {
    at_once = at_once || ++inside > 1;
    if (++calls == 1) {
      gates.open("inside");
      gates.wait("go on", {});
    }
    slow.read();
    --inside;
    if (calls == 2) second_call.set();
  });
  const Engine::Watch quick_watch = engine.watch(quick.out.get(), Engine::readable, [&](unsigned) {
    quick.read();
    other.set();
  });
  slow.write('1');
  gates.wait("inside", {});
  slow.write('2');
  quick.write('x');
  BOOST_TEST(other.comes());
  BOOST_TEST(calls == 1);
  gates.open("go on");
  BOOST_TEST(second_call.comes());
  BOOST_TEST(!at_once);
}

BOOST_AUTO_TEST_CASE(whoever_ends_a_watch_waits_for_its_call_and_there_is_no_further_one) {
  const Pipe pipe;
  Gates gates;
  std::atomic<int> calls{0};
  std::atomic<bool> is_inside{false};
  auto held = std::make_shared<int>(1);
  const std::weak_ptr<int> holds = held;
  Engine engine;
  Engine::Watch watch = engine.watch(pipe.out.get(), Engine::readable, [&, held = std::move(held)](unsigned) {
    is_inside = true;
    calls += *held;
    gates.open("inside");
    gates.wait("go on", {});
    is_inside = false;
  });
  pipe.write('x');  // never read, so that it would be called again and again
  gates.wait("inside", {});
  int calls_at_end = 0;
  auto ended = std::async(std::launch::async, [&] {
    gates.open("is about to end it");
    watch.end();
    calls_at_end = calls;
    return !is_inside && holds.expired();
  });
  gates.wait("is about to end it", {});
  gates.open("go on");
  BOOST_TEST(ended.get());
  BOOST_TEST(has_caught_up(engine));
  BOOST_TEST(calls == calls_at_end);
}

BOOST_AUTO_TEST_CASE(a_watch_that_ends_in_its_own_call_lets_go_what_it_holds) {
  const Pipe pipe;
  auto held = std::make_shared<int>(1);
  const std::weak_ptr<int> holds = held;
  std::atomic<int> calls{0};
  std::atomic<bool> is_made{false};  // the thread sanitizer does not see that reading the pipe comes after it
  Signal ended;
  Engine engine;
  Engine::Watch watch;
  watch = engine.watch(pipe.out.get(), Engine::readable, [&, held = std::move(held)](unsigned) {
    calls += *held;
    if (is_made) watch.end();
    ended.set();
  });
  is_made = true;
  pipe.write('x');
  BOOST_TEST(ended.comes());
  while (!holds.expired()) std::this_thread::sleep_for(1ms);
  BOOST_TEST(has_caught_up(engine));
  BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE(an_event_that_is_out_of_date_does_not_reach_who_has_the_number_of_the_descriptor_now) {
  const Pipe one;
  const Pipe two;
  const Pipe other;
  const Pipe both_at_once;
  std::atomic<int> calls{0};
  std::atomic<int> strays{0};
  Signal called;
  Engine engine({.threads = 1});
  Engine::Watch watch_of_one;
  Engine::Watch watch_of_two;
  Engine::Watch later[2];
  // Whichever is called first puts both numbers to another use.
  const auto handler = [&](unsigned) {
    ++calls;
    watch_of_one.end();
    watch_of_two.end();
    ::dup2(other.out.get(), one.out.get());
    ::dup2(other.out.get(), two.out.get());
    later[0] = engine.watch(one.out.get(), Engine::readable, [&](unsigned) { ++strays; });
    later[1] = engine.watch(two.out.get(), Engine::readable, [&](unsigned) { ++strays; });
    called.set();
  };
  watch_of_one = engine.watch(one.out.get(), Engine::readable, handler);
  watch_of_two = engine.watch(two.out.get(), Engine::readable, handler);
  const Engine::Watch start = engine.watch(both_at_once.out.get(), Engine::readable, [&](unsigned) {
    both_at_once.read();
    for (const Pipe* pipe : {&one, &two}) {
      [[maybe_unused]] const auto written = ::write(pipe->in.get(), "x", 1);
    }
  });
  both_at_once.write('x');
  BOOST_TEST(called.comes());
  BOOST_TEST(has_caught_up(engine));
  BOOST_TEST(calls == 1);
  BOOST_TEST(strays == 0);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_waited_for_or_is_waited_for_already_is_refused) {
  const ScratchFolder folder;
  const FileDescriptor file{::open(folder.file("a", "text").c_str(), O_RDONLY | O_CLOEXEC)};
  const Pipe pipe;
  Engine engine;
  const auto nothing = [](unsigned) {};
  BOOST_CHECK_THROW((void)engine.watch(file.get(), Engine::readable, nothing), std::invalid_argument);
  BOOST_CHECK_THROW((void)engine.watch(-1, Engine::readable, nothing), std::invalid_argument);
  BOOST_CHECK_THROW((void)engine.watch(pipe.out.get(), 0, nothing), std::invalid_argument);
  Engine::Watch watch = engine.watch(pipe.out.get(), Engine::readable, nothing);
  BOOST_CHECK_THROW((void)engine.watch(pipe.out.get(), Engine::readable, nothing), std::invalid_argument);
  watch.end();
  BOOST_CHECK_NO_THROW((void)engine.watch(pipe.out.get(), Engine::readable, nothing));
  BOOST_CHECK_THROW(Engine({.threads = 0}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(jobs_run_in_their_order_on_one_thread_and_may_post_jobs) {
  std::vector<int> order;
  Signal last;
  Engine engine({.threads = 1});
  for (int i = 0; i < 100; ++i) engine.post([&order, i] { order.push_back(i); });
  engine.post([&] { engine.post([&] { last.set(); }); });
  BOOST_TEST(last.comes());
  BOOST_REQUIRE(order.size() == 100U);
  for (int i = 0; i < 100; ++i) BOOST_TEST(order[static_cast<std::size_t>(i)] == i);
}

BOOST_AUTO_TEST_CASE(what_is_due_runs_in_the_order_of_its_time_unless_it_is_cancelled) {
  std::vector<int> order;
  Signal last;
  Engine engine({.threads = 1});
  engine.after(30ms, [&] { last.set(); });
  engine.after(20ms, [&] { order.push_back(2); });
  engine.cancel(engine.after(15ms, [&] { order.push_back(0); }));
  engine.after(10ms, [&] { order.push_back(1); });
  BOOST_TEST(last.comes());
  BOOST_TEST(order == (std::vector<int>{1, 2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_job_that_takes_its_time_holds_up_neither_descriptors_nor_other_jobs) {
  const Pipe pipe;
  Signal may_end;
  Signal ended;
  Engine engine({.threads = 2});
  const Engine::Watch watch = engine.watch(pipe.out.get(), Engine::readable, [&](unsigned) {
    pipe.read();
    engine.after(1ms, [&] { may_end.set(); });
  });
  engine.post([&] {
    if (may_end.comes()) ended.set();
  });
  pipe.write('x');
  BOOST_TEST(ended.comes());
}

BOOST_AUTO_TEST_CASE(the_end_waits_for_what_runs_and_drops_what_waits) {
  auto held = std::make_shared<int>(1);
  const std::weak_ptr<int> holds = held;
  std::atomic<bool> ended{false};
  std::atomic<bool> strays{false};
  {
    Signal began;
    Engine engine({.threads = 1});
    engine.post([&] {
      began.set();
      std::this_thread::yield();
      ended = true;
    });
    BOOST_TEST(began.comes());
    engine.after(1h, [&, held = std::move(held)] { strays = *held == 1; });
  }
  BOOST_TEST(ended);
  BOOST_TEST(!strays);
  BOOST_TEST(holds.expired());
}

BOOST_AUTO_TEST_CASE(an_engine_whose_last_share_is_dropped_by_one_of_its_jobs_ends_all_the_same) {
  const int before = threads_of_this_process();
  Signal dropped;
  auto engine = std::make_shared<Engine>();
  std::promise<void> is_alone;
  engine->post([&, share = engine, alone = is_alone.get_future().share()]() mutable {
    alone.wait();
    share.reset();
    dropped.set();
  });
  engine.reset();
  is_alone.set_value();
  BOOST_TEST(dropped.comes());
  while (threads_of_this_process() > before) std::this_thread::sleep_for(1ms);
}

BOOST_AUTO_TEST_CASE(a_watch_may_outlive_its_engine) {
  const Pipe pipe;
  Engine::Watch watch;
  {
    Engine engine;
    watch = engine.watch(pipe.out.get(), Engine::readable, [](unsigned) {});
  }
  watch.end();
}

BOOST_AUTO_TEST_CASE(its_threads_take_no_signals_whoever_makes_them_start) {
  sigset_t before;
  BOOST_REQUIRE(::pthread_sigmask(SIG_SETMASK, nullptr, &before) == 0);
  BOOST_REQUIRE(!::sigismember(&before, SIGTERM));
  Gates gates;
  std::atomic<int> blocking{0};
  std::atomic<int> looked{0};
  Engine engine({.threads = 4});
  for (int i = 0; i < 4; ++i) {  // each waits for the others, so that each has a thread of its own
    engine.post([&] {
      sigset_t mask;
      ::pthread_sigmask(SIG_SETMASK, nullptr, &mask);
      blocking += ::sigismember(&mask, SIGTERM) && ::sigismember(&mask, SIGPIPE) ? 1 : 0;
      if (++looked == 4) gates.open("all have looked");
      gates.wait("all have looked", {});
    });
  }
  gates.wait("all have looked", {});
  BOOST_TEST(blocking == 4);
}

BOOST_AUTO_TEST_CASE(a_server_and_what_else_a_program_waits_for_share_the_threads) {
  const Pipe pipe;
  Signal handled;
  const auto engine = std::make_shared<Engine>();
  const Engine::Watch watch = engine->watch(pipe.out.get(), Engine::readable, [&](unsigned) {
    pipe.read();
    handled.set();
  });
  Listening listening(engine);
  listening.run();
  const auto holding = listening.client();
  const auto pinging = listening.client();
  auto held = std::async(std::launch::async, [&] { return holding->call("hold").text(); });
  listening.gates.wait("held", {});
  BOOST_TEST(pinging->call("ping").text() == "pong");
  pipe.write('x');
  BOOST_TEST(handled.comes());
  BOOST_TEST(has_caught_up(*engine));
  listening.gates.open("go on");
  BOOST_TEST(held.get() == "went on");
}

BOOST_AUTO_TEST_CASE(serving_ends_and_the_engine_goes_on_and_serves_the_next) {
  const auto engine = std::make_shared<Engine>();
  for (int round = 0; round < 3; ++round) {
    Listening listening(engine);
    listening.run();
    const auto client = listening.client();
    BOOST_TEST(client->call("ping").text() == "pong");
    listening.end();
    BOOST_TEST(has_caught_up(*engine));
  }
}

BOOST_AUTO_TEST_CASE(a_tool_that_runs_when_the_server_is_stopped_is_told_and_waited_for) {
  const auto engine = std::make_shared<Engine>();
  Listening listening(engine);
  listening.run();
  const auto client = listening.client();
  auto held = std::async(std::launch::async, [&] {
    try {
      return client->call("hold").text();
    } catch (const std::exception& error) {
      return std::string("lost");
    }
  });
  listening.gates.wait("held", {});
  listening.end();
  held.get();
  BOOST_TEST(has_caught_up(*engine));
}

BOOST_AUTO_TEST_CASE(an_engine_serves_one_server_at_a_time) {
  const auto engine = std::make_shared<Engine>();
  Listening listening(engine);
  listening.run();
  const auto client = listening.client();
  BOOST_TEST(client->call("ping").text() == "pong");
  Listening other(engine);
  BOOST_CHECK_THROW(other.server.run(), std::logic_error);
}

BOOST_AUTO_TEST_CASE(deadlines_do_not_wait_until_tools_make_room) {
  const auto engine = std::make_shared<Engine>(EngineOptions{.threads = 1});
  Listening listening(engine);
  listening.run();
  const auto client = listening.client();
  auto held = std::async(std::launch::async, [&] { return client->call("hold").text(); });
  listening.gates.wait("held", {});
  engine->after(1ms, [&] { listening.gates.open("go on"); });
  BOOST_TEST(held.get() == "went on");
}

BOOST_AUTO_TEST_CASE(what_a_watch_waits_for_can_change) {
  const auto engine = engine::Engine::make({.threads = 2, .stands = true});
  engine->start();
  const Pipe pipe;
  pipe.write('1');
  std::atomic<int> calls = 0;
  const std::uint64_t id = engine->watch(pipe.out.get(), system::Poller::hang_up, [&](unsigned what) {
    if ((what & system::Poller::input) == 0) return;
    pipe.read();
    ++calls;
  });
  BOOST_REQUIRE(id != 0);
  const auto becomes = [&](int count) {
    const auto until = std::chrono::steady_clock::now() + patience;
    while (calls != count && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(1ms);
    return calls == count;
  };
  std::this_thread::sleep_for(20ms);
  BOOST_TEST(calls == 0);
  engine->rewatch(id, system::Poller::input);
  BOOST_TEST(becomes(1));
  engine->rewatch(id, system::Poller::nothing);
  pipe.write('2');
  std::this_thread::sleep_for(20ms);
  BOOST_TEST(calls == 1);
  engine->rewatch(id, system::Poller::input);
  BOOST_TEST(becomes(2));
  engine->unwatch(id);
  engine->rewatch(id, system::Poller::input);  // which nobody has any more
  engine->end();
}

/// One who is inside of a call that lasts is not called a second time, whatever is waited for meanwhile.
BOOST_AUTO_TEST_CASE(a_change_during_a_call_that_lasts_makes_no_second_one) {
  const auto engine = engine::Engine::make({.threads = 4, .stands = true});
  engine->start();
  const Pipe pipe;
  Gates gates;
  std::atomic<int> inside = 0, most = 0, calls = 0;
  const std::uint64_t id = engine->watch(pipe.out.get(), system::Poller::input, [&](unsigned) {
    most = std::max(most.load(), ++inside);
    if (calls == 0) {
      gates.open("begun");
      gates.wait("go on", {});
    }
    pipe.read();
    ++calls;
    --inside;
  });
  pipe.write('1');
  pipe.write('2');
  gates.wait("begun", {});
  std::this_thread::sleep_for(20ms);  // another driver has taken over
  engine->rewatch(id, system::Poller::nothing);
  engine->rewatch(id, system::Poller::input);
  engine->rewatch(id, system::Poller::input | system::Poller::hang_up);
  std::this_thread::sleep_for(20ms);
  gates.open("go on");
  const auto until = std::chrono::steady_clock::now() + patience;
  while (calls < 2 && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(1ms);
  BOOST_TEST(calls == 2);
  BOOST_TEST(most == 1);
  engine->end();
}

/// Work that is posted by a watch wakes nobody, as the driver comes to it by itself; unless it does not come back.
BOOST_AUTO_TEST_CASE(what_a_watch_posts_runs_although_its_call_lasts) {
  Engine engine({.threads = 2});
  const Pipe pipe;
  std::atomic<int> calls = 0;
  std::atomic<bool> all_ran = true;
  Signal last;
  const auto watch = engine.watch(pipe.out.get(), Engine::readable, [&](unsigned) {
    pipe.read();
    const auto ran = std::make_shared<Signal>();
    engine.post([ran] { ran->set(); });
    if (!ran->comes()) all_ran = false;
    if (++calls == 20) last.set();
  });
  for (int i = 0; i < 20; ++i) pipe.write('1');
  BOOST_TEST(last.comes());
  BOOST_TEST(all_ran);
}
