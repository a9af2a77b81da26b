#include "json/fast.hpp"

#define BOOST_TEST_MODULE recycled_test
#include <boost/test/unit_test.hpp>
#include <memory>
#include <thread>
#include <vector>

using toolwire::json::Recycled;

namespace {

struct Held {
  explicit Held(int given) : number(given) {}
  int number;
  char more[100] = {};
};

std::shared_ptr<Held> held(int number) { return std::allocate_shared<Held>(Recycled<Held>(), number); }

}  // namespace

BOOST_AUTO_TEST_CASE(objects_are_apart_however_many_come_and_go) {
  for (int round = 0; round < 3; ++round) {
    std::vector<std::shared_ptr<Held>> all;
    all.reserve(1000);
    for (int i = 0; i < 1000; ++i) all.push_back(held(i));
    for (int i = 0; i < 1000; ++i) BOOST_REQUIRE(all[static_cast<std::size_t>(i)]->number == i);
    for (std::size_t i = 0; i < all.size(); i += 2) all[i] = held(-static_cast<int>(i));
    for (std::size_t i = 1; i < all.size(); i += 2) BOOST_REQUIRE(all[i]->number == static_cast<int>(i));
  }
}

BOOST_AUTO_TEST_CASE(objects_may_end_on_another_thread_and_outlive_their_own) {
  std::vector<std::shared_ptr<Held>> made;
  std::thread([&] {
    for (int i = 0; i < 300; ++i) made.push_back(held(i));
  }).join();
  for (int i = 0; i < 300; ++i) BOOST_REQUIRE(made[static_cast<std::size_t>(i)]->number == i);
  std::thread([&] { made.clear(); }).join();
  BOOST_TEST(held(5)->number == 5);
}

#ifndef TOOLWIRE_KEEPS_NO_MEMORY
BOOST_AUTO_TEST_CASE(memory_that_was_given_back_is_used_again) {
  const void* first = held(1).get();
  BOOST_TEST(held(2).get() == first);
}
#endif
