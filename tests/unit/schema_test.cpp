#include "toolwire/schema.hpp"

#define BOOST_TEST_MODULE schema
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <string>

namespace {

using toolwire::Json;
using toolwire::parse_json;
using toolwire::Schema;
using toolwire::SchemaError;
using toolwire::SchemaOptions;

Schema compiled(std::string_view schema, const SchemaOptions& options = {}) {
  return Schema::compile(parse_json(schema), options);
}

/// The sentences of all violations, one a line.
std::string explained(std::string_view schema, std::string_view value, const SchemaOptions& options = {}) {
  std::string lines;
  for (const auto& violation : compiled(schema, options).validate(parse_json(value))) lines += violation.text() + "\n";
  return lines;
}

std::string refusal(std::string_view schema, const SchemaOptions& options = {}) {
  try {
    compiled(schema, options);
    return "";
  } catch (const SchemaError& error) {
    BOOST_TEST(std::string(error.what()).starts_with(error.pointer + ": "));
    return error.what();
  }
}

BOOST_AUTO_TEST_CASE(violations_read_like_sentences_with_a_path) {
  const char* schema = R"({"type": "object", "properties": {"limit": {"type": "integer", "minimum": 1, "maximum": 100},
      "files": {"type": "array", "items": {"type": "string"}}, "mode": {"enum": ["fast", "slow"]}},
      "required": ["query"], "additionalProperties": false})";
  BOOST_TEST(explained(schema, R"({"limit": 999, "files": [7], "mode": "medium", "extra": 1})") ==
             "query: missing\n"
             "limit: 999 is not between 1 and 100\n"
             "files[0]: expected a string\n"
             "mode: expected one of \"fast\", \"slow\"\n"
             "extra: unknown member; known are limit, files, mode\n");
}

BOOST_AUTO_TEST_CASE(a_violation_names_its_places_in_value_and_schema) {
  const auto all = compiled(R"({"properties": {"a/b": {"items": {"maxLength": 2}}}})")
                       .validate(parse_json(R"({"a/b": ["x", "long"]})"));
  BOOST_REQUIRE(all.size() == 1);
  BOOST_TEST(all[0].instance_path == "/a~1b/1");
  BOOST_TEST(all[0].display_path == "[\"a/b\"][1]");
  BOOST_TEST(all[0].schema_path == "#/properties/a~1b/items/maxLength");
  BOOST_TEST(all[0].keyword == "maxLength");
  BOOST_TEST(all[0].message == "has 4 characters; expected at most 2");
}

BOOST_AUTO_TEST_CASE(a_missing_member_is_a_violation_of_its_object) {
  const auto all = compiled(R"({"properties": {"in": {"required": ["x"]}}})").validate(parse_json(R"({"in": {}})"));
  BOOST_REQUIRE(all.size() == 1);
  BOOST_TEST(all[0].instance_path == "/in");
  BOOST_TEST(all[0].display_path == "in.x");
}

BOOST_AUTO_TEST_CASE(an_exclusive_bound_refuses_itself_and_no_neighbour) {
  const auto is_valid = [](const std::string& keyword, double bound, double value) {
    return compiled("{\"" + keyword + "\": " + toolwire::to_json_text(Json(bound)) + "}").is_valid(Json(value));
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (double bound : {0.0, 1.5, -1.5, 5e-324, -5e-324, 2.2250738585072014e-308, 0.1, -1e300}) {
    BOOST_TEST_CONTEXT(bound) {
      BOOST_TEST(!is_valid("exclusiveMinimum", bound, bound));
      BOOST_TEST(is_valid("exclusiveMinimum", bound, std::nextafter(bound, infinity)));
      BOOST_TEST(!is_valid("exclusiveMaximum", bound, bound));
      BOOST_TEST(is_valid("exclusiveMaximum", bound, std::nextafter(bound, -infinity)));
    }
  }
}

BOOST_AUTO_TEST_CASE(each_keyword_explains_itself) {
  BOOST_TEST(explained(R"({"type": ["string", "null"]})", "1") == "expected a string or null\n");
  BOOST_TEST(explained(R"({"type": "integer"})", "1.5") == "expected an integer\n");
  BOOST_TEST(explained(R"({"exclusiveMinimum": 5})", "5") == "5 is not greater than 5\n");
  BOOST_TEST(explained(R"({"maximum": 5})", "6") == "6 is not at most 5\n");
  BOOST_TEST(explained(R"({"multipleOf": 0.1})", "0.25") == "0.25 is not a multiple of 0.1\n");
  BOOST_TEST(explained(R"({"pattern": "^a"})", "\"b\"") == "\"b\" does not match the pattern ^a\n");
  BOOST_TEST(explained(R"({"const": 3})", "4") == "expected 3\n");
  BOOST_TEST(explained(R"({"minItems": 2})", "[1]") == "has 1 item; expected at least 2\n");
  BOOST_TEST(explained(R"({"maxProperties": 0})", R"({"a": 1})") == "has 1 member; expected at most 0\n");
  BOOST_TEST(explained(R"({"uniqueItems": true})", "[1, 1.0]") == "two items are equal; all must differ\n");
  BOOST_TEST(explained(R"({"not": {"type": "null"}})", "null") == "must not fit the schema under \"not\"\n");
  BOOST_TEST(explained(R"({"contains": {"const": 1}})", "[2]") == "0 items fit \"contains\"; expected at least 1\n");
  BOOST_TEST(explained(R"({"propertyNames": {"maxLength": 1}})", R"({"ab": 1})") ==
             "the member name \"ab\" does not fit: has 2 characters; expected at most 1\n");
  BOOST_TEST(explained(R"({"dependentRequired": {"a": ["b"]}})", R"({"a": 1})") == "b: missing; needed beside \"a\"\n");
  BOOST_TEST(explained(R"({"dependentSchemas": {"a": {"required": ["b"]}, "c": {"required": ["d"]}}})",
                       R"({"a": 1})") == "b: missing\n");
  BOOST_TEST(explained(R"({"additionalProperties": false})", R"({"a{b": 1})") == "[\"a{b\"]: unknown member\n");
  BOOST_TEST(explained("false", "1") == "no value is allowed here\n");
  BOOST_TEST(explained(R"({"properties": {"x": false}})", R"({"x": 1})") == "x: is not allowed here\n");
  BOOST_TEST(explained(R"({"unevaluatedProperties": false, "allOf": [{"properties": {"a": {}}}]})",
                       R"({"a": 1, "b": 2})") == "b: is not allowed here\n");
}

BOOST_AUTO_TEST_CASE(a_choice_explains_the_closest_alternative) {
  const char* schema =
      R"({"anyOf": [{"type": "string"}, {"type": "object", "properties": {"n": {"minimum": 3}}, "required": ["n", "m"]},
                           {"type": "object", "required": ["n"], "properties": {"n": {"type": "string"}}}]})";
  BOOST_TEST(explained(schema, R"({"n": 1})") == "fits none of the 3 alternatives; closest: n: expected a string\n");
  BOOST_TEST(explained(schema, "1") == "expected a string or an object\n");
  BOOST_TEST(explained(R"({"oneOf": [{"minimum": 1}, {"maximum": 9}, {"const": 20}]})", "5") ==
             "fits the alternatives 1, 2 of 3; expected exactly one\n");
}

const char* const tagged = R"({"oneOf": [
  {"type": "object", "properties": {"kind": {"const": "circle"}, "r": {"type": "number"}}, "required": ["kind", "r"]},
  {"type": "object", "properties": {"kind": {"enum": ["box", "square"]}, "w": {"type": "number"}}, "required": ["kind", "w"]}]})";

BOOST_AUTO_TEST_CASE(a_tag_leads_straight_to_the_alternative_it_names) {
  BOOST_TEST(explained(tagged, R"({"kind": "square", "w": 2})") == "");
  BOOST_TEST(explained(tagged, R"({"kind": "circle", "w": 2})") == "r: missing\n");
  BOOST_TEST(explained(tagged, R"({"kind": "line"})") == "kind: expected one of \"circle\", \"box\", \"square\"\n");
  BOOST_TEST(explained(tagged, R"({"r": 1})") == "kind: missing; expected one of \"circle\", \"box\", \"square\"\n");
  BOOST_TEST(explained(tagged, "7") == "expected an object\n");
}

BOOST_AUTO_TEST_CASE(the_dialect_is_taken_from_the_schema_or_else_from_the_options) {
  const char* tuple = R"({"items": [{"type": "string"}]})";
  SchemaOptions old;
  old.default_dialect = toolwire::SchemaDialect::draft_07;
  BOOST_TEST(explained(tuple, "[1]", old) == "[0]: expected a string\n");
  BOOST_TEST(refusal(tuple).find("prefixItems") != std::string::npos);
  BOOST_TEST(explained(R"({"dependencies": {"a": ["b"], "c": {"$id": "#text", "type": "object"}},
                           "properties": {"x": {"$ref": "#text"}}})",
                       R"({"x": 1})", old) == "x: expected an object\n");
  const auto schema = compiled(R"({"$schema": "http://json-schema.org/draft-07/schema#", "items": [true]})");
  BOOST_TEST((schema.dialect() == toolwire::SchemaDialect::draft_07));
}

BOOST_AUTO_TEST_CASE(another_dialect_is_refused_by_name) {
  BOOST_TEST(refusal(R"({"$schema": "http://json-schema.org/draft-04/schema#"})")
                 .find("\"http://json-schema.org/draft-04/schema#\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_keyword_of_the_wrong_shape_is_refused_with_its_place) {
  BOOST_TEST(refusal(R"({"properties": {"a": {"minLength": -1}}})") ==
             "#/properties/a/minLength: expected a whole number of at least 0");
  BOOST_TEST(
      refusal(R"({"$defs": {"unused": {"type": "text"}}})").starts_with("#/$defs/unused/type: expected one of null"));
  BOOST_TEST(refusal(R"({"required": ["a", "a"]})") == "#/required: expected an array of distinct strings");
  BOOST_TEST(refusal(R"({"allOf": []})") == "#/allOf: expected an array of schemas, not empty");
  BOOST_TEST(refusal(R"({"multipleOf": 0})") == "#/multipleOf: expected a number greater than 0");
  BOOST_TEST(refusal(R"({"$anchor": "a", "$dynamicAnchor": "a"})").empty());  // two names of one place
  BOOST_TEST(refusal("7") == "#: expected a schema (an object or a boolean)");
  BOOST_TEST(refusal(R"({"$ref": "#/x/y", "x": {"y": {"pattern": 3}}})") == "#/x/y/pattern: expected a string");
}

BOOST_AUTO_TEST_CASE(formats_describe_unless_they_are_asserted) {
  const char* schema = R"({"format": "ipv4"})";
  BOOST_TEST(explained(schema, "\"1.2.3.400\"") == "");
  SchemaOptions strict;
  strict.assert_formats = true;
  BOOST_TEST(explained(schema, "\"1.2.3.400\"", strict) == "\"1.2.3.400\" is not a valid ipv4\n");
  BOOST_TEST(compiled(R"({"format": "color"})", strict).notes().size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_pattern_that_cannot_run_is_refused_or_noted) {
  const char* schema =
      R"x({"properties": {"a": {"pattern": "^(?=x)"}}, "patternProperties": {"(?!y)": false}, "additionalProperties": false})x";
  BOOST_TEST(refusal(schema).find("look-ahead") != std::string::npos);
  SchemaOptions lenient;
  lenient.unsupported_pattern = toolwire::UnsupportedPattern::annotate;
  const auto schema_without = compiled(schema, lenient);
  BOOST_TEST(schema_without.notes().size() == 2U);
  BOOST_TEST(schema_without.is_valid(parse_json(R"({"a": "q", "b": 1})")));  // the pattern may have matched b
  const char* unclosed = "{\"pattern\": \"(\"}";
  BOOST_CHECK_THROW(compiled(unclosed, lenient), SchemaError);
}

BOOST_AUTO_TEST_CASE(numbers_are_compared_exactly) {
  BOOST_TEST(compiled(R"({"const": 1})").is_valid(Json(1.0)));
  BOOST_TEST(compiled(R"({"enum": [9007199254740993]})").is_valid(Json(9007199254740993)));
  BOOST_TEST(!compiled(R"({"enum": [9007199254740993]})").is_valid(Json(9007199254740992.0)));
  BOOST_TEST(!compiled(R"({"maximum": 18446744073709551614})").is_valid(Json(18446744073709551615U)));
  BOOST_TEST(compiled(R"({"multipleOf": 0.1})").is_valid(Json(-3.3)));
  BOOST_TEST(compiled(R"({"type": "integer"})").is_valid(Json(5.0)));
  BOOST_TEST(compiled(R"({"items": {"type": "integer", "maximum": 3}})").is_valid(parse_json("[1, 2.0, 3]")));
  BOOST_TEST(!compiled(R"({"items": {"type": "integer", "maximum": 3}})").is_valid(parse_json("[1, 2.5]")));
  BOOST_TEST(
      !compiled(R"({"items": {"type": "number", "maximum": 3}})").is_valid(parse_json("[1, 18446744073709551615]")));
}

BOOST_AUTO_TEST_CASE(lengths_count_code_points) {
  BOOST_TEST(compiled(R"({"maxLength": 2})").is_valid(Json("\xf0\x9f\x92\xa9\xc3\xa4")));
  BOOST_TEST(!compiled(R"({"minLength": 3})").is_valid(Json("\xf0\x9f\x92\xa9\xc3\xa4")));
}

BOOST_AUTO_TEST_CASE(unevaluated_members_are_tracked_in_large_objects_too) {
  toolwire::JsonObject properties;
  toolwire::JsonObject value;
  for (int index = 0; index < 300; ++index) {
    properties["p" + std::to_string(index)] = true;
    value["p" + std::to_string(index)] = index;
  }
  const Schema schema = Schema::compile(toolwire::JsonObject{
      {"allOf", {toolwire::JsonObject{{"properties", properties}}}}, {"unevaluatedProperties", false}});
  BOOST_TEST(schema.is_valid(value));
  value["q"] = 1;
  BOOST_TEST(!schema.is_valid(value));
}

BOOST_AUTO_TEST_CASE(what_a_failed_alternative_evaluated_does_not_count) {
  const char* schema =
      R"({"anyOf": [{"properties": {"a": true, "b": {"const": 1}}, "required": ["b"]}, {"properties": {"c": true}}],
                           "unevaluatedProperties": false})";
  BOOST_TEST(explained(schema, R"({"c": 1})") == "");
  BOOST_TEST(explained(schema, R"({"a": 1, "b": 2})") == "a: is not allowed here\nb: is not allowed here\n");
}

BOOST_AUTO_TEST_CASE(a_schema_of_a_back_end_may_refer_to_documents_given) {
  SchemaOptions options;
  options.documents.emplace("http://example.com/item",
                            parse_json(R"({"type": "string", "$defs": {"n": {"$anchor": "num", "type": "number"}}})"));
  BOOST_TEST(explained(R"({"items": {"$ref": "http://example.com/item"}})", "[1]", options) ==
             "[0]: expected a string\n");
  BOOST_TEST(explained(R"({"items": {"$ref": "http://example.com/item#num"}})", "[1]", options) == "");
}

}  // namespace
