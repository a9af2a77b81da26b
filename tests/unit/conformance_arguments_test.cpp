#include "driver/arguments.hpp"

#define BOOST_TEST_MODULE conformance_arguments_test
#include <boost/test/unit_test.hpp>
#include <string>
#include <toolwire/schema.hpp>
#include <vector>

using toolwire::Json;
using toolwire::parse_json;
using toolwire::conformance::arguments_for;
using toolwire::conformance::deep_arguments;

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

BOOST_AUTO_TEST_CASE(a_schema_that_leads_back_to_itself_is_found_under_any_name) {
  struct Case {
    const char* schema;
    const char* twice;  // a value within its like within its like
  };
  const std::vector<Case> cases{
      {R"({"properties": {"tree": {"$ref": "#/$defs/node"}}, "required": ["tree"],
           "$defs": {"node": {"type": "object", "properties": {"name": {}, "child": {"$ref": "#/$defs/node"}}}}})",
       R"({"tree":{"child":{"child":{}}}})"},
      {R"({"properties": {"id": {"type": "integer"}, "menu": {"$ref": "#/$defs/item"}}, "required": ["id"],
           "$defs": {"item": {"type": "object", "required": ["label"], "properties": {"label": {"const": "x"},
                     "entries": {"type": "array", "items": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/item"}]}}}}}})",
       R"({"id":1,"menu":{"label":"x","entries":[{"label":"x","entries":[{"label":"x"}]}]}})"},
      {R"({"type": "object", "properties": {"inner": {"$ref": "#"}}})", R"({"inner":{"inner":{}}})"},
      {R"({"type": "object", "properties": {"all": {"$ref": "#/$defs/map"}},
           "$defs": {"map": {"type": "object", "additionalProperties": {"$ref": "#/$defs/map"}}}})",
       R"({"all":{"any":{"any":{}}}})"},
      {R"({"type": "object", "properties": {"list": {"$ref": "#/$defs/list"}},
           "$defs": {"list": {"anyOf": [{"type": "null"}, {"type": "object", "required": ["next"],
                     "properties": {"next": {"$ref": "#/$defs/list"}}}]}}})",
       R"({"list":{"next":{"next":null}}})"}};
  for (const Case& one : cases) {
    const Json schema = parse_json(one.schema);
    const auto deep = deep_arguments(schema, 2);
    BOOST_TEST_REQUIRE(deep.has_value(), one.schema);
    BOOST_TEST(*deep == one.twice);
    BOOST_TEST(toolwire::Schema::compile(schema).is_valid(parse_json(*deep)), *deep);
  }
  for (const char* const flat :
       {"{}", "true", R"({"properties": {"a": {"type": "object"}}, "items": {}})",
        R"({"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"$ref": "#/$defs/a"}}})",
        R"({"anyOf": [{"$ref": "#"}]})"})
    BOOST_TEST(!deep_arguments(parse_json(flat), 2), flat);
}

BOOST_AUTO_TEST_CASE(what_is_given_stands_beside_what_is_deep) {
  const Json schema = parse_json(R"({"properties": {"path": {"type": "string"}, "inner": {"$ref": "#"}},
                                     "required": ["path"]})");
  BOOST_TEST(deep_arguments(schema, 1, {{"path", "/x"}}).value_or("") == R"({"path":"/x","inner":{"path":"text"}})");
}
