// The one wait for many descriptors.
#include "system/poller.hpp"

#define BOOST_TEST_MODULE poller_test
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include <cstdio>

#include <toolwire/system/file_descriptor.hpp>

using toolwire::system::FileDescriptor;
using toolwire::system::Poller;

namespace {

struct Pipe {
  Pipe() {
    int ends[2];
    BOOST_REQUIRE(::pipe(ends) == 0);
    out = FileDescriptor{ends[0]};
    in = FileDescriptor{ends[1]};
  }
  FileDescriptor out;
  FileDescriptor in;
};

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_readable_is_told_by_its_number_until_it_is_read) {
  const Poller poller;
  const Pipe pipe;
  Poller::Events events;
  BOOST_TEST(poller.watch(pipe.out.get(), 7, Poller::input));
  BOOST_TEST(poller.wait(events, 0) == 0u);
  BOOST_REQUIRE(::write(pipe.in.get(), "x", 1) == 1);
  for (int round = 0; round < 2; ++round) {
    BOOST_REQUIRE(poller.wait(events, 0) == 1u);
    BOOST_TEST(events[0].id == 7u);
    BOOST_TEST(events[0].interest == unsigned{Poller::input});
  }
  BOOST_TEST(poller.watch(pipe.out.get(), 7, Poller::nothing));
  BOOST_TEST(poller.wait(events, 0) == 0u);
}

BOOST_AUTO_TEST_CASE(a_wake_is_told_once_also_by_a_wait_that_does_not_wait) {
  const Poller poller;
  Poller::Events events;
  poller.wake();
  poller.wake();
  BOOST_REQUIRE(poller.wait(events, 0) == 1u);
  BOOST_TEST(events[0].interest == unsigned{Poller::nothing});
  BOOST_TEST(poller.wait(events, 0) == 0u);
}

BOOST_AUTO_TEST_CASE(files_cannot_be_waited_for) {
  const Poller poller;
  std::FILE* const file = std::tmpfile();
  BOOST_TEST(!poller.watch(::fileno(file), 7, Poller::input));
  std::fclose(file);
}
