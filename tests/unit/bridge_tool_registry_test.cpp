#include <toolwire/bridge/tool_registry.hpp>

#define BOOST_TEST_MODULE tool registry
#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>

using namespace toolwire;
using namespace toolwire::bridge;

namespace {

std::string refusal_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

ToolDefinition named(const char* name) { return {.name = name}; }

std::string names_in(const ToolRegistry& tools) {
  std::string names;
  for (const auto listed = tools.list(); const ToolPointer& tool : *listed)
    names.append(names.empty() ? "" : " ").append(tool->definition.name);
  return names;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_native_schema_is_split_into_parameters_and_meta_fields) {
  const ToolDefinition tool = definition_from_schema(parse_json(
      R"({"type":"object","title":"Mail","description":"Sends","additionalProperties":false,
          "properties":{"_tool":{"const":"mail"},"to":{"type":"string"},"_activity":{"const":"smtp"},
                        "_output":{"type":"boolean"}},
          "required":["_tool","to","_output"]})"));
  BOOST_TEST(tool.name == "mail");
  BOOST_TEST(tool.title == "Mail");
  BOOST_TEST(tool.description == "Sends");
  BOOST_TEST(*tool.activity == "smtp");
  BOOST_TEST(tool.output == parse_json(R"({"type":"boolean"})"));
  BOOST_TEST(tool.parameters == parse_json(R"({"type":"object","additionalProperties":false,
      "properties":{"to":{"type":"string"}},"required":["to"]})"));
}

BOOST_AUTO_TEST_CASE(a_name_may_come_from_the_registration_but_not_differ_from_the_schemas) {
  const Json schema = parse_json(R"({"type":"object","properties":{"_tool":{"const":"mail"}}})");
  BOOST_TEST(definition_from_schema(parse_json(R"({"type":"object"})"), "post").name == "post");
  BOOST_TEST(says(refusal_of([&] { definition_from_schema(schema, "post"); }), "/properties/_tool"));
  BOOST_TEST(says(refusal_of([] { definition_from_schema(parse_json(R"({"type":"object"})")); }), "_tool"));
}

BOOST_AUTO_TEST_CASE(every_problem_of_a_schema_is_named_at_once) {
  const std::string why = refusal_of([] {
    definition_from_schema(parse_json(R"({"type":"array","description":7,"properties":{"_tool":{"const":"x"},
      "_scopes":{},"_imports":{},"_mine":{}}})"));
  });
  for (const char* part : {"/type", "/description", "_scopes", "_imports", "_mine"}) BOOST_TEST(says(why, part), part);
}

BOOST_AUTO_TEST_CASE(parameters_that_no_header_field_could_repeat_are_refused) {
  ToolDefinition tool = named("routed");
  tool.parameters = parse_json(R"({"type":"object","properties":{"a":{"type":"number","x-mcp-header":"A"}}})");
  for (const SchemaCare care : {SchemaCare::refuse, SchemaCare::note}) {
    ToolRegistry tools;
    const std::string why = refusal_of([&] { tools.tool(tool, care); });
    BOOST_TEST(says(why, "tool \"routed\": its x-mcp-header \"A\" is of a parameter that is neither"), why);
    BOOST_TEST(!tools.find("routed"));
  }
}

BOOST_AUTO_TEST_CASE(the_output_keeps_the_definitions_it_refers_to) {
  ToolRegistry tools;
  tools.tool(parse_json(R"({"type":"object","properties":{"_tool":{"const":"x"},"_output":{"$ref":"#/$defs/word"}},
    "$defs":{"word":{"type":"string"}}})"));
  BOOST_TEST(tools.find("x")->output->is_valid("text"));
  BOOST_TEST(!tools.find("x")->output->is_valid(7));
}

BOOST_AUTO_TEST_CASE(a_registration_that_fails_changes_nothing) {
  ToolRegistry tools;
  tools.tool(named("kept"));
  std::vector<ToolDefinition> broken{named("fine"), named("not fine"), named("kept")};
  broken[0].parameters = parse_json(R"({"type":"object","properties":{"a":{"type":"nothing"}}})");
  broken[0].output = parse_json(R"({"minimum":"x"})");
  const std::string why = refusal_of([&] { tools.provider("p", broken); });
  BOOST_TEST(says(why, "its parameters cannot be used"));
  BOOST_TEST(says(why, "its `_output` cannot be used"));
  BOOST_TEST(says(why, "tool \"not fine\": a name has"));
  BOOST_TEST(names_in(tools) == "kept");
  BOOST_TEST(says(refusal_of([&] { tools.provider("p", {named("kept")}); }), "has the name of one"));
  BOOST_TEST(says(refusal_of([&] { tools.tool(named("kept")); }), "kept"));
  BOOST_TEST(says(refusal_of([&] { tools.provider("p", {named("a"), named("a")}); }), "described twice"));
  BOOST_TEST(names_in(tools) == "kept");
}

BOOST_AUTO_TEST_CASE(a_provider_is_replaced_in_its_place) {
  ToolRegistry tools;
  tools.tool(named("first"));
  tools.provider("p", {named("a"), named("b")}, {{.id = "c", .name = "C"}});
  tools.tool(named("last"));
  int told = 0;
  tools.on_change([&] { ++told; });
  tools.provider("p", {named("b"), named("d")});
  BOOST_TEST(names_in(tools) == "first b d last");
  BOOST_TEST(tools.categories().empty());
  BOOST_TEST(told == 1);
  BOOST_TEST(!tools.find("a"));
  BOOST_TEST(tools.remove_provider("p"));
  BOOST_TEST(!tools.remove_provider("p"));
  BOOST_TEST(tools.remove("first"));
  BOOST_TEST(!tools.remove("first"));
  BOOST_TEST(names_in(tools) == "last");
}

BOOST_AUTO_TEST_CASE(categories_of_providers_must_agree) {
  ToolRegistry tools;
  tools.provider("p", {named("a")}, {{.id = "c", .name = "Coding"}});
  BOOST_TEST(says(refusal_of([&] { tools.provider("q", {named("b")}, {{.id = "c", .name = "Cooking"}}); }), "Cooking"));
  tools.provider("q", {named("b")}, {{.id = "c", .name = "Coding"}, {.id = "d", .name = "D"}});
  BOOST_TEST(tools.categories().size() == 2u);
}

BOOST_AUTO_TEST_CASE(tools_of_others_are_taken_as_they_are_with_a_note) {
  ToolRegistry tools;
  ToolDefinition tool = named("theirs");
  tool.parameters = parse_json(R"json({"type":"object","properties":{"_cursor":{"type":"string"},
    "a":{"type":"string","pattern":"(?=x)"}}})json");
  BOOST_TEST(says(refusal_of([&] { tools.tool(tool); }), "_cursor"));
  tools.tool(tool, SchemaCare::note);
  BOOST_TEST(tools.find("theirs")->meta_names == std::vector<std::string>{"_cursor"});
  BOOST_TEST(tools.find("theirs")->notes.size() == 1u);
}
