#include <toolwire/bridge/composition.hpp>

#define BOOST_TEST_MODULE composition
#include <boost/test/unit_test.hpp>

#include <string>

#include <toolwire/schema.hpp>

using namespace toolwire;
using namespace toolwire::bridge;

namespace {

struct Fixture {
  ToolRegistry tools;
  ActivityRegistry activities;

  void add_sentiment() {
    tools.tool(parse_json(R"({"type":"object","description":"Analyzes text sentiment","properties":{
      "text":{"type":"string"},"_tool":{"const":"sentiment"},
      "_output":{"type":"object","properties":{"mood":{"type":"string"}}}},"required":["text"],
      "additionalProperties":false})"));
  }
  void add_weather() {
    tools.tool(parse_json(R"({"type":"object","properties":{
      "z":{"$ref":"#/$defs/place"},"a":{"type":"integer"},"_tool":{"const":"weather"},
      "_output":{"$ref":"#/$defs/place"}},"required":["z"],"$defs":{"place":{"type":"string"}}})"));
    activities.add("weather", [](const Json&) { return Json("sunny"); });
  }
  std::string text(const ComposeOptions& options = {}) const {
    return to_json_text(compose(*tools.list(), activities, options));
  }
  Json choice(std::size_t index, const ComposeOptions& options = {}) const {
    return compose(*tools.list(), activities, options).at("properties").at("calls").at("items").at("anyOf").at(index);
  }
};

std::string names_of(const Json& object) {
  std::string names;
  for (const auto& member : object.get_object()) names.append(names.empty() ? "" : " ").append(member.key());
  return names;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_tool_becomes_these_bytes, Fixture) {
  add_sentiment();
  BOOST_TEST(
      text() ==
      R"({"type":"object","properties":{"calls":{"type":"array","items":{"anyOf":[)"
      R"({"type":"object","description":"Analyzes text sentiment","properties":{)"
      R"("_tool":{"type":"string","const":"sentiment"},"_activity":{"type":"string","const":""},)"
      R"("_reasoningForCall":{"type":"string","description":"Why this call is made"},)"
      R"("_output":{"type":"object","properties":{"mood":{"type":"string"}}},)"
      R"("text":{"type":"string"}},"required":["_tool","_activity","_output","text"],"additionalProperties":false}]}}},)"
      R"("required":["calls"]})");
  BOOST_TEST(text({.bare = true}).starts_with(R"({"calls":{"type":"array","items":{"anyOf":[)"));
}

BOOST_FIXTURE_TEST_CASE(equal_registries_compose_equal_bytes_whatever_happened_to_them_before, Fixture) {
  add_sentiment();
  add_weather();
  const std::string once = text();
  BOOST_TEST(text() == once);
  activities.remove("weather");
  BOOST_TEST(text() != once);
  activities.add("weather", [](const Json&) { return Json("rain"); });
  BOOST_TEST(text() == once);
}

BOOST_FIXTURE_TEST_CASE(meta_fields_come_first_and_parameters_in_their_authors_order, Fixture) {
  add_weather();
  BOOST_TEST(names_of(choice(0).at("properties")) == "_tool _activity _reasoningForCall _output z a");
  BOOST_TEST(names_of(choice(0, {.output_last = true}).at("properties")) ==
             "_tool _activity _reasoningForCall z a _output");
}

BOOST_FIXTURE_TEST_CASE(stripping_takes_the_output_from_explicit_tools_only, Fixture) {
  add_sentiment();
  add_weather();
  const ComposeOptions strip{.output = ComposeOptions::Output::strip};
  BOOST_TEST(choice(0, strip).at("properties").at("_output").at("type").get_string() == "object");
  BOOST_TEST(!choice(1, strip).at("properties").get_object().contains("_output"));
}

BOOST_FIXTURE_TEST_CASE(references_lead_to_where_the_schema_now_stands, Fixture) {
  add_sentiment();
  add_weather();
  const Schema schema = Schema::compile(compose(*tools.list(), activities));
  BOOST_TEST(schema.is_valid(parse_json(
      R"({"calls":[{"_tool":"weather","_activity":"weather","z":"Bergen","_output":null},
                   {"_tool":"sentiment","_activity":"","text":"x","_output":{"mood":"good"}}]})")));
  BOOST_TEST(!schema.is_valid(parse_json(R"({"calls":[{"_tool":"weather","_activity":"weather","z":7}]})")));
  BOOST_TEST(
      !schema.is_valid(parse_json(R"({"calls":[{"_tool":"sentiment","_activity":"","text":"x","_output":null}]})")));
  BOOST_TEST(!schema.is_valid(parse_json(R"({"calls":[{"_tool":"weather","_activity":"","z":"Bergen"}]})")));
}
