#include "driver/arguments.hpp"

#define BOOST_TEST_MODULE conformance_arguments_test
#include <boost/test/unit_test.hpp>
#include <toolwire/schema.hpp>

using toolwire::Json;
using toolwire::parse_json;
using toolwire::conformance::arguments_for;

BOOST_AUTO_TEST_CASE(only_required_members_are_made) {
  const auto made = arguments_for(parse_json(
      R"({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}, "required": ["a"]})"));
  BOOST_REQUIRE(made.has_value());
  BOOST_TEST(made->size() == 1U);
  BOOST_TEST(made->at("a").is_string());
}

BOOST_AUTO_TEST_CASE(what_is_made_fits_its_schema) {
  for (const char* text :
       {R"({"type": "object"})", R"({"type": "object", "properties": {}, "additionalProperties": false})",
        R"({"type": "object", "properties": {"n": {"type": "integer", "minimum": 3}}, "required": ["n"]})",
        R"({"type": "object", "properties": {"s": {"type": "string", "minLength": 9}}, "required": ["s"]})",
        R"({"type": "object", "properties": {"e": {"enum": ["x", "y"]}}, "required": ["e"]})",
        R"({"type": "object", "properties": {"b": {"type": "boolean"}}, "required": ["b"]})"}) {
    const Json schema = parse_json(text);
    const auto made = arguments_for(schema);
    BOOST_REQUIRE_MESSAGE(made.has_value(), text);
    BOOST_TEST(toolwire::Schema::compile(schema).is_valid(*made), text);
  }
}

/// As where one of two members is required, and no schema says which.
BOOST_AUTO_TEST_CASE(all_members_are_made_where_the_required_ones_do_not_fit) {
  const Json schema = parse_json(
      R"({"type": "object", "properties": {"phone": {"type": "string"}, "mail": {"type": "string"}},
          "anyOf": [{"required": ["phone"]}, {"required": ["mail"]}], "additionalProperties": false})");
  const auto made = arguments_for(schema);
  BOOST_REQUIRE(made.has_value());
  BOOST_TEST(toolwire::Schema::compile(schema).is_valid(*made));
}

BOOST_AUTO_TEST_CASE(nothing_is_made_where_nothing_fits) {
  BOOST_TEST(!arguments_for(parse_json(R"({"type": "object", "not": {}})")).has_value());
}
