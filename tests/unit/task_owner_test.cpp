#define BOOST_TEST_MODULE task_owner_test
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "toolwire/task_store.hpp"

using toolwire::TaskOwner;

BOOST_AUTO_TEST_CASE(this_process_is_alive_and_told_from_others) {
  const TaskOwner self = TaskOwner::here();
  BOOST_TEST(self.process == getpid());
  BOOST_TEST(self.start > 0u);
  BOOST_TEST(!self.boot.empty());
  BOOST_TEST((self.is_alive() == true));
  BOOST_TEST((self == TaskOwner::here()));
}

BOOST_AUTO_TEST_CASE(a_later_process_of_the_same_number_is_not_taken_for_its_predecessor) {
  TaskOwner owner = TaskOwner::here();
  owner.start -= 1;
  BOOST_TEST((owner.is_alive() == false));
}

BOOST_AUTO_TEST_CASE(nothing_outlives_the_boot) {
  TaskOwner owner = TaskOwner::here();
  owner.boot = "another";
  BOOST_TEST((owner.is_alive() == false));
}

BOOST_AUTO_TEST_CASE(the_inside_of_another_container_is_not_to_be_seen) {
  TaskOwner owner = TaskOwner::here();
  owner.space = "pid:[1]";
  BOOST_TEST(!owner.is_alive().has_value());
}

BOOST_AUTO_TEST_CASE(a_child_is_alive_until_it_is_gone) {
  int ends[2];
  BOOST_TEST_REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[1]);
    char byte = 0;
    static_cast<void>(!read(ends[0], &byte, 1));  // until the parent lets go
    _exit(0);
  }
  close(ends[0]);
  TaskOwner owner = TaskOwner::here();
  owner.process = child;
  // Its start time is not known here, so it is found out as the owner would have done it.
  owner.start = 0;
  BOOST_TEST((owner.is_alive() == false));
  bool found = false;
  for (std::uint64_t later = 0; later < 1000 && !found; ++later) {
    owner.start = TaskOwner::here().start + later;
    found = owner.is_alive() == true;
  }
  BOOST_TEST(found);
  close(ends[1]);
  waitpid(child, nullptr, 0);
  BOOST_TEST((owner.is_alive() == false));
}
