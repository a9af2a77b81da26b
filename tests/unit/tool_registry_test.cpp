#include "features/tool_registry.hpp"

#define BOOST_TEST_MODULE tool_registry_test
#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>

using namespace toolwire;
using features::ToolRegistry;

namespace {

std::shared_ptr<const features::ServedTool> named(const std::string& name) {
  features::SerialLines lines;
  return features::serve(make_tool({.name = name}, [] { return "x"; }), BadSchema::refuse, lines);
}

std::string names_of(const ToolRegistry& registry) {
  std::string names;
  for (const auto listed = registry.list(); const auto& served : *listed.items) names += served->tool.info.name + " ";
  return names;
}

}  // namespace

BOOST_AUTO_TEST_CASE(tools_are_listed_in_the_order_of_their_registration) {
  ToolRegistry registry;
  for (const char* name : {"zebra", "ant", "Bee"}) registry.add(named(name));
  BOOST_TEST(names_of(registry) == "zebra ant Bee ");
  registry.remove("ant");
  registry.add(named("ant"));
  BOOST_TEST(names_of(registry) == "zebra Bee ant ");
}

BOOST_AUTO_TEST_CASE(a_name_is_taken_once) {
  ToolRegistry registry;
  registry.add(named("a"));
  BOOST_CHECK_EXCEPTION(registry.add(named("a")), std::invalid_argument, [](const std::exception& error) {
    return std::string(error.what()).find("tool \"a\": ") == 0;
  });
  registry.add(named("A"));
  BOOST_TEST(names_of(registry) == "a A ");
}

BOOST_AUTO_TEST_CASE(names_that_clients_cannot_use_are_refused) {
  for (const std::string& name : {std::string(), std::string("a b"), std::string("a/b"), std::string("\xc3\xa4"),
                                  std::string(129, 'x'), std::string("a\0", 2)}) {
    BOOST_CHECK_THROW(named(name), std::invalid_argument);
  }
  named(std::string(128, 'x'));
  named("aZ0_-.");
}

BOOST_AUTO_TEST_CASE(an_input_schema_that_is_no_object_schema_is_refused) {
  for (const char* schema : {"null", "{}", "true", R"({"type":"array"})", R"({"type":["object","null"]})"}) {
    const Tool tool = make_tool({.name = "t", .input_schema = parse_json(schema)}, [](const Json&) { return "x"; });
    features::SerialLines lines;
    BOOST_CHECK_THROW(features::serve(tool, BadSchema::refuse, lines), std::invalid_argument);
  }
}

BOOST_AUTO_TEST_CASE(parameters_that_no_header_field_could_repeat_are_refused) {
  const auto tool_with = [](const std::string& properties) {
    return make_tool({.name = "t", .input_schema = parse_json(R"({"type":"object","properties":)" + properties + "}")},
                     [](const Json&) { return "x"; });
  };
  features::SerialLines lines;
  struct Wrong {
    const char* properties;
    const char* why;
  };
  for (const Wrong& wrong :
       {Wrong{R"({"a":{"type":"string","x-mcp-header":"A b"}})", "is no name of a header field"},
        Wrong{R"({"a":{"type":"string","x-mcp-header":7}})", "is no name of a header field"},
        Wrong{R"({"a":{"type":"number","x-mcp-header":"A"}})", "neither string, integer nor boolean"},
        Wrong{R"({"a":{"type":"object","x-mcp-header":"A"}})", "neither string, integer nor boolean"},
        Wrong{R"({"a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}})", "by properties alone"},
        Wrong{R"({"a":{"anyOf":[{"type":"string","x-mcp-header":"A"}]}})", "by properties alone"},
        Wrong{R"({"a":{"$defs":{"b":{"type":"string","x-mcp-header":"A"}}}})", "by properties alone"},
        Wrong{R"({"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"integer","x-mcp-header":"a"}})",
              "two of its parameters have the x-mcp-header"}}) {
    BOOST_TEST_INFO(wrong.properties);
    BOOST_CHECK_EXCEPTION(features::serve(tool_with(wrong.properties), BadSchema::refuse, lines), std::invalid_argument,
                          [&](const std::exception& error) {
                            const std::string text = error.what();
                            return text.starts_with("tool \"t\": ") && text.find(wrong.why) != std::string::npos;
                          });
    const auto kept = features::serve(tool_with(wrong.properties), BadSchema::fail_calls, lines);
    BOOST_TEST(kept->unusable.find(wrong.why) != std::string::npos);
    BOOST_TEST(kept->tool.info.input_schema == Json(JsonObject{{"type", "object"}}));
  }
  for (const char* const fine :
       {R"({"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"boolean","x-mcp-header":"B"}})",
        R"({"x-mcp-header":{"type":"string"}})", R"({"a":{"default":{"x-mcp-header":7},"enum":[{"x-mcp-header":7}]}})",
        R"({"a":{"properties":{"b":{"type":"integer","x-mcp-header":"B"}}}})",
        R"({"a":{"$defs":{"x-mcp-header":{"type":"string"}}}})"}) {
    BOOST_TEST_INFO(fine);
    BOOST_CHECK_NO_THROW(features::serve(tool_with(fine), BadSchema::refuse, lines));
  }
}

BOOST_AUTO_TEST_CASE(the_version_differs_whenever_the_list_does) {
  ToolRegistry registry;
  const auto empty = registry.list().version;
  registry.add(named("a"));
  const auto one = registry.list().version;
  BOOST_TEST(one != empty);
  BOOST_TEST(registry.list().version == one);
  BOOST_TEST(!registry.remove("b"));
  BOOST_TEST(registry.list().version == one);
  BOOST_TEST(registry.remove("a"));
  BOOST_TEST(registry.list().version != one);
}

BOOST_AUTO_TEST_CASE(a_tool_that_is_removed_lives_as_long_as_somebody_holds_it) {
  ToolRegistry registry;
  registry.add(named("a"));
  const auto held = registry.find("a");
  const auto listed = registry.list().items;
  registry.remove("a");
  BOOST_TEST(registry.find("a") == nullptr);
  BOOST_TEST(held->tool.info.name == "a");
  BOOST_TEST(listed->size() == 1u);
}
