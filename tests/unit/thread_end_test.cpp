#include "system/thread_end.hpp"

#define BOOST_TEST_MODULE thread_end_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "json/fast.hpp"
#include "process_status.hpp"

using toolwire::system::OfThread;

namespace {

std::atomic<bool> is_memory_out = false;

struct Kept {
  Kept() { ++made; }
  ~Kept() { ++destroyed; }
  int value = 0;
  static inline std::atomic<int> made = 0;
  static inline std::atomic<int> destroyed = 0;
};

std::vector<int> order;
template <int number>
struct Noted {
  ~Noted() { order.push_back(number); }
};

/// What is used again at the end of its thread.
struct Late {
  ~Late() { OfThread<Kept, Late>::get().value = 1; }
};

}  // namespace

#if !defined(TOOLWIRE_TEST_ADDRESS_SANITIZER) && !defined(TOOLWIRE_TEST_THREAD_SANITIZER)  // which have their own
/// In the place of the C library's, which calls it for every thread_local object that has a destructor.
extern "C" void* calloc(std::size_t count, std::size_t size) {
  void* const memory = is_memory_out ? nullptr : std::malloc(count * size);  // NOLINT(cppcoreguidelines-no-malloc)
  return memory == nullptr ? nullptr : std::memset(memory, 0, count * size);
}
#endif

BOOST_AUTO_TEST_CASE(each_thread_has_its_own_until_it_ends) {
  OfThread<Kept>::get().value = 1;
  int seen = -1;
  std::thread([&] {
    seen = OfThread<Kept>::get().value;
    OfThread<Kept>::get().value = 2;
  }).join();
  BOOST_TEST(seen == 0);
  BOOST_TEST(OfThread<Kept>::get().value == 1);
  BOOST_TEST(Kept::made == 2);
  BOOST_TEST(Kept::destroyed == 1);
}

BOOST_AUTO_TEST_CASE(two_owners_have_two) {
  OfThread<std::string, int>::get() = "one";
  BOOST_TEST((OfThread<std::string, char>::get().empty()));
  BOOST_TEST((OfThread<std::string, int>::get() == "one"));
}

BOOST_AUTO_TEST_CASE(what_came_last_ends_first) {
  std::thread([] {
    OfThread<Noted<1>>::get();
    OfThread<Noted<2>>::get();
    OfThread<Noted<3>>::get();
  }).join();
  BOOST_TEST(order == (std::vector{3, 2, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_is_used_again_at_the_end_is_made_again_and_destroyed_again) {
  const int made = Kept::made;
  const int destroyed = Kept::destroyed;
  std::thread([] {
    OfThread<Late>::get();
    OfThread<Kept, Late>::get();
  }).join();
  BOOST_TEST(Kept::made == made + 2);
  BOOST_TEST(Kept::destroyed == destroyed + 2);
}

BOOST_AUTO_TEST_CASE(a_thread_begins_to_keep_things_when_there_is_no_memory) {
  bool has_kept = false;
  std::thread([&] {
    auto storage = toolwire::json::arena_for(10);
    auto recycled = std::allocate_shared<Kept>(toolwire::json::Recycled<Kept>());
    is_memory_out = true;
    recycled.reset();
    storage = {};
    OfThread<std::string>::get() = "kept";
    is_memory_out = false;
    has_kept = OfThread<std::string>::get() == "kept";
  }).join();
  BOOST_TEST(has_kept);
}
