// `toolwire-bridge serve` as a host uses it: the manifest of the discovery document, and tools of other servers.
#include <toolwire/client.hpp>

#define BOOST_TEST_MODULE bridge_serve_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "serve_bench.hpp"

using namespace toolwire;
using namespace toolwire_test;
using namespace std::chrono_literals;
using Fixture = ServeFixture;

BOOST_FIXTURE_TEST_CASE(the_tool_of_the_document_is_served_as_the_mapping_says, Fixture) {
  for (const std::string& revision : eras) {
    Client client(serve(), {.revision = revision});
    BOOST_TEST(client.server().name == "agent-manager");
    const std::vector<ListedTool> tools = client.list_tools();
    BOOST_REQUIRE(tools.size() == 1);
    BOOST_TEST(tools[0].name == "spawn_coding_agent");
    BOOST_TEST(tools[0].description == "Spawn a coding agent to execute a software engineering task");
    BOOST_TEST(tools[0].input_schema.at_pointer("/properties/runner_type/default") == "claude-code");
    const Json& meta = tools[0].raw.at("_meta").at("dev.toolwire/metadata");
    BOOST_TEST(meta.at("cost_estimate") == "high");
    BOOST_TEST(meta.at("category") == "agent_lifecycle");
    const CallResult result = client.call("spawn_coding_agent", task);
    BOOST_TEST(!result.is_error);
    BOOST_TEST(result.text().find("r-1") != std::string::npos);
    BOOST_TEST(client.call("spawn_coding_agent", JsonObject{}).text().find("task") != std::string::npos);
  }
}

BOOST_FIXTURE_TEST_CASE(the_manifest_comes_back_member_for_member, Fixture) {
  folder.file("seed.json", seed_text());
  const ProgramRun ended = run({"manifest", "--", bridge_program, "serve", path("seed.json")});
  BOOST_TEST(ended.status == 0);
  BOOST_TEST(to_json_text(parse_json(ended.out)) == to_json_text(manifest));
}

BOOST_FIXTURE_TEST_CASE(the_deadline_of_the_manifest_holds, Fixture) {
  metadata("timeout_seconds") = 1;
  bind(R"j({"process": {"argv": ["/bin/sleep", "600"]}})j");
  for (const std::string& revision : eras) {
    Client client(serve(), {.revision = revision});
    const CallResult result = client.call("spawn_coding_agent", task);
    BOOST_TEST(code_of(result) == "timeout");
    BOOST_TEST(result.text().find("timed out after 1 s") != std::string::npos);
  }
}

BOOST_FIXTURE_TEST_CASE(problems_at_the_start_are_told_with_their_places_and_take_nothing_else_down, Fixture) {
  Json second = manifest.at_pointer("/tools/0");
  second.as_object()["name"] = "broken";
  second.as_object()["parameters"] = JsonArray{};
  manifest.at("tools").as_array().push_back(second);
  folder.file("tools.bindings.json", R"j({"bindings": {
    "spawn_coding_agent": {"constant": {"result": 1}}, "broken": {"mcp": {"server": "nowhere"}}}})j");
  const std::string file = write_manifest();
  const ProgramRun ended = run({"serve", file, "--list"});
  BOOST_TEST(ended.status == 0);
  BOOST_TEST(ended.out.find("spawn_coding_agent") != std::string::npos);
  BOOST_TEST(ended.out.find("broken") == std::string::npos);
  BOOST_TEST(ended.errors.find(file) != std::string::npos);
  BOOST_TEST(ended.errors.find("/tools/1/parameters") != std::string::npos);
  BOOST_TEST(ended.errors.find("/bindings/broken/mcp/server") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(people_can_call_a_tool_without_a_host, Fixture) {
  const ProgramRun ended = run({"serve", write_manifest(), "--call", "spawn_coding_agent", R"j({"task": "x"})j"});
  BOOST_TEST(ended.status == 0);
  BOOST_TEST(ended.out.find("r-1") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(tools_of_another_server_are_offered_and_judged_alike, Fixture) {
  const std::string file = folder
                               .file("preferences.json", R"j({"tools": {"add": {"permissions": [
        {"arguments": {"properties": {"a": {"const": 13}}, "required": ["a"]}, "decision": "deny"}]}}})j")
                               .string();
  Client client(serve({"--server", "hello=" TOOLWIRE_BIN_DIR "/hello", "--preferences", file, "--audit", path("log")}));
  BOOST_TEST(client.call("add", {{"a", 1}, {"b", 2}}).text() == "3");
  BOOST_TEST(code_of(client.call("add", {{"a", 13}, {"b", 2}})) == "denied");
  BOOST_TEST(content_of(path("log")).find("\"tool\":\"add\"") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_disabled_tool_of_another_server_is_not_listed_until_the_user_wants_it, Fixture) {
  const std::string file = folder.file("preferences.json", R"j({"tools": {"add": {"enabled": false}}})j").string();
  Client client(serve({"--server", "hello=" TOOLWIRE_BIN_DIR "/hello", "--preferences", file}));
  const auto is_listed = [&] {
    return std::ranges::any_of(client.list_tools(), [](const ListedTool& tool) { return tool.name == "add"; });
  };
  BOOST_TEST(!is_listed());
  Counter changes;
  const Subscription subscription = client.subscribe_tools([&] { changes.count(); });
  folder.file("preferences.json", R"j({"tools": {}})j");
  BOOST_TEST(changes.reaches(1));
  BOOST_TEST(is_listed());
}

BOOST_AUTO_TEST_CASE(the_program_names_its_commands_and_the_nearest_one) {
  const ProgramRun help = run({"--help"});
  BOOST_TEST(help.status == 0);
  for (const char* const command : {"serve", "compose", "call", "check", "manifest", "http"})
    BOOST_TEST(help.out.find(command) != std::string::npos, command);
  const ProgramRun unknown = run({"sevre"});
  BOOST_TEST(unknown.status == 2);
  BOOST_TEST(unknown.errors.find("did you mean serve?") != std::string::npos);
  BOOST_TEST(run({}).status == 2);
  BOOST_TEST(run({"serve"}).status == 2);
  BOOST_TEST(run({"serve", "x.json", "--latent", "never"}).errors.find("--latent") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_bridge_that_is_started_without_input_ends, Fixture) {
  Program program = serve();
  program.command.insert(program.command.begin(), {"/bin/sh", "-c", "exec \"$@\" 0<&-", "sh"});
  ChildProcess process(program);
  BOOST_TEST(process.wait().code == 0);
}
