#include <toolwire/bridge/manifest.hpp>

#define BOOST_TEST_MODULE bridge_served_list_test
#include <boost/test/unit_test.hpp>
#include <toolwire/bridge/bridge.hpp>
#include <toolwire/testing.hpp>

#include "commands/print_manifest.hpp"
#include "manifest_document.hpp"

using namespace toolwire;
using namespace toolwire::bridge;
using namespace toolwire_test;

namespace {

/// The manifest that a bridge serves, asked for by a client of this revision.
Json served_and_back(const Manifest& manifest, const std::string& revision) {
  Bridge bridge({.name = manifest.scenario.name, .version = manifest.scenario.version});
  bridge.provider("file", manifest.tools, manifest.categories);
  for (const ToolDefinition& tool : manifest.tools) {
    bridge.activities().add(tool.name, [](const Json&) { return Json(JsonObject{}); });
  }
  bridge.describe_list(list_meta(manifest));
  testing::Client client(bridge.server(), {.revision = revision});
  return to_json(manifest_from_server(served_list(client)));
}

Json in_both_eras(const std::string& text) {
  const Manifest manifest = read_manifest(text, "m.json").manifest.value();
  Json modern = served_and_back(manifest, "2026-07-28");
  BOOST_TEST(to_json_text(modern) == to_json_text(served_and_back(manifest, "2025-11-25")));
  return modern;
}

Manifest of_tools(const std::string& tools) {
  return manifest_from_server({"server", "2.0.0", "Does things", parse_json(tools).as_array(), {}});
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_manifest_of_the_document_comes_back_from_a_server_member_for_member) {
  BOOST_TEST(to_json_text(in_both_eras(seed_text())) == to_json_text(parse_json(seed_text())));
}

BOOST_AUTO_TEST_CASE(what_mcp_has_no_place_for_comes_back) {
  Json document = parse_json(seed_text());
  for (const char* const place :
       {"/extra", "/scenario/extra", "/tools/0/extra", "/tools/0/metadata/extra", "/categories/0/extra", "/_meta",
        "/tools/0/_meta", "/capabilities", "/tools/0/parameters/x-extra"}) {
    put(document, place, JsonObject{{"deep", JsonArray{1, nullptr, "x"}}});
  }
  put(document, "/tools/0/parameters/additionalProperties", false);
  put(document, "/tools/0/title", "Spawn");
  put(document, "/tools/0/_output", parse_json(R"({"type":"object"})"));
  BOOST_TEST(in_both_eras(to_json_text(document)) == document);
}

BOOST_AUTO_TEST_CASE(tools_that_are_not_enabled_come_back_in_their_places) {
  Json document = parse_json(seed_text());
  JsonArray& tools = document.at_pointer("/tools").as_array();
  for (const char* const name : {"b", "c", "d"}) {
    tools.push_back(parse_json(R"({"name":"","description":"d","parameters":{"type":"object"},
        "metadata":{"enabled_by_default":false,"requires_approval":true}})"));
    put(tools.back(), "/name", name);
    if (std::string_view(name) == "c") put(tools.back(), "/metadata/enabled_by_default", true);
  }
  BOOST_TEST(in_both_eras(to_json_text(document)) == document);
}

BOOST_AUTO_TEST_CASE(a_latent_tool_comes_back_without_what_was_added) {
  const Manifest manifest = read_manifest(R"({"protocol_version":"1.0","generated_at":"2026-01-01T00:00:00Z",
      "scenario":{"name":"s","version":"1.0.0","description":""},
      "tools":[{"name":"feel","description":"Feels","parameters":{"type":"object","properties":{"text":{"type":"string"}},
        "required":["text"]},"_output":{"type":"object"},"_activity":"",
        "metadata":{"enabled_by_default":true,"requires_approval":false}}]})",
                                          "m")
                                .manifest.value();
  BOOST_TEST(served_and_back(manifest, "2026-07-28") == to_json(manifest));
}

BOOST_AUTO_TEST_CASE(a_server_that_knows_no_manifests_gets_one) {
  const Manifest manifest = of_tools(R"([{"name":"read.file","title":"Read","description":"Reads",
      "inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{}},
      "annotations":{"readOnlyHint":true,"idempotentHint":true},"icons":[{"src":"data:,"}],"_meta":{"vendor/x":1}}])");
  BOOST_TEST(manifest.scenario.name == "server");
  BOOST_TEST(manifest.scenario.version == "2.0.0");
  BOOST_REQUIRE(manifest.tools.size() == 1U);
  BOOST_TEST(to_json_text(to_json(manifest.tools[0])) ==
             R"({"name":"read_file","title":"Read","description":"Reads","parameters":{"type":"object"},)"
             R"("_output":{"type":"object","properties":{}},"metadata":{"enabled_by_default":true,)"
             R"("requires_approval":false,"idempotent":true,"modifies_state":false},"_meta":{"vendor/x":1,)"
             R"("dev.toolwire/name":"read.file","dev.toolwire/tool":{"annotations":{"readOnlyHint":true,)"
             R"("idempotentHint":true},"icons":[{"src":"data:,"}]}}})");
  BOOST_TEST(original_name(manifest.tools[0]) == "read.file");
  BOOST_TEST(read_manifest(to_manifest_text(manifest), "again").problems.empty());
}

BOOST_AUTO_TEST_CASE(names_are_mapped_collisions_numbered_and_originals_kept) {
  const Manifest manifest = of_tools(R"([{"name":"a-b"},{"name":"a.b"},{"name":"a_b"},{"name":"é"},{"name":""}])");
  std::vector<std::string> names;
  std::vector<std::string> originals;
  for (const ToolDefinition& tool : manifest.tools) {
    names.push_back(tool.name);
    originals.push_back(original_name(tool));
  }
  BOOST_TEST(names == (std::vector<std::string>{"a_b", "a_b_2", "a_b_3", "_", "__2"}),
             boost::test_tools::per_element());
  BOOST_TEST(originals == (std::vector<std::string>{"a-b", "a.b", "a_b", "é", ""}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_tool_that_says_it_destroys_needs_approval) {
  BOOST_TEST(of_tools(R"([{"name":"a","annotations":{"destructiveHint":true}}])").tools[0].metadata.requires_approval);
  BOOST_TEST(!of_tools(R"([{"name":"a"}])").tools[0].metadata.requires_approval);
}

BOOST_AUTO_TEST_CASE(hostile_lists_give_a_manifest_or_nothing_worse) {
  for (const char* const tools :
       {"[1,null,[],{}]", R"([{"name":1,"inputSchema":7,"_meta":[],"description":{}}])",
        R"([{"name":"a","inputSchema":{"required":[]},"_meta":{"dev.toolwire/added":[1,"","/","/inputSchema/",)"
        R"("/inputSchema/required/18446744073709551615","/inputSchema/x/y","/name","inputSchema"],)"
        R"("dev.toolwire/metadata":{"category":[]},"dev.toolwire/members":{"name":"other"}}}])"}) {
    for (const ToolDefinition& tool : of_tools(tools).tools) BOOST_TEST(tool.name != "other");
  }
  const Manifest odd = manifest_from_server(
      {"s",
       "1",
       "",
       {},
       parse_json(R"({"dev.toolwire/manifest":{"tools":3,"scenario":4},"dev.toolwire/categories":[1],
        "dev.toolwire/unlisted":[1,{"position":-5,"tool":{"name":"x"}},{"position":99,"tool":2}]})")
           .as_object()});
  BOOST_TEST(odd.tools.front().name == "x");
}
