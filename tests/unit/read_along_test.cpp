#include "transport/read_along.hpp"

#define BOOST_TEST_MODULE read_along_test
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <functional>
#include <future>
#include <string>
#include <thread>
#include <utility>

#include "gates.hpp"

using toolwire::system::FileDescriptor;
using toolwire::transport::ReadableAtOnce;
using toolwire::transport::ReadAlong;
using What = ReadAlong::Ready::What;

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
class Lent final : public ReadAlong::Input {
 public:
  explicit Lent(ReadAlong& along) : wish_{along}, along_{along} {}
  ~Lent() override {
    if (thread_.joinable()) thread_.join();
  }
  void lend() {
    thread_ = std::thread{[this] {
      along_.lend(*this, {pipe.out.get(), -1, -1});
      back.set_value();
    }};
  }
  bool read_along() override {
    const char byte = pipe.read();
    read_by = std::this_thread::get_id();
    return on_byte ? on_byte(byte) : byte != '\0';
  }

  bool expects_something() const override { return expects; }

  Pipe pipe;
  std::atomic<bool> expects = true;
  std::function<bool(char)> on_byte;
  std::thread::id read_by;
  std::promise<void> back;

 private:
  const ReadAlong::Wish wish_;
  ReadAlong& along_;
  std::thread thread_;
};

struct Bench {
  Bench() { BOOST_REQUIRE(along.begin(own.out.get())); }

  Pipe own;
  ReadAlong along;
  toolwire_test::Gates gates;
};

}  // namespace

BOOST_AUTO_TEST_CASE(an_input_is_read_by_the_thread_that_waits_for_its_own) {
  Bench bench;
  Lent input(bench.along);
  input.lend();
  input.pipe.write('a');
  const auto ready = bench.along.wait();
  BOOST_REQUIRE((ready.what == What::other));
  bench.along.read(ready.which);
  BOOST_TEST((input.read_by == std::this_thread::get_id()));
  bench.own.write('b');
  BOOST_TEST((bench.along.wait().what == What::own));
  bench.along.end();
  input.back.get_future().get();
}

BOOST_AUTO_TEST_CASE(an_input_in_which_nothing_is_found_goes_back_to_its_own_thread) {
  Bench bench;
  Lent input(bench.along);
  input.on_byte = [](char) { return false; };
  input.lend();
  input.pipe.write('a');
  bench.along.read(bench.along.wait().which);
  input.back.get_future().get();
  input.pipe.write('b');  // nobody's business here any more
  bench.own.write('c');
  BOOST_TEST((bench.along.wait().what == What::own));
}

BOOST_AUTO_TEST_CASE(an_input_stays_with_its_own_thread_while_nobody_reads_along) {
  ReadAlong along;
  Lent input(along);
  input.lend();
  input.back.get_future().get();
  BOOST_TEST(along.is_wished_for());
}

BOOST_AUTO_TEST_CASE(a_wish_ends_with_its_input) {
  ReadAlong along;
  {
    const Lent input(along);
    BOOST_TEST(along.is_wished_for());
  }
  BOOST_TEST(!along.is_wished_for());
}

BOOST_AUTO_TEST_CASE(an_input_can_be_called_back) {
  Bench bench;
  Lent input(bench.along);
  Lent other(bench.along);
  input.lend();
  other.lend();
  input.pipe.write('a');
  other.pipe.write('b');
  bench.along.read(bench.along.wait().which);
  bench.along.read(bench.along.wait().which);  // each in its turn: both are lent
  BOOST_TEST((input.read_by == std::this_thread::get_id()));
  BOOST_TEST((other.read_by == std::this_thread::get_id()));
  bench.along.recall(input);
  input.back.get_future().get();
  other.pipe.write('c');
  const auto ready = bench.along.wait();
  BOOST_TEST((ready.what == What::other));
  bench.along.end();
  bench.along.read(ready.which);  // it is back: not read here
  other.back.get_future().get();
  BOOST_TEST(other.pipe.read() == 'c');
}

BOOST_AUTO_TEST_CASE(an_input_whose_reader_is_stuck_goes_back_once_it_is_free) {
  Bench bench;
  Lent input(bench.along);
  bool left = false;
  input.on_byte = [&](char) {
    bench.gates.open("stuck");
    bench.gates.wait("go on", {});
    left = true;
    return true;
  };
  input.lend();
  input.pipe.write('a');
  const auto which = bench.along.wait().which;
  std::thread stuck{[&] { bench.along.read(which); }};
  bench.gates.wait("stuck", {});
  input.pipe.write('b');
  const auto again = bench.along.wait();
  BOOST_TEST(again.which == which);
  bench.along.read(again.which);  // does not wait, and is not named again
  bench.own.write('c');
  BOOST_TEST((bench.along.wait().what == What::own));
  auto back = input.back.get_future();
  BOOST_TEST((back.wait_for(std::chrono::seconds{0}) == std::future_status::timeout));
  bench.gates.open("go on");
  back.get();
  BOOST_TEST(left);
  stuck.join();
}

BOOST_AUTO_TEST_CASE(nobody_waits_alone_while_something_is_expected) {
  Bench bench;
  Lent input(bench.along);
  input.expects = false;
  input.lend();
  input.pipe.write('a');
  bench.along.read(bench.along.wait().which);  // it is lent
  BOOST_TEST(bench.along.may_wait_alone());
  bench.along.not_alone();
  input.expects = true;
  BOOST_TEST(!bench.along.may_wait_alone());
  bench.along.end();
}

BOOST_AUTO_TEST_CASE(an_input_goes_back_when_something_is_expected_of_it_while_nobody_waits_for_it) {
  Bench bench;
  Lent input(bench.along);
  input.expects = false;
  input.lend();
  input.pipe.write('a');
  bench.along.read(bench.along.wait().which);
  bench.along.expect(input);  // as long as it is waited for, it may stay
  input.pipe.write('b');
  BOOST_TEST((bench.along.wait().what == What::other));
  BOOST_REQUIRE(bench.along.may_wait_alone());
  bench.along.expect(input);
  input.back.get_future().get();
  BOOST_TEST(input.pipe.read() == 'b');
  input.expects = true;
  bench.along.lend(input, {input.pipe.out.get(), -1, -1});  // returns at once: it would not be waited for
}

BOOST_AUTO_TEST_CASE(somebody_who_waits_alone_looks_at_the_others_now_and_then) {
  Bench bench;
  Lent input(bench.along);
  input.expects = false;
  input.lend();
  input.pipe.write('a');
  bench.along.read(bench.along.wait().which);
  int turns = 0;
  for (; turns < 100 && bench.along.may_wait_alone(); ++turns) bench.along.not_alone();
  BOOST_TEST(turns > 0);
  BOOST_TEST(turns < 100);
  input.pipe.write('b');
  BOOST_TEST((bench.along.wait().what == What::other));
  BOOST_TEST(bench.along.may_wait_alone());
  bench.along.end();
}

BOOST_AUTO_TEST_CASE(all_inputs_are_with_their_own_threads_while_all_is_quiet) {
  Bench bench;
  Lent input(bench.along);
  input.lend();
  input.pipe.write('a');
  bench.along.read(bench.along.wait().which);
  bench.along.quiet();
  input.back.get_future().get();
  bench.along.lend(input, {input.pipe.out.get(), -1, -1});  // returns at once
  bench.along.not_alone();
  Lent other(bench.along);
  other.lend();
  other.pipe.write('b');
  BOOST_TEST((bench.along.wait().what == What::other));
  bench.along.end();
}

BOOST_AUTO_TEST_CASE(a_wait_can_be_interrupted) {
  Bench bench;
  bench.along.interrupt();
  BOOST_TEST((bench.along.wait().what == What::interrupted));
  bench.own.write('a');
  BOOST_TEST((bench.along.wait().what == What::own));
}

BOOST_AUTO_TEST_CASE(a_wait_ends_when_another_thread_ends_the_reading_along) {
  for (int round = 0; round < 200; ++round) {
    Bench bench;
    std::promise<void> about_to_wait;
    std::future<What> found = std::async(std::launch::async, [&] {
      about_to_wait.set_value();
      return bench.along.wait().what;
    });
    about_to_wait.get_future().wait();
    if (round % 2 == 0) std::this_thread::yield();
    bench.along.end();
    BOOST_TEST((found.get() == What::interrupted));  // its own input is watched no more: it would wait forever
  }
}

BOOST_AUTO_TEST_CASE(one_at_a_time_reads_along) {
  Bench bench;
  const Pipe second;
  BOOST_TEST(!bench.along.begin(second.out.get()));
  bench.along.end();
  BOOST_TEST(bench.along.begin(second.out.get()));
  bench.own.write('a');  // no longer waited for
  second.write('b');
  BOOST_TEST((bench.along.wait().what == What::own));
  second.read();
  bench.along.interrupt();
  BOOST_TEST((bench.along.wait().what == What::interrupted));
}

BOOST_AUTO_TEST_CASE(a_file_cannot_be_waited_for) {
  const FileDescriptor file{::open("/proc/self/exe", O_RDONLY | O_CLOEXEC)};
  ReadAlong along;
  BOOST_TEST(!along.begin(file.get()));
}
