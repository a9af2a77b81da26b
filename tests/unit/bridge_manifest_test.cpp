#include <toolwire/bridge/manifest.hpp>

#define BOOST_TEST_MODULE bridge_manifest_test
#include <boost/test/unit_test.hpp>

#include "manifest_document.hpp"

using namespace toolwire;
using namespace toolwire::bridge;
using namespace toolwire_test;

BOOST_AUTO_TEST_CASE(the_manifest_of_the_document_is_read) {
  const Manifest manifest = load_manifest(seed_path);
  BOOST_TEST(manifest.protocol_version == "1.0");
  BOOST_TEST(manifest.scenario.name == "agent-manager");
  BOOST_TEST(manifest.scenario.base_url == "http://localhost:15000");
  BOOST_TEST(manifest.generated_at == "2024-01-15T10:30:00Z");
  BOOST_REQUIRE(manifest.categories.size() == 1U);
  BOOST_TEST(manifest.categories[0].icon == "play");
  BOOST_REQUIRE(manifest.tools.size() == 1U);
  const ToolDefinition& tool = manifest.tools[0];
  BOOST_TEST(tool.name == "spawn_coding_agent");
  BOOST_TEST(tool.category == "agent_lifecycle");
  BOOST_TEST(tool.metadata.enabled_by_default);
  BOOST_TEST(!tool.metadata.requires_approval);
  BOOST_TEST(tool.metadata.timeout_seconds.value() == 30);
  BOOST_TEST(tool.metadata.rate_limit_per_minute.value() == 10);
  BOOST_TEST(tool.metadata.long_running.value());
  BOOST_TEST(!tool.metadata.idempotent.value());
  BOOST_TEST(tool.metadata.tags.size() == 3U);
  BOOST_TEST(!tool.metadata.modifies_state.has_value());
}

BOOST_AUTO_TEST_CASE(the_manifest_of_the_document_comes_back_member_for_member) {
  const std::string again = to_manifest_text(load_manifest(seed_path));
  BOOST_TEST(to_json_text(parse_json(again)) == to_json_text(parse_json(seed_text())));
}

BOOST_AUTO_TEST_CASE(additional_properties_false_survives) {
  const std::string text = with("/tools/0/parameters/additionalProperties", false);
  const Manifest manifest = read_manifest(text, "m.json").manifest.value();
  BOOST_TEST(to_json_text(to_json(manifest)) == text);
  BOOST_TEST(manifest.tools[0].parameters.at_pointer("/additionalProperties") == Json(false));
}

BOOST_AUTO_TEST_CASE(unknown_members_are_kept_in_every_place) {
  Json document = parse_json(seed_text());
  for (const char* const place :
       {"/extra", "/scenario/extra", "/tools/0/extra", "/tools/0/metadata/extra", "/categories/0/extra",
        "/tools/0/metadata/examples/0/extra", "/capabilities", "/_meta"}) {
    put(document, place, JsonObject{{"deep", JsonArray{1, nullptr, "x"}}});
  }
  const std::string text = to_json_text(document);
  BOOST_TEST(to_json_text(to_json(read_manifest(text, "m.json").manifest.value())) == text);
  BOOST_TEST(hinted(text, "/tools/0/metadata/extra"));
  BOOST_TEST(!hinted(text, "/capabilities"));
}

BOOST_AUTO_TEST_CASE(what_is_absent_and_what_is_false_stay_what_they_are) {
  Json document = parse_json(seed_text());
  JsonObject& metadata = document.at_pointer("/tools/0/metadata").as_object();
  metadata.erase("long_running");
  metadata["tags"] = JsonArray{};
  metadata["modifies_state"] = nullptr;
  document.as_object().erase("categories");
  document.at_pointer("/tools/0").as_object().erase("category");
  const std::string text = to_json_text(document);
  BOOST_TEST(to_json_text(to_json(read_manifest(text, "m.json").manifest.value())) == text);
}

BOOST_AUTO_TEST_CASE(camel_case_is_understood_and_written_in_snake_case) {
  std::string text = seed_text();
  const auto rename = [&](const std::string& from, const std::string& to) {
    const auto at = text.find('"' + from + '"');
    BOOST_REQUIRE(at != std::string::npos);
    text.replace(at + 1, from.size(), to);
  };
  rename("protocol_version", "protocolVersion");
  rename("base_url", "baseUrl");
  rename("enabled_by_default", "enabledByDefault");
  rename("requires_approval", "requiresApproval");
  rename("timeout_seconds", "timeoutSeconds");
  rename("rate_limit_per_minute", "rateLimitPerMinute");
  rename("cost_estimate", "costEstimate");
  rename("long_running", "longRunning");
  rename("generated_at", "generatedAt");
  const ManifestReading reading = read_manifest(text, "m.json");
  BOOST_TEST(reading.hints.empty());
  BOOST_TEST(to_json_text(to_json(reading.manifest.value())) == to_json_text(parse_json(seed_text())));
}

BOOST_AUTO_TEST_CASE(changed_fields_are_written_in_their_places) {
  Manifest manifest = load_manifest(seed_path);
  manifest.tools[0].metadata.timeout_seconds = 60;
  manifest.tools[0].metadata.cost_estimate.reset();
  manifest.tools[0].description = "Changed";
  Json expected = parse_json(seed_text());
  put(expected, "/tools/0/metadata/timeout_seconds", 60);
  expected.at_pointer("/tools/0/metadata").as_object().erase("cost_estimate");
  put(expected, "/tools/0/description", "Changed");
  BOOST_TEST(to_json(manifest) == expected);
}

BOOST_AUTO_TEST_CASE(a_manifest_without_document_has_all_that_is_always_there) {
  Manifest manifest;
  manifest.scenario = {"s", "1.0.0", "A scenario", ""};
  manifest.generated_at = "2026-01-01T00:00:00Z";
  BOOST_TEST(to_json_text(to_json(manifest)) ==
             R"({"protocol_version":"1.0","scenario":{"name":"s","version":"1.0.0","description":"A scenario"},)"
             R"("tools":[],"generated_at":"2026-01-01T00:00:00Z"})");
  manifest.tools.push_back({.name = "t", .description = "d", .parameters = JsonObject{{"type", "object"}}});
  BOOST_TEST(to_json_text(to_json(manifest.tools[0])) ==
             R"({"name":"t","description":"d","parameters":{"type":"object"},)"
             R"("metadata":{"enabled_by_default":true,"requires_approval":false}})");
  BOOST_TEST(manifest_problems(to_manifest_text(manifest)).empty());
}

BOOST_AUTO_TEST_CASE(a_whole_number_may_be_written_with_a_fraction_of_zero) {
  std::string text = seed_text();
  text.replace(text.find("30,"), 2, "30.0");
  BOOST_TEST(read_manifest(text, "m").manifest.value().tools[0].metadata.timeout_seconds.value() == 30);
}

BOOST_AUTO_TEST_CASE(a_manifest_of_others_may_leave_out_flags_and_then_needs_approval) {
  const std::string text = without("/tools/0", "metadata");
  BOOST_TEST(manifest_problems(text).size() == 1U);
  const ManifestReading fetched = read_manifest(text, "m.json", ManifestOrigin::fetched);
  BOOST_TEST(fetched.manifest.value().tools[0].metadata.requires_approval);
  BOOST_TEST(!fetched.manifest.value().tools[0].metadata.enabled_by_default);
}

BOOST_AUTO_TEST_CASE(meta_fields_among_the_parameters_take_their_places) {
  Json document = parse_json(seed_text());
  put(document, "/tools/0/parameters/properties/_output", JsonObject{{"type", "object"}});
  put(document, "/tools/0/parameters/properties/_activity", JsonObject{{"const", "spawn"}});
  put(document, "/tools/0/parameters/properties/_tool", JsonObject{{"const", "spawn_coding_agent"}});
  document.at_pointer("/tools/0/parameters/required").as_array().push_back("_tool");
  const std::string text = to_json_text(document);
  const Manifest manifest = read_manifest(text, "m.json").manifest.value();
  const ToolDefinition& tool = manifest.tools[0];
  BOOST_TEST(tool.parameters == parse_json(seed_text()).at_pointer("/tools/0/parameters"));
  BOOST_TEST(tool.output == Json(JsonObject{{"type", "object"}}));
  BOOST_TEST(tool.activity.value() == "spawn");
  BOOST_TEST(to_json_text(to_json(manifest)) == text);
}
