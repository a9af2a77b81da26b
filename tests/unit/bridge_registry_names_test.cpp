#include "commands/registry_names.hpp"

#define BOOST_TEST_MODULE bridge_registry_names_test
#include <boost/test/unit_test.hpp>

#include <toolwire/bridge/manifest.hpp>

using namespace toolwire;
using namespace toolwire::bridge;

namespace {

std::shared_ptr<const Preferences> preferences_of(std::string_view text) {
  std::vector<ManifestProblem> problems;
  auto read = std::make_shared<const Preferences>(Preferences::read(text, "p.json", problems));
  BOOST_TEST(problems.empty());
  return read;
}

ToolDefinition tool_named(std::string name) {
  return {.name = std::move(name), .parameters = JsonObject{{"type", "object"}}};
}

struct Fixture {
  ToolRegistry tools;
  RegistryNames names{tools};
  std::shared_ptr<const Preferences> none = preferences_of("{}");
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(tools_are_known_by_their_names_as_long_as_they_are_there, Fixture) {
  BOOST_TEST(!names.has("a", none));
  tools.tool(tool_named("a"));
  BOOST_TEST(names.has("a", none));
  BOOST_TEST(!names.has("b", none));
  tools.tool(tool_named("b"));
  BOOST_TEST(names.has("b", none));
  tools.remove("a");
  BOOST_TEST(!names.has("a", none));
  BOOST_TEST(names.has("b", none));
}

BOOST_FIXTURE_TEST_CASE(a_name_that_the_user_gave_counts_as_long_as_it_is_given, Fixture) {
  tools.tool(tool_named("a"));
  const auto renamed = preferences_of(R"j({"tools": {"a": {"name": "wanted"}}})j");
  BOOST_TEST(names.has("wanted", renamed));
  BOOST_TEST(names.has("a", renamed));
  BOOST_TEST(!names.has("wanted", none));
}

BOOST_FIXTURE_TEST_CASE(a_tool_of_another_server_is_known_by_its_name_there, Fixture) {
  ToolDefinition tool = tool_named("far_read");
  tool.native = JsonObject{{"_meta", JsonObject{{"dev.toolwire/name", "read"}}}};
  tools.tool(tool);
  BOOST_TEST(original_name(tool) == "read");
  BOOST_TEST(names.has("read", none));
  BOOST_TEST(names.has("far_read", none));
}
