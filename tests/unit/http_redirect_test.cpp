#include "fetch/redirect.hpp"

#define BOOST_TEST_MODULE http_redirect_test
#include <boost/test/unit_test.hpp>
#include <string>
#include <variant>

using namespace toolwire;

namespace {

const HttpUrl at = HttpUrl::parse("http://example.com/a").value();

/// What is sent where, or the code of the refusal.
std::string followed(std::string method, int status, const char* location, int redirects = 0) {
  HttpRequest request{.method = std::move(method), .url = "http://example.com/a", .body = "b"};
  const auto next = follow_redirect(request, at, status, location, redirects);
  if (const auto* refused = std::get_if<HttpFailure>(&next)) return refused->code;
  return request.method + (request.body.empty() ? " without body" : " with body");
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_redirect_repeats_the_request_where_nothing_else_is_meant) {
  BOOST_TEST(followed("GET", 301, "/b") == "GET with body");
  BOOST_TEST(followed("POST", 307, "/b") == "POST with body");
  BOOST_TEST(followed("DELETE", 308, "/b") == "DELETE with body");
}

BOOST_AUTO_TEST_CASE(a_303_is_followed_by_reading) {
  BOOST_TEST(followed("POST", 303, "/b") == "GET without body");
  BOOST_TEST(followed("HEAD", 303, "/b") == "HEAD without body");
}

BOOST_AUTO_TEST_CASE(what_a_301_or_302_means_for_a_request_that_changes_something_is_not_guessed) {
  BOOST_TEST(followed("POST", 301, "/b") == "back_end_error");
  BOOST_TEST(followed("PUT", 302, "/b") == "back_end_error");
}

BOOST_AUTO_TEST_CASE(another_host_and_other_schemes_are_not_followed) {
  BOOST_TEST(followed("GET", 302, "http://example.org/") == "denied");
  BOOST_TEST(followed("GET", 302, "https://example.com/") == "denied");
  BOOST_TEST(followed("GET", 302, "file:///etc/passwd") == "denied");
}

/// Its origin would be shown in the text of the refusal.
BOOST_AUTO_TEST_CASE(a_host_that_is_no_text_is_no_host) {
  for (const char* const url : {"http://169.%88888888/late", "http://%ff/", "http://a%7f.b/", "http://\xc3\xa9.b/"}) {
    HttpRequest request{.method = "GET", .url = "http://example.com/a"};
    const auto next = follow_redirect(request, at, 307, url, 0);
    BOOST_REQUIRE(std::holds_alternative<HttpFailure>(next));
    BOOST_TEST(std::get<HttpFailure>(next).text ==
               "http://example.com:80: redirects to something that is no http or https URL");
  }
  BOOST_TEST(HttpUrl::parse("http://ex%61mple.com/").value().origin() == at.origin());
}

BOOST_AUTO_TEST_CASE(five_redirects_are_followed_and_no_more) {
  BOOST_TEST(followed("GET", 302, "/b", 4) == "GET with body");
  BOOST_TEST(followed("GET", 302, "/b", 5) == "back_end_error");
}
