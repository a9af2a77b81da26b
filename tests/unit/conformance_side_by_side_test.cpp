#include "driver/side_by_side.hpp"

#include <atomic>
#include <latch>
#include <stdexcept>
#include <string>
#include <vector>

#define BOOST_TEST_MODULE conformance_side_by_side_test
#include <boost/test/unit_test.hpp>

using namespace toolwire::conformance;

BOOST_AUTO_TEST_CASE(the_time_of_all_processors_is_the_first_line) {
  const auto time = processor_time_of("cpu  10 20 30 400 50 6 7 8 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\n");
  BOOST_REQUIRE(time.has_value());
  BOOST_TEST(time->idle == 400U);
  BOOST_TEST(time->all == 531U);
  BOOST_TEST(processor_time_of("cpu 1 2 3 4")->idle == 4U);
}

BOOST_AUTO_TEST_CASE(nothing_is_made_of_another_text) {
  for (const char* text : {"", "cpu", "cpu ", "cpu  1 2 3", "cpu  a b c d", "cpu0 1 2 3 4", "intr 1 2 3 4 5"})
    BOOST_TEST(!processor_time_of(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(idle_processors_get_more_and_busy_ones_less) {
  const Jobs jobs{.first = 4, .most = 9};
  BOOST_TEST(next_jobs(jobs, 4, 0.8) == 6U);
  BOOST_TEST(next_jobs(jobs, 8, 0.8) == 9U);
  BOOST_TEST(next_jobs(jobs, 6, 0.3) == 6U);
  BOOST_TEST(next_jobs(jobs, 6, 0.0) == 5U);
  BOOST_TEST(next_jobs(jobs, 4, 0.0) == 4U);
  BOOST_TEST(next_jobs(jobs, 6, std::nullopt) == 6U);
}

BOOST_AUTO_TEST_CASE(a_number_that_was_asked_for_stays) {
  const Jobs jobs{.first = 3, .most = 3};
  for (const double idle : {0.0, 0.5, 1.0}) BOOST_TEST(next_jobs(jobs, 3, idle) == 3U);
}

BOOST_AUTO_TEST_CASE(each_number_is_worked_on_once) {
  for (const Jobs jobs : {Jobs{1, 1}, Jobs{4, 4}, Jobs{2, 16}}) {
    std::vector<std::atomic<int>> seen(1000);
    run_side_by_side(seen.size(), jobs, [&](std::size_t mine) { ++seen[mine]; });
    for (const auto& one : seen) BOOST_REQUIRE(one == 1);
  }
  run_side_by_side(0, {4, 4}, [](std::size_t) { BOOST_ERROR("there is nothing to do"); });
}

BOOST_AUTO_TEST_CASE(never_more_than_asked_for_are_beside_each_other) {
  std::atomic<int> now{0}, most{0};
  std::latch first_three(3);
  run_side_by_side(60, {3, 3}, [&](std::size_t number) {
    const int mine = ++now;
    for (int seen = most; seen < mine && !most.compare_exchange_weak(seen, mine);) {
    }
    if (number < 3) first_three.arrive_and_wait();
    --now;
  });
  BOOST_TEST(most == 3);
}

BOOST_AUTO_TEST_CASE(what_is_thrown_ends_the_work_and_comes_out) {
  std::atomic<int> begun{0};
  const auto work = [&](std::size_t mine) {
    ++begun;
    if (mine == 5) throw std::runtime_error("five");
  };
  BOOST_CHECK_EXCEPTION(run_side_by_side(1000000, {2, 2}, work), std::runtime_error,
                        [](const auto& problem) { return std::string(problem.what()) == "five"; });
  BOOST_TEST(begun < 1000000);
}
