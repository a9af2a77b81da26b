#include "runtime/outgoing.hpp"

#define BOOST_TEST_MODULE outgoing_test
#include <boost/test/unit_test.hpp>

#include <string>

using toolwire::Json;
using toolwire::jsonrpc::Response;
using toolwire::runtime::Outgoing;

namespace {

Response answer_to(const std::string& key, Json result = 1) { return {{"", key}, false, std::move(result)}; }

}  // namespace

BOOST_AUTO_TEST_CASE(an_answer_goes_to_who_waits_for_its_id_and_only_once) {
  Outgoing outgoing(10);
  std::string got;
  BOOST_TEST(*outgoing.open([&](Response&&) { got += 'a'; }) == 1u);
  BOOST_TEST(*outgoing.open([&](Response&&) { got += 'b'; }) == 2u);
  BOOST_TEST(outgoing.answered(answer_to("2")));
  BOOST_TEST(!outgoing.answered(answer_to("2")));
  BOOST_TEST(outgoing.answered(answer_to("1")));
  BOOST_TEST(got == "ba");
}

BOOST_AUTO_TEST_CASE(answers_with_ids_that_were_never_given_lead_nowhere) {
  Outgoing outgoing(10);
  outgoing.open([](Response&&) { BOOST_ERROR("this was not its answer"); });
  for (const char* key :
       {"", "n1", "0", "2", "\"1\"", "-1", "1.0", "1e0", "99999999999999999999", "18446744073709551617", " 1", "1 "}) {
    BOOST_TEST(!outgoing.answered(answer_to(key)));
  }
}

BOOST_AUTO_TEST_CASE(no_more_are_opened_than_the_bound_and_ids_are_not_used_twice) {
  Outgoing outgoing(2);
  outgoing.open([](Response&&) {});
  outgoing.open([](Response&&) {});
  BOOST_TEST(!outgoing.open([](Response&&) {}).has_value());
  BOOST_TEST(outgoing.forget(1));
  BOOST_TEST(!outgoing.forget(1));
  BOOST_TEST(*outgoing.open([](Response&&) {}) == 3u);
}

BOOST_AUTO_TEST_CASE(the_end_answers_what_is_open_with_an_error) {
  Outgoing outgoing(10);
  int errors = 0;
  for (int i = 0; i < 3; ++i) outgoing.open([&](Response&& response) { errors += response.is_error ? 1 : 0; });
  outgoing.close();
  BOOST_TEST(errors == 3);
  BOOST_TEST(!outgoing.open([](Response&&) {}).has_value());
}

BOOST_AUTO_TEST_CASE(with_a_prefix_only_who_knows_it_can_answer) {
  Outgoing outgoing(10, "a1-b2");
  int answered = 0;
  outgoing.open([&](Response&&) { ++answered; });
  const std::uint64_t second = *outgoing.open([&](Response&&) { ++answered; });
  BOOST_TEST(outgoing.text_of(second) == "\"a1-b2-2\"");
  for (const char* key : {"1", "\"1\"", "\"-1\"", "\"a1-1\"", "\"a1-b2-\"", "\"a1-b2-1", "\"a1-b2-3\"", "\"a1-b2-01x\"",
                          "\"", "\"a1-b2\"", ""}) {
    BOOST_TEST_INFO(key);
    BOOST_TEST(!outgoing.answered(answer_to(key)));
  }
  BOOST_TEST(Outgoing::prefix_in("\"a1-b2-1\"") == "a1-b2");
  BOOST_TEST(outgoing.answered(answer_to("\"a1-b2-1\"")));
  BOOST_TEST(!outgoing.answered(answer_to("\"a1-b2-1\"")));
  BOOST_TEST(outgoing.forget(second));
  BOOST_TEST(answered == 1);
}
