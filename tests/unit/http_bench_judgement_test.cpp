// What the benchmark of HTTP takes for wrong (tests/bench/http).
#include "http/judgement.hpp"

#define BOOST_TEST_MODULE http_bench_judgement_test
#include <boost/test/unit_test.hpp>

using namespace toolwire::bench;

namespace {

bool says(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_CASE(each_call_is_answered_or_cancelled) {
  for (const bool judges_time : {false, true}) {
    BOOST_TEST(wrong_with({.began = 5, .answered = 2, .cancelled = 3, .longest = 100}, judges_time).empty());
    BOOST_TEST(says(wrong_with({.began = 6, .answered = 2, .cancelled = 3}, judges_time),
                    "1 were neither answered nor cancelled"));
  }
  BOOST_TEST(says(wrong_with({.began = 2, .answered = 2}, true), "nothing was measured"));
  BOOST_TEST(wrong_with(Resets{}, false).empty());
}

BOOST_AUTO_TEST_CASE(a_call_is_cancelled_soon) {
  const Resets late{.began = 1, .cancelled = 1, .longest = 100.5};
  BOOST_TEST(says(wrong_with(late, true), "ms after its connection was reset; at most 100 ms"));
  BOOST_TEST(wrong_with(late, false).empty());
}

BOOST_AUTO_TEST_CASE(silent_connections_delay_nobody) {
  const Delays alone{.p50 = 50, .p99 = 200}, beside{.p50 = 50, .p99 = 5'200}, late{.p50 = 50, .p99 = 5'202};
  BOOST_TEST(wrong_with(beside, alone, true).empty());
  BOOST_TEST(says(wrong_with(late, alone, true), "delay a call by 5002 us (p99); at most 5000 us"));
  BOOST_TEST(wrong_with(late, alone, false).empty());
}

BOOST_AUTO_TEST_CASE(of_what_was_measured_the_middle_and_the_worst_count) {
  std::vector<double> took;
  for (int i = 200; i > 0; --i) took.push_back(i);
  BOOST_TEST(delays_of(took).p50 == 101);
  BOOST_TEST(delays_of(took).p99 == 199);
  BOOST_TEST(delays_of({}).p99 == 0);
  BOOST_TEST(delays_of({7}).p99 == 7);
}
