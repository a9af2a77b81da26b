#include <toolwire/http/detail/retry_after.hpp>

#define BOOST_TEST_MODULE http_retry_after_test
#include <boost/test/unit_test.hpp>
#include <string>
#include <utility>

using namespace toolwire;

namespace {

// Sun, 06 Nov 1994 08:49:37 GMT, which RFC 9110 writes in all three forms.
const std::chrono::system_clock::time_point of_the_rfc = std::chrono::system_clock::from_time_t(784'111'777);

/// In seconds, -1 for nothing.
long wait(const std::string& text, std::chrono::seconds before = std::chrono::seconds(90), HttpHeaders headers = {}) {
  headers.emplace_back("retry-after", text);
  const auto found = retry_after({.status = 503, .headers = std::move(headers)}, of_the_rfc - before);
  return found ? static_cast<long>(found->count()) : -1;
}

}  // namespace

BOOST_AUTO_TEST_CASE(seconds_count_up_to_a_day) {
  BOOST_TEST(wait("0") == 0);
  BOOST_TEST(wait(" 7 ") == 7);
  BOOST_TEST(wait("86401") == 86'400);
  BOOST_TEST(wait("99999999999999999999999") == 86'400);
}

BOOST_AUTO_TEST_CASE(a_date_in_each_form_of_http_counts_from_now) {
  for (const char* date :
       {"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"}) {
    BOOST_TEST(wait(date) == 90, date);
    BOOST_TEST(wait(date, std::chrono::hours(48)) == 86'400, date);
    BOOST_TEST(wait(date, std::chrono::seconds(-5)) == 0, date);
  }
}

BOOST_AUTO_TEST_CASE(the_clock_of_the_server_counts_if_it_is_known) {
  const HttpHeaders there{{"date", "Sun, 06 Nov 1994 08:49:07 GMT"}};
  BOOST_TEST(wait("Sun, 06 Nov 1994 08:49:37 GMT", std::chrono::hours(5), there) == 30);
  BOOST_TEST(wait("Sun, 06 Nov 1994 08:49:37 GMT", std::chrono::seconds(90), {{"date", "noon"}}) == 90);
}

BOOST_AUTO_TEST_CASE(what_is_neither_says_nothing) {
  for (const char* text : {"", "-1", "7.5", "7 s", "soon", "08:49:37", "0x10", "Sun, 06 Foo 1994 08:49:37 GMT"})
    BOOST_TEST(wait(text) == -1, text);
  BOOST_TEST(!retry_after({.status = 503}));
}
