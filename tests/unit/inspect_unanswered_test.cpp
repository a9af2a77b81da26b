#include "inspect/unanswered.hpp"

#define BOOST_TEST_MODULE inspect_unanswered_test
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

using toolwire::ServerRequest;
using toolwire::inspect::Unanswered;

BOOST_AUTO_TEST_CASE(so_many_requests_stay_unanswered_and_the_oldest_go) {
  std::vector<std::string> answered;
  const auto request = [&](std::size_t number) {
    return ServerRequest(std::to_string(number), {},
                         [&answered, number](ServerRequest::Answer&&) { answered.push_back(std::to_string(number)); });
  };
  Unanswered unanswered;
  for (std::size_t i = 0; i < Unanswered::most; ++i) BOOST_TEST(!unanswered.keep(request(i)).has_value());
  BOOST_TEST(answered.empty());
  for (std::size_t i = 0; i < 2; ++i) {
    const auto oldest = unanswered.keep(request(Unanswered::most + i));
    BOOST_REQUIRE(oldest.has_value());
    BOOST_TEST(oldest->method == std::to_string(i));
  }
  BOOST_TEST(answered == (std::vector<std::string>{"0", "1"}), boost::test_tools::per_element());
}
