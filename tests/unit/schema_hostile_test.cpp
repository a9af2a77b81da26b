// Schemas and values made to hurt: each must end soon, with a clear error.
#include "toolwire/schema.hpp"

#define BOOST_TEST_MODULE schema_hostile
#include <boost/test/unit_test.hpp>
#include <limits>

namespace {

using toolwire::Json;
using toolwire::JsonArray;
using toolwire::JsonObject;
using toolwire::parse_json;
using toolwire::Schema;
using toolwire::SchemaError;
using toolwire::SchemaOptions;

std::string refusal(const Json& schema, const SchemaOptions& options = {}) {
  try {
    Schema::compile(schema, options);
    return "";
  } catch (const SchemaError& error) {
    return error.what();
  }
}

bool mentions(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

BOOST_AUTO_TEST_CASE(references_that_never_end_are_refused) {
  const char* endless = "would never end";
  BOOST_TEST(mentions(refusal(parse_json(R"({"$ref": "#"})")), endless));
  BOOST_TEST(mentions(
      refusal(
          parse_json(R"({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"})")),
      endless));
  BOOST_TEST(mentions(refusal(parse_json(R"({"type": "object", "anyOf": [{"not": {"$ref": "#"}}]})")), endless));
  BOOST_TEST(mentions(refusal(parse_json(R"({"if": {"allOf": [{"$ref": "#"}]}})")), endless));
  BOOST_TEST(mentions(refusal(parse_json(R"({"$dynamicAnchor": "a", "$dynamicRef": "#a"})")), endless));
  BOOST_TEST(refusal(parse_json(R"({"properties": {"next": {"$ref": "#"}}})")) == "");
}

BOOST_AUTO_TEST_CASE(a_dynamic_circle_ends_with_the_depth) {
  // Statically the reference leads to a harmless anchor; the scope makes it lead back.
  const Schema schema = Schema::compile(parse_json(R"({"$id": "http://x/root", "$dynamicAnchor": "a", "$ref": "leaf",
      "$defs": {"leaf": {"$id": "leaf", "$dynamicRef": "#a", "$defs": {"harmless": {"$dynamicAnchor": "a"}}}}})"));
  BOOST_TEST(!schema.is_valid(Json(1)));
  const auto violations = schema.validate(Json(1));
  BOOST_REQUIRE(violations.size() == 1);
  BOOST_TEST(mentions(violations[0].message, "more steps or deeper nesting"));
}

BOOST_AUTO_TEST_CASE(references_lead_nowhere_without_a_fetch) {
  BOOST_TEST(mentions(refusal(parse_json(R"({"$ref": "http://example.com/x"})")), "nothing is fetched"));
  BOOST_TEST(mentions(refusal(parse_json(R"({"$ref": "file:///etc/passwd"})")), "nothing is fetched"));
  BOOST_TEST(mentions(refusal(parse_json(R"({"$ref": "#/$defs/gone"})")), "leads nowhere"));
  BOOST_TEST(mentions(refusal(parse_json(R"({"$ref": "#gone"})")), "no schema there has the anchor"));
  BOOST_TEST(mentions(refusal(parse_json(R"({"$ref": "#/%zz"})")), "broken percent escape"));
}

BOOST_AUTO_TEST_CASE(one_name_cannot_mean_two_schemas) {
  BOOST_TEST(mentions(refusal(parse_json(R"({"$defs": {"a": {"$id": "http://x/a"}, "b": {"$id": "http://x/a"}}})")),
                      "two different schemas"));
  BOOST_TEST(mentions(refusal(parse_json(R"({"$defs": {"a": {"$anchor": "n"}, "b": {"$anchor": "n"}}})")),
                      "used by two schemas"));
}

BOOST_AUTO_TEST_CASE(a_schema_nested_too_deep_is_refused) {
  Json schema = true;
  for (int level = 0; level < 129; ++level) schema = JsonObject{{"not", schema}};
  BOOST_TEST(mentions(refusal(schema), "nested deeper than 128 levels"));
}

BOOST_AUTO_TEST_CASE(too_many_subschemas_are_refused) {
  JsonArray branches;
  for (int index = 0; index < 50; ++index) branches.push_back(JsonObject{{"minimum", index}});
  SchemaOptions options;
  options.max_subschemas = 50;
  BOOST_TEST(mentions(refusal(JsonObject{{"allOf", branches}}, options), "more than 50 subschemas"));
}

BOOST_AUTO_TEST_CASE(a_long_chain_of_references_neither_recurses_nor_is_refused) {
  JsonObject definitions;
  for (int index = 0; index < 20'000; ++index) {
    definitions["d" + std::to_string(index)] = JsonObject{{"$ref", "#/$defs/d" + std::to_string(index + 1)}};
  }
  definitions["d20000"] = JsonObject{{"type", "string"}};
  const Schema schema = Schema::compile(JsonObject{{"$ref", "#/$defs/d0"}, {"$defs", definitions}});
  BOOST_TEST(!schema.is_valid(Json(1)));
}

/// Every level refers twice to the next: 2^30 ways through it.
Json exponential() {
  JsonObject definitions;
  for (int index = 0; index < 30; ++index) {
    const Json next = JsonObject{{"$ref", "#/$defs/d" + std::to_string(index + 1)}};
    const Json again = JsonObject{{"minimum", 0}, {"$ref", "#/$defs/d" + std::to_string(index + 1)}};
    definitions["d" + std::to_string(index)] = JsonObject{{"anyOf", {next, again}}};
  }
  definitions["d30"] = JsonObject{{"minimum", 7}};
  return JsonObject{{"$ref", "#/$defs/d0"}, {"$defs", definitions}};
}

BOOST_AUTO_TEST_CASE(a_value_that_takes_too_many_steps_is_refused_and_says_so) {
  SchemaOptions options;
  options.step_budget = 100'000;
  const Schema schema = Schema::compile(exponential(), options);
  BOOST_TEST(!schema.is_valid(Json(1)));
  const auto violations = schema.validate(Json(1));
  BOOST_REQUIRE(!violations.empty());
  BOOST_TEST(mentions(violations[0].message, "more steps or deeper nesting"));
  Json negated = exponential();
  negated.as_object()["not"] = JsonObject{{"$ref", "#/$defs/d0"}};
  negated.as_object().erase("$ref");
  BOOST_TEST(!Schema::compile(negated, options).is_valid(Json(1)));  // spent is spent: `not` makes no yes of it
}

BOOST_AUTO_TEST_CASE(a_value_nested_deeper_than_the_evaluation_may_go_is_refused) {
  const Schema schema = Schema::compile(parse_json(R"({"items": {"$ref": "#"}, "maxItems": 1})"));
  Json value = JsonArray{};
  for (int level = 0; level < 1500; ++level) {
    JsonArray outer;
    outer.push_back(std::move(value));
    value = std::move(outer);
  }
  BOOST_TEST(!schema.is_valid(value));
  BOOST_TEST(!schema.validate(value).empty());
}

BOOST_AUTO_TEST_CASE(the_list_of_violations_is_bounded) {
  JsonArray value(5000, Json(1));
  const auto violations = Schema::compile(parse_json(R"({"items": {"type": "string"}})")).validate(value);
  BOOST_TEST(violations.size() == 1000U);
  BOOST_TEST(violations.back().message == "there are more violations than are listed");
}

BOOST_AUTO_TEST_CASE(patterns_that_blow_up_elsewhere_run_in_linear_time) {
  const Schema schema = Schema::compile(parse_json(R"({"pattern": "^(a+)+$"})"));
  BOOST_TEST(!schema.is_valid(Json(std::string(200'000, 'a') + "b")));
  BOOST_TEST(mentions(refusal(parse_json(R"({"pattern": "((a{500}){500}){500}"})")), "#/pattern"));
}

BOOST_AUTO_TEST_CASE(numbers_that_are_no_json_are_survived) {
  const Schema schema =
      Schema::compile(parse_json(R"({"type": "integer", "multipleOf": 3, "maximum": 4, "enum": [1, 2]})"));
  for (const double odd :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e308, -0.0, 5e-324}) {
    BOOST_TEST(!schema.is_valid(Json(odd)));
    BOOST_TEST(!schema.validate(Json(odd)).empty());
  }
}

}  // namespace
