#include "policy/preferences.hpp"

#define BOOST_TEST_MODULE bridge_preferences_test
#include <boost/test/unit_test.hpp>

#include "scratch_folder.hpp"

using namespace toolwire;
using namespace toolwire::bridge;
using namespace std::chrono_literals;

namespace {

ToolDefinition tool_named(std::string name, bool enabled = true, bool approval = false) {
  ToolDefinition tool{.name = std::move(name)};
  tool.metadata.enabled_by_default = enabled;
  tool.metadata.requires_approval = approval;
  return tool;
}

struct Reading {
  explicit Reading(std::string_view text) : preferences(Preferences::read(text, "p.json", problems)) {}
  std::vector<ManifestProblem> problems;
  Preferences preferences;
  std::string messages() const {
    std::string all;
    for (const ManifestProblem& problem : problems) all += problem.message() + "\n";
    return all;
  }
  Verdict verdict(const ToolDefinition& tool, const Json& arguments = JsonObject{}) const {
    return preferences.judge(tool, arguments).verdict;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_not_stated_is_left_to_the_manifest) {
  const Reading read(R"j({"tools": {"a": {}}})j");
  BOOST_TEST(read.problems.empty());
  for (const char* const name : {"a", "b"}) {
    BOOST_TEST(read.preferences.is_enabled(tool_named(name)));
    BOOST_TEST(!read.preferences.is_enabled(tool_named(name, false)));
    BOOST_TEST((read.verdict(tool_named(name)) == Verdict::allow));
    BOOST_TEST((read.verdict(tool_named(name, true, true)) == Verdict::ask));
  }
}

BOOST_AUTO_TEST_CASE(the_user_has_the_last_word) {
  const Reading read(R"j({"tools": {
    "off": {"enabled": false}, "on": {"enabled": true}, "ask": {"approval": "require"}, "go": {"approval": "skip"}}})j");
  BOOST_TEST(read.problems.empty());
  BOOST_TEST(!read.preferences.is_enabled(tool_named("off")));
  BOOST_TEST(read.preferences.is_enabled(tool_named("on", false)));
  BOOST_TEST((read.verdict(tool_named("ask")) == Verdict::ask));
  BOOST_TEST((read.verdict(tool_named("go", true, true)) == Verdict::allow));
}

BOOST_AUTO_TEST_CASE(of_keys_without_a_star_the_first_counts) {
  for (const auto& [keys, description] : {std::pair(R"("far_read": {"description": "one"}, "far/read": {})", "one"),
                                          std::pair(R"("far/read": {"description": "two"}, "far_read": {})", "two"),
                                          std::pair(R"("far*": {}, "far/read": {"description": "two"})", "two")}) {
    const Reading read(R"({"tools": {)" + std::string(keys) + "}}");
    BOOST_TEST(read.preferences.preference("far_read", "far/read").description.value_or("") == description, keys);
  }
}

BOOST_AUTO_TEST_CASE(a_star_speaks_for_tools_without_an_entry) {
  const Reading read(R"j({"tools": {"*": {"approval": "require", "cache_seconds": 5}, "a": {}}})j");
  BOOST_TEST((read.verdict(tool_named("other")) == Verdict::ask));
  BOOST_TEST((read.verdict(tool_named("a")) == Verdict::allow));
  BOOST_TEST((read.preferences.cache_time("other") == 5s));
  BOOST_TEST((read.preferences.cache_time("a") == 0s));
}

BOOST_AUTO_TEST_CASE(the_first_rule_that_fits_the_arguments_decides) {
  const Reading read(R"j({"tools": {"rm": {"approval": "skip", "permissions": [
    {"arguments": {"properties": {"path": {"pattern": "^/etc"}}, "required": ["path"]}, "decision": "deny",
     "reason": "system files"},
    {"arguments": {"properties": {"recursive": {"const": true}}, "required": ["recursive"]}, "decision": "ask"}]}}})j");
  BOOST_TEST(read.messages() == "");
  const ToolDefinition tool = tool_named("rm");
  BOOST_TEST((read.verdict(tool, JsonObject{{"path", "/etc/passwd"}, {"recursive", true}}) == Verdict::deny));
  BOOST_TEST(read.preferences.judge(tool, JsonObject{{"path", "/etc"}}).reason == "system files");
  BOOST_TEST((read.verdict(tool, JsonObject{{"path", "x"}, {"recursive", true}}) == Verdict::ask));
  BOOST_TEST((read.verdict(tool, JsonObject{{"path", "x"}}) == Verdict::allow));
}

BOOST_AUTO_TEST_CASE(an_approval_nobody_knows_requires_one) {
  const Reading read("{\"tools\": {\n \"a\": {\"approval\": \"never\"}}}");
  BOOST_TEST((read.verdict(tool_named("a")) == Verdict::ask));
  BOOST_TEST(read.messages() ==
             "p.json:2: /tools/a/approval: expected \"require\" or \"skip\"; approval is required until then\n");
}

BOOST_AUTO_TEST_CASE(an_entry_with_a_mistake_fails_closed_and_leaves_the_others_alone) {
  const Reading read(R"j({"tools": {
    "misspelt": {"aproval": "require"}, "wrong": {"enabled": "yes"}, "none": 5, "fine": {"approval": "skip"},
    "rules": {"approval": "skip", "permissions": [{"decision": "allow"}, {"decision": "perhaps"}]}}})j");
  BOOST_TEST(read.problems.size() == 4);
  BOOST_TEST((read.verdict(tool_named("misspelt")) == Verdict::ask));
  BOOST_TEST(!read.preferences.is_enabled(tool_named("wrong")));
  BOOST_TEST((read.verdict(tool_named("none")) == Verdict::ask));
  BOOST_TEST((read.verdict(tool_named("rules")) == Verdict::ask));
  BOOST_TEST((read.verdict(tool_named("fine", true, true)) == Verdict::allow));
}

BOOST_AUTO_TEST_CASE(whatever_is_wrong_in_an_entry_its_tool_needs_approval) {
  for (const char* const wrong :
       {R"("enabled": null)", R"("permissions": null)", R"("cache_seconds": "an hour")", R"("cache_seconds": null)",
        R"("deadline_seconds": 0)", R"("name": null)", R"("output": {"lines": null})", R"("confinement": null)",
        R"("scopes": null)", R"("permissions": [{"decision": "allow", "reason": null}])"}) {
    const Reading read(R"({"tools": {"a": {"approval": "skip", )" + std::string(wrong) + "}}}");
    BOOST_TEST(read.problems.size() == 1, wrong);
    BOOST_TEST((read.verdict(tool_named("a")) == Verdict::ask), wrong);
  }
  for (const char* const member : {"enabled", "scopes"}) {
    const Reading read(R"({"tools": {"a": {")" + std::string(member) + "\": null}}}");
    BOOST_TEST(!read.preferences.is_enabled(tool_named("a")), member);
  }
}

BOOST_AUTO_TEST_CASE(what_stands_in_the_place_of_the_entries_and_is_none_is_a_mistake) {
  for (const char* const wrong : {"null", "[]", "0"}) {
    const Reading read(R"({"tools": )" + std::string(wrong) + "}");
    BOOST_TEST(read.problems.size() == 1, wrong);
    BOOST_TEST((read.verdict(tool_named("a")) == Verdict::ask), wrong);
  }
  for (const char* const empty : {"{}", R"({"tools": {}})"}) {
    const Reading read(empty);
    BOOST_TEST(read.problems.empty(), empty);
    BOOST_TEST((read.verdict(tool_named("a")) == Verdict::allow), empty);
  }
}

/// JSON Schema ignores what it does not know: such a rule would allow anything.
BOOST_AUTO_TEST_CASE(a_rule_whose_schema_is_misspelt_allows_nothing) {
  for (const char* const schema :
       {R"({"properties": {"text": {"patern": "^safe"}}})", R"({"propertis": {"text": {"pattern": "^safe"}}})",
        R"({"allOf": [{"properties": {"text": {"not": {"anyOf": [{"cosnt": 1}]}}}}]})"}) {
    const Reading read(
        R"({"tools": {"say": {"approval": "require", "permissions": [{"decision": "allow", "arguments": )" +
        std::string(schema) + "}]}}}");
    BOOST_TEST(read.problems.size() == 1, schema);
    BOOST_TEST((read.verdict(tool_named("say"), JsonObject{{"text", "rm -rf"}}) == Verdict::ask), schema);
  }
  const Reading right(R"j({"tools": {"say": {"approval": "require", "permissions": [{"decision": "allow", "arguments":
      {"properties": {"text": {"pattern": "^safe", "x-why": 1}}, "dependentSchemas": {"patern": true}}}]}}})j");
  BOOST_TEST(right.problems.empty());
  BOOST_TEST((right.verdict(tool_named("say"), JsonObject{{"text", "safe"}}) == Verdict::allow));
}

BOOST_AUTO_TEST_CASE(a_rule_that_names_what_its_tool_does_not_take_allows_nothing) {
  const Reading read(R"j({"tools": {"say": {"approval": "skip", "permissions": [
      {"decision": "deny", "arguments": {"required": ["force"]}},
      {"decision": "allow", "arguments": {"properties": {"txt": {"pattern": "^safe"}}}}]}}})j");
  BOOST_TEST(read.problems.empty());
  ToolDefinition tool = tool_named("say");
  BOOST_TEST((read.verdict(tool) == Verdict::allow));  // who knows what it takes
  tool.parameters = toolwire::parse_json(R"({"type": "object", "properties": {"text": {}, "force": {}}})");
  BOOST_TEST((read.verdict(tool) == Verdict::ask));
  BOOST_TEST(read.preferences.judge(tool, JsonObject{}).reason.find("\"txt\"") != std::string::npos);
  tool.parameters = toolwire::parse_json(R"({"type": "object", "properties": {"txt": {}, "force": {}}})");
  BOOST_TEST((read.verdict(tool) == Verdict::allow));
}

BOOST_AUTO_TEST_CASE(scopes_of_all_keys_that_fit_count) {
  std::vector<ManifestProblem> problems;
  const auto preferences = Preferences::read(R"({"tools": {
      "files/*": {"scopes": ["files"]}, "files/write": {"rate_per_minute": 3}, "*_write": {"scopes": ["write", "files"]},
      "plain": {"enabled": true}}})",
                                             "f", problems);
  BOOST_TEST(problems.empty());
  using Scopes = std::vector<std::string>;
  BOOST_TEST(preferences.scopes("files_write", "files/write") == (Scopes{"files", "write"}));
  BOOST_TEST(preferences.scopes("anything", "files/read") == Scopes{"files"});
  BOOST_TEST(preferences.scopes("plain").empty());
  BOOST_TEST(preferences.need_scopes());
  BOOST_TEST(!Preferences::read(R"({"tools": {"plain": {"enabled": true}}})", "f", problems).need_scopes());
}

BOOST_AUTO_TEST_CASE(a_tool_whose_scopes_are_wrong_is_not_offered) {
  for (const char* const scopes : {R"("files")", "[]", R"(["two words"])", "[1]", R"([""])", "true"}) {
    std::vector<ManifestProblem> problems;
    const auto preferences =
        Preferences::read(std::string(R"({"tools": {"send": {"scopes": )") + scopes + "}}}", "f", problems);
    BOOST_TEST_REQUIRE(problems.size() == 1U, scopes);
    BOOST_TEST(problems[0].pointer == "/tools/send/scopes");
    BOOST_TEST(!preferences.is_enabled({.name = "send"}), scopes);
  }
}

BOOST_AUTO_TEST_CASE(a_confinement_has_the_form_that_bindings_have) {
  std::vector<ManifestProblem> problems;
  const Preferences read = Preferences::read(
      R"j({"tools": {"run_*": {"confinement": {"files": "workspace", "workspace": ["w", "/abs"], "network": "none"}}}})j",
      "/folder/p.json", problems);
  BOOST_TEST(problems.empty());
  const auto& confinement = read.preference("run_tests").confinement;
  BOOST_REQUIRE(confinement.has_value());
  BOOST_TEST((confinement->network == NetworkAccess::none));
  BOOST_TEST(confinement->workspace == (std::vector<std::string>{"/folder/w", "/abs"}),
             boost::test_tools::per_element());
  BOOST_TEST(!read.preference("other").confinement.has_value());
}

BOOST_AUTO_TEST_CASE(a_confinement_that_is_wrong_or_does_nothing_is_a_mistake) {
  for (const char* const wrong :
       {"5", "{}", R"({"network": "all"})", R"({"degraded": "allow"})", R"({"netwrk": "none"})",
        R"({"network": "off"})", R"({"files": "read-only", "workspace": ["x"]})", R"({"limits": {"memory": 1}})"}) {
    const Reading read("{\"tools\": {\n\"a\": {\"approval\": \"skip\", \"confinement\": " + std::string(wrong) + "}}}");
    BOOST_TEST_CONTEXT(wrong) {
      BOOST_TEST(read.problems.size() == 1U);
      BOOST_TEST(read.messages().starts_with("p.json:2: /tools/a/confinement"), read.messages());
      BOOST_TEST((read.verdict(tool_named("a")) == Verdict::ask));
    }
  }
}

BOOST_AUTO_TEST_CASE(where_the_file_cannot_be_read_every_tool_needs_approval) {
  for (const char* const text :
       {"{", "[]", R"j({"tool": {}})j", R"j({"tools": []})j", R"j({"tools":{},"tools":{}})j"}) {
    const Reading read(text);
    BOOST_TEST(!read.problems.empty(), text);
    BOOST_TEST((read.verdict(tool_named("any")) == Verdict::ask), text);
  }
  std::vector<ManifestProblem> problems;
  const Preferences missing = Preferences::read_file("/nonexistent/p.json", problems);
  BOOST_TEST(problems.size() == 1);
  BOOST_TEST((missing.judge(tool_named("any"), JsonObject{}).verdict == Verdict::ask));
}

BOOST_AUTO_TEST_CASE(a_file_is_read_like_its_text) {
  const toolwire_test::ScratchFolder folder;
  std::vector<ManifestProblem> problems;
  const Preferences read =
      Preferences::read_file(folder.file("p.json", R"j({"tools": {"a": {"enabled": false}}})j").string(), problems);
  BOOST_TEST(problems.empty());
  BOOST_TEST(!read.is_enabled(tool_named("a")));
  Preferences::read_file(folder.text(), problems);
  BOOST_TEST(problems.size() == 1);  // a folder
}
