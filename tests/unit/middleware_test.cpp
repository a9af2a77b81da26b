#include <toolwire/middleware.hpp>

#define BOOST_TEST_MODULE middleware_test
#include <boost/test/unit_test.hpp>

#include <utility>
#include <vector>

using namespace toolwire;

namespace {

/// The end of a chain: counts how it was used.
struct Way {
  Next next() {
    return Next([this](const Next::Look& look) { (look ? looked : went_on) += 1; },
                Reply([this](AnyOutcome&& outcome) { answers.push_back(std::move(outcome)); }));
  }
  int went_on = 0;
  int looked = 0;
  std::vector<AnyOutcome> answers;
};

}  // namespace

BOOST_AUTO_TEST_CASE(the_way_goes_on_once) {
  Way way;
  {
    Next next = way.next();
    Next copy = next;
    next();
    copy();
    next.then([](AnyOutcome&) {});
    next.answer("x");
  }
  BOOST_TEST(way.went_on == 1);
  BOOST_TEST(way.looked == 0);
  BOOST_TEST(way.answers.empty());
}

BOOST_AUTO_TEST_CASE(an_answer_ends_the_way) {
  Way way;
  {
    Next next = way.next();
    next.answer("x");
    next();
    next.answer("y");
  }
  BOOST_TEST(way.went_on == 0);
  BOOST_TEST(way.answers.size() == 1u);
}

BOOST_AUTO_TEST_CASE(who_wants_to_see_the_outcome_goes_on_as_well) {
  Way way;
  way.next().then([](AnyOutcome&) {});
  BOOST_TEST(way.looked == 1);
  BOOST_TEST(way.answers.empty());
}

BOOST_AUTO_TEST_CASE(a_way_that_is_dropped_is_answered_with_an_error) {
  Way way;
  {
    const Next next = way.next();
    const Next copy = next;  // NOLINT(performance-unnecessary-copy-initialization): both are dropped
  }
  BOOST_REQUIRE(way.answers.size() == 1u);
  BOOST_TEST(std::get<ToolResult>(way.answers.front()).is_error);
}
