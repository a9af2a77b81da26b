// Inputs that belong to others, read by an engine while it is there.
#include "engine/guests.hpp"

#define BOOST_TEST_MODULE engine_guests_test
#include <fcntl.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <string>
#include <thread>
#include <utility>

#include "engine/engine.hpp"
#include "gates.hpp"
#include "line_peer.hpp"

using namespace std::chrono_literals;
using toolwire::engine::Engine;
using toolwire::engine::Guest;
using toolwire::engine::Host;
using toolwire::system::FileDescriptor;
using toolwire_test::LinePeer;

namespace {

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

/// An input with a thread that lends it when told to.
class Lent final : public Guest {
 public:
  ~Lent() override {
    if (thread_.joinable()) thread_.join();
  }
  void lend() {
    if (thread_.joinable()) thread_.join();
    std::promise<void> done;
    back = done.get_future();
    thread_ = std::thread{[this, done = std::move(done)]() mutable {
      Host::of_process().lend(*this, {pipe.out.get(), -1, -1});
      done.set_value();
    }};
  }
  bool is_back() const { return back.wait_for(0s) == std::future_status::ready; }
  bool read_along() override {
    const char byte = pipe.read();
    const bool well = on_byte ? on_byte(byte) : byte != '\0';
    ++bytes;
    return well;
  }
  bool expects_something() const override { return expects; }

  Pipe pipe;
  std::atomic<bool> expects{false};
  std::atomic<int> bytes{0};  // read by an engine: the thread above reads none
  std::function<bool(char)> on_byte;
  std::future<void> back;

 private:
  std::thread thread_;
};

/// An engine that reads one peer, whose lines it answers.
struct Bench {
  Bench() {
    own.attach();
    running = std::thread{[this] { engine->run(); }};
    ping();
  }
  ~Bench() { end(); }
  void ping() { BOOST_TEST(is_answered()); }
  /// The checks of Boost are for one thread only.
  bool is_answered() {
    own.say("ping\n");
    return own.hear() == "ping";
  }
  /// Has the engine read a byte, which takes some turns: where nothing is expected it looks at a guest now and then.
  void read(Lent& guest, char byte) {
    const int before = guest.bytes;
    guest.lend();
    guest.pipe.write(byte);
    for (int turns = 0; guest.bytes == before; ++turns) {
      BOOST_REQUIRE(turns < 10'000);
      if (guest.is_back()) guest.lend();  // all was quiet
      ping();
    }
  }
  void end() {
    own.end_input();
    if (running.joinable()) running.join();
  }

  const std::shared_ptr<Engine> engine = Engine::make({.threads = 2, .drain = 10min, .grace = 10min});
  LinePeer own{engine, [](LinePeer& peer, const std::string& line) { peer.answer(line); }};
  std::thread running;
  toolwire_test::Gates gates;
};

}  // namespace

BOOST_AUTO_TEST_CASE(guests_are_read_by_the_engine_until_it_ends) {
  Bench bench;
  Lent guest;
  Lent other;
  bench.read(guest, 'a');
  bench.read(other, 'b');
  bench.read(guest, 'c');
  bench.end();
  guest.back.get();
  other.back.get();
}

BOOST_AUTO_TEST_CASE(a_guest_in_which_nothing_is_found_goes_back_to_its_own_thread) {
  Bench bench;
  Lent guest;
  guest.on_byte = [](char) { return false; };
  bench.read(guest, 'a');
  guest.back.get();
  guest.pipe.write('b');  // nobody's business here any more
  for (int turns = 0; turns < 30; ++turns) bench.ping();
  BOOST_TEST(guest.bytes == 1);
}

BOOST_AUTO_TEST_CASE(a_guest_stays_with_its_own_thread_where_there_is_no_engine) {
  Lent guest;
  guest.lend();
  guest.back.get();
}

BOOST_AUTO_TEST_CASE(a_guest_can_be_called_back) {
  Bench bench;
  Lent guest;
  Lent other;
  bench.read(guest, 'a');
  bench.read(other, 'b');
  Host::of_process().recall(guest);
  guest.back.get();
  guest.pipe.write('c');
  for (int turns = 0; turns < 30; ++turns) bench.ping();
  BOOST_TEST(guest.bytes == 1);
}

BOOST_AUTO_TEST_CASE(a_guest_whose_reader_is_stuck_goes_back_once_it_is_free_and_holds_nobody_up) {
  Bench bench;
  Lent guest;
  guest.on_byte = [&](char) {
    bench.gates.open("stuck");
    bench.gates.wait("go on", {});
    return true;
  };
  guest.pipe.write('a');
  std::thread traffic{[&] {
    while (guest.bytes == 0 && bench.is_answered()) {  // the engine has another driver
    }
  }};
  for (bool stuck = false; !stuck;) {
    guest.lend();
    stuck = guest.back.wait_for(5ms) == std::future_status::timeout && bench.gates.wait("stuck", {});
  }
  guest.pipe.write('b');
  BOOST_TEST(!guest.is_back());
  bench.gates.open("go on");
  guest.back.get();
  traffic.join();
  bench.ping();
}

BOOST_AUTO_TEST_CASE(a_guest_of_which_something_is_expected_is_read_by_somebody) {
  std::function<void()> tick;
  Bench bench;
  // With timers that are always due soon it is never quiet, when guests would be given back in any case.
  tick = [&] { bench.own.channel->at(std::chrono::steady_clock::now() + 500us, tick); };
  tick();
  for (int round = 0; round < 200; ++round) {
    Lent guest;
    guest.lend();
    if (round % 2 == 0) bench.ping();
    guest.expects = true;
    Host::of_process().expect(guest);
    guest.pipe.write('a');
    const auto limit = std::chrono::steady_clock::now() + 30s;
    while (guest.bytes == 0 && !guest.is_back()) {
      BOOST_REQUIRE(std::chrono::steady_clock::now() < limit);
      std::this_thread::yield();
    }
    Host::of_process().recall(guest);
    guest.back.get();
  }
}

BOOST_AUTO_TEST_CASE(guests_are_with_their_own_threads_while_all_is_quiet) {
  Bench bench;
  Lent guest;
  bench.read(guest, 'a');
  guest.back.get();
  guest.lend();
  guest.back.get();
  bench.read(guest, 'b');
}

BOOST_AUTO_TEST_CASE(a_guest_that_comes_when_all_has_been_quiet_for_long_is_left_with_its_own_thread) {
  Bench bench;
  for (int round = 0; round < 4; ++round) {
    std::this_thread::sleep_for(round * 40ms);  // the engine may have gone to sleep without any guest
    Lent guest;
    guest.lend();
    guest.back.get();
    bench.ping();
  }
}

BOOST_AUTO_TEST_CASE(one_engine_at_a_time_has_guests) {
  Lent guest;
  {
    Bench first;
    const Bench second;
    first.read(guest, 'a');
    first.end();
    guest.back.get();
    guest.lend();  // the second was there before there was room for it
    guest.back.get();
  }
  Bench third;
  third.read(guest, 'b');
}
