#include "client/deadlines.hpp"

#define BOOST_TEST_MODULE client_deadlines_test
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <future>
#include <memory>

using namespace std::chrono_literals;
using toolwire::client::Deadlines;
using toolwire::client::RequestDeadline;
using Clock = std::chrono::steady_clock;

namespace {

/// Deadlines without an engine, and with one.
struct Both {
  Deadlines alone;
  Deadlines on_engine{std::make_shared<toolwire::Engine>()};
  Deadlines* all[2] = {&alone, &on_engine};
};

/// Deadlines run one at a time and in order: once this has returned, all that were due before have run.
void await_those_before(Deadlines& deadlines) {
  const auto ran = std::make_shared<std::promise<void>>();  // whoever fills it may outlast this
  deadlines.at(Clock::now(), [ran] { ran->set_value(); });
  BOOST_REQUIRE((ran->get_future().wait_for(30s) == std::future_status::ready));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_request_that_lasts_meets_its_deadline) {
  Both both;
  for (Deadlines* deadlines : both.all) {
    int met = 0;
    RequestDeadline deadline{*deadlines};
    deadline.set(Clock::now(), [&] { ++met; });
    await_those_before(*deadlines);
    BOOST_TEST(met == 1);
  }
}

BOOST_AUTO_TEST_CASE(a_request_that_has_ended_does_not_even_if_it_ended_before_the_deadline_was_set) {
  Both both;
  for (Deadlines* deadlines : both.all) {
    int met = 0;
    const auto owned = std::make_shared<int>();
    RequestDeadline set_before{*deadlines};
    set_before.set(Clock::now() + 1h, [&met, owned] { ++met; });
    set_before.end();
    RequestDeadline set_after{*deadlines};
    set_after.end();
    set_after.set(Clock::now(), [&met, owned] { ++met; });
    BOOST_TEST(owned.use_count() == 1);  // nothing is kept for an hour
    await_those_before(*deadlines);
    BOOST_TEST(met == 0);
  }
}

BOOST_AUTO_TEST_CASE(the_end_of_time_is_no_deadline) {
  Deadlines deadlines;
  const auto owned = std::make_shared<int>();
  RequestDeadline deadline{deadlines};
  deadline.set(Clock::time_point::max(), [owned] {});
  BOOST_TEST(owned.use_count() == 1);
}
