#include "catalogue/fixtures.hpp"

#define BOOST_TEST_MODULE conformance_fixtures_test
#include <boost/test/unit_test.hpp>

#include <stdexcept>

using namespace toolwire::conformance;
using toolwire::Json;
using toolwire::JsonObject;
using toolwire::parse_json;

BOOST_AUTO_TEST_CASE(the_official_names_are_the_default) {
  const auto echo = Profile().find("tool:echo");
  BOOST_REQUIRE(echo.has_value());
  BOOST_TEST(echo->name == "echo");
  BOOST_TEST(!echo->by_profile);
  BOOST_TEST(Profile().find("resource:text")->name == "test://static-text");
}

BOOST_AUTO_TEST_CASE(a_profile_replaces_and_takes_away) {
  const Profile profile(parse_json(R"({"tool:echo": {"name": "say"}, "tool:slow": null})"));
  BOOST_TEST(profile.find("tool:echo")->name == "say");
  BOOST_TEST(profile.find("tool:echo")->by_profile);
  BOOST_TEST(!profile.find("tool:slow").has_value());
  BOOST_TEST(profile.find("tool:image").has_value());
}

BOOST_AUTO_TEST_CASE(what_is_no_fixture_is_named) {
  for (const char* text : {"[]", R"({"tool:unknown": {"name": "x"}})", R"({"tool:echo": {}})", R"({"tool:echo": 1})"})
    BOOST_CHECK_THROW(Profile{parse_json(text)}, std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_placeholder_is_filled_wherever_it_stands_alone) {
  const JsonObject arguments =
      parse_json(R"({"a": "<TEXT>", "b": ["<TEXT>", {"c": "<TEXT>"}], "d": "x <TEXT>"})").as_object();
  BOOST_TEST((Json(filled(arguments, "TEXT", 7)) == parse_json(R"({"a": 7, "b": [7, {"c": 7}], "d": "x <TEXT>"})")));
}

BOOST_AUTO_TEST_CASE(seconds_may_be_asked_for_in_milliseconds) {
  const JsonObject arguments = parse_json(R"({"ms": "<MILLISECONDS>", "s": "<SECONDS>"})").as_object();
  BOOST_TEST((Json(filled(arguments, "SECONDS", 0.3)) == parse_json(R"({"ms": 300, "s": 0.3})")));
}
