#include "pack/rules.hpp"

#define BOOST_TEST_MODULE pack_rules_test
#include <boost/test/unit_test.hpp>

#include <iostream>
#include <string>
#include <string_view>
#include <toolwire/schema.hpp>
#include <utility>
#include <vector>

#include "file_content.hpp"
#include "pack/bundle.hpp"
#include "pack/details.hpp"
#include "pack/registry_entry.hpp"

using namespace toolwire;
using namespace toolwire::pack;

namespace {

Package some_package() {
  return {.name = "io.github.me/notes",
          .short_name = "notes",
          .npm_name = "@me/notes",
          .version = "1.2.3-rc.1",
          .title = "Notes",
          .description = "Keeps notes",
          .author = "Me",
          .license = "MIT",
          .repository = "https://github.com/me/notes",
          .bundle_url = "https://github.com/me/notes/releases/download/v1/notes.mcpb",
          .arguments = arguments_from({"--log={folder:log}", "{folders:notes}"}, {}),
          .program = {.content = "program", .architecture = "x64"},
          .tools = {{"add", "Adds a note"}, {"list", ""}}};
}

Json manifest() { return parse_json(bundle_files(some_package()).front().content); }

/// The value at a path such as "server/type", with another value there, given as JSON.
Json with(Json file, const std::string& path, const std::string& value) {
  file.at_pointer("/" + path) = parse_json(value);
  return file;
}

Json without(Json file, const std::string& name) {
  file.as_object().erase(name);
  return file;
}

std::vector<Json> wrong_manifests() {
  const Json good = manifest();
  std::vector<Json> wrong;
  const std::vector<std::pair<const char*, const char*>> changes{{"manifest_version", R"("0.2")"},
                                                                 {"name", "1"},
                                                                 {"author", R"("Me")"},
                                                                 {"server/type", R"("native")"},
                                                                 {"server/mcp_config/args", R"("x")"},
                                                                 {"server/mcp_config/env", R"({"A": 1})"},
                                                                 {"tools", R"([{"name": 1}])"},
                                                                 {"tools_generated", R"("no")"},
                                                                 {"compatibility/platforms", R"(["plan9"])"},
                                                                 {"user_config/notes/type", R"("folder")"},
                                                                 {"user_config/notes/multiple", "2"}};
  wrong.reserve(changes.size());
  for (const auto& [path, value] : changes) wrong.push_back(with(good, path, value));
  for (const char* const name : {"name", "version", "description", "author", "server"})
    wrong.push_back(without(good, name));
  Json more = good;
  more.as_object()["surplus"] = 1;
  wrong.push_back(more);
  return wrong;
}

}  // namespace

BOOST_AUTO_TEST_CASE(wrong_manifests_are_refused) {
  BOOST_CHECK_NO_THROW(require_rules(manifest(), bundle_rules(), "it"));
  for (const Json& wrong : wrong_manifests())
    BOOST_CHECK_THROW(require_rules(wrong, bundle_rules(), "it"), std::logic_error);
  BOOST_CHECK_THROW(require_rules(with(manifest(), "version", R"("1.0")"), bundle_rules(), "it"), std::logic_error);
}

// Skipped where the schema of the format is not there.
BOOST_AUTO_TEST_CASE(the_schema_of_the_format_says_the_same) {
  const std::string text = toolwire_test::content_of(TOOLWIRE_SHARED_DIR "/mcpb/mcpb-manifest-v0.3.schema.json");
  if (text.empty()) {
    std::cerr << "SKIPPED: there is no mcpb/mcpb-manifest-v0.3.schema.json in " TOOLWIRE_SHARED_DIR "\n";
    return;
  }
  const Schema format = Schema::compile(parse_json(text));
  BOOST_TEST(format.is_valid(manifest()));
  for (const Json& wrong : wrong_manifests()) BOOST_TEST(!format.is_valid(wrong), to_json_text(wrong));
}

BOOST_AUTO_TEST_CASE(wrong_entries_of_the_registry_are_refused) {
  const Json good = parse_json(registry_entry(some_package(), "the bundle", true));
  BOOST_CHECK_NO_THROW(require_rules(good, registry_rules(), "it"));
  const auto quoted = [](const std::string& text) { return "\"" + text + "\""; };
  const std::vector<std::pair<const char*, std::string>> changes{
      {"name", quoted("notes")},
      {"version", quoted("latest")},
      {"version", quoted("^1.2.3")},
      {"description", quoted(std::string(101, 'd'))},
      {"description", quoted("")},
      {"repository/source", quoted("elsewhere")},
      {"packages", "[]"},
      {"packages/0/fileSha256", quoted(std::string(64, 'A'))},
      {"packages/0/identifier", quoted("https://example.com/notes")},
      {"packages/1/packageArguments/0/type", quoted("named")},
      {"packages/1/version", quoted("1")}};
  for (const auto& [path, value] : changes)
    BOOST_CHECK_THROW(require_rules(with(good, path, value), registry_rules(), "it"), std::logic_error);
  BOOST_CHECK_THROW(require_rules(without(good, "$schema"), registry_rules(), "it"), std::logic_error);
}

// sha256sum says so of the same bytes.
BOOST_AUTO_TEST_CASE(an_entry_names_what_there_is) {
  Package package = some_package();
  const Json both = parse_json(registry_entry(package, "hello", true));
  BOOST_TEST(both.at("packages").at(0).at("fileSha256").as_string() ==
             "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
  BOOST_TEST(both.at("packages").at(0).as_object().contains("version") == false);  // the registry refuses it
  BOOST_TEST(both.at("packages").at(1).at("registryType").as_string() == "npm");
  BOOST_TEST(both.at("repository").at("source").as_string() == "github");
  package.repository = "https://example.com/notes";
  const Json neither = parse_json(registry_entry(package, std::nullopt, false));
  BOOST_TEST(!neither.as_object().contains("packages"));
  BOOST_TEST(!neither.as_object().contains("repository"));
}

BOOST_AUTO_TEST_CASE(versions_are_those_of_semver) {
  for (const char* const version : {"0.0.0", "1.2.3", "1.2.3-alpha.1", "1.2.3-0a", "1.0.0+build.01", "10.20.30-x+y"})
    BOOST_TEST(is_version(version), version);
  for (const char* const version : {"", "1", "1.2", "v1.2.3", "01.2.3", "1.2.3-01", "1.2.3-", "1.2.3 ", "^1.2.3",
                                    "latest", "1.2.x", "1.2.3.4", "1.2.3\n"})
    BOOST_TEST(!is_version(version), version);
}
