#include "http/current_manifest.hpp"

#define BOOST_TEST_MODULE bridge_current_manifest_test
#include <boost/test/unit_test.hpp>

#include "manifest_document.hpp"

using namespace toolwire;
using namespace toolwire::bridge;
using namespace toolwire_test;

namespace {

ToolDefinition tool_named(const std::string& name, const std::string& category = {}) {
  return {.name = name, .description = "d", .category = category, .parameters = JsonObject{{"type", "object"}}};
}

struct Served {
  Served() { registry.provider("file", base.tools, base.categories); }
  const Manifest base = load_manifest(seed_path);
  ToolRegistry registry;
  CurrentManifest current{base, registry};
};

}  // namespace

BOOST_AUTO_TEST_CASE(what_a_file_says_stands_until_the_registry_changes) {
  Served served;
  const auto first = served.current.get();
  BOOST_TEST(to_json(*first) == parse_json(seed_text()));
  BOOST_TEST((served.current.get() == first));
  served.registry.tool(tool_named("another"));
  const auto second = served.current.get();
  BOOST_TEST(second->generated_at != first->generated_at);
  BOOST_TEST(second->generated_at == served.registry.generated_at());
  BOOST_TEST(second->tools.size() == 2U);
  BOOST_TEST(second->scenario.name == "agent-manager");
}

BOOST_AUTO_TEST_CASE(several_providers_make_one_manifest_in_the_order_of_their_registration) {
  Served served;
  served.registry.provider("more", {tool_named("b", "extra"), tool_named("a", "agent_lifecycle")},
                           {{.id = "extra", .name = "Extra"}});
  const auto manifest = served.current.get();
  std::vector<std::string> names;
  for (const ToolDefinition& tool : manifest->tools) names.push_back(tool.name);
  BOOST_TEST(names == (std::vector<std::string>{"spawn_coding_agent", "b", "a"}), boost::test_tools::per_element());
  BOOST_TEST(manifest->categories.size() == 2U);
  BOOST_TEST(read_manifest(to_manifest_text(*manifest), "again").problems.empty());
}

BOOST_AUTO_TEST_CASE(an_empty_registry_has_an_empty_list_and_a_time) {
  const ToolRegistry registry;
  CurrentManifest current({.scenario = {"s", "1.0.0", "d", ""}}, registry);
  const Json document = to_json(*current.get());
  BOOST_TEST(document.at("tools") == Json(JsonArray{}));
  BOOST_TEST(document.at("generated_at").is_string());
}
