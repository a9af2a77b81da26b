#include "workspace/search/ordered_work.hpp"

#define BOOST_TEST_MODULE workspace_ordered_work_test
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <vector>

using workspace::OrderedWork;

namespace {

struct Batch {
  int number = 0;
  int result = 0;
};

OrderedWork<Batch>::Work doubling() {
  return [](Batch& batch) { batch.result = 2 * batch.number; };
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_batch_is_taken_once_and_in_order_whatever_the_number_of_threads) {
  for (const unsigned threads : {0U, 1U, 4U}) {
    std::vector<int> taken;
    const auto take = [&](const Batch& batch) {
      taken.push_back(batch.result);
      return true;
    };
    OrderedWork<Batch> work{threads, 8, doubling};
    for (int i = 0; i < 1000; ++i) BOOST_TEST(work.submit({i}, take));
    BOOST_TEST(work.finish(take));
    BOOST_REQUIRE(taken.size() == 1000U);
    for (int i = 0; i < 1000; ++i) BOOST_REQUIRE(taken[static_cast<std::size_t>(i)] == 2 * i);
  }
}

BOOST_AUTO_TEST_CASE(who_has_enough_gets_no_more) {
  int taken = 0;
  OrderedWork<Batch> work{3, 4, doubling};
  const auto take = [&](const Batch&) { return ++taken < 5; };
  bool goes_on = true;
  for (int i = 0; i < 100 && goes_on; ++i) goes_on = work.submit({i}, take);
  BOOST_TEST(!goes_on);
  BOOST_TEST(taken == 5);
}

BOOST_AUTO_TEST_CASE(what_a_batch_throws_reaches_the_owner) {
  for (const unsigned threads : {0U, 3U}) {
    OrderedWork<Batch> work{threads, 4, [] {
                              return [](Batch& batch) {
                                if (batch.number == 7) throw std::runtime_error("seven");
                              };
                            }};
    const auto take = [](const Batch&) { return true; };
    BOOST_CHECK_THROW(
        {
          for (int i = 0; i < 20; ++i) work.submit({i}, take);
          work.finish(take);
        },
        std::runtime_error);
  }
}
