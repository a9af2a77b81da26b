#include "registry/serving.hpp"

#define BOOST_TEST_MODULE native tools as a host sees them
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>

#include <toolwire/bridge/bridge.hpp>
#include <toolwire/testing.hpp>

#include "bridge_activities.hpp"

using namespace toolwire;
using namespace toolwire::bridge;

namespace {

constexpr std::chrono::seconds long_enough{30};

ToolDefinition manifest_tool() {
  ToolDefinition tool{.name = "dispatch", .description = "Dispatches a task", .category = "work"};
  tool.parameters = parse_json(R"({"type":"object","properties":{"task":{"type":"string"}},"required":["task"]})");
  tool.metadata.timeout_seconds = 30;
  tool.metadata.idempotent = true;
  tool.metadata.cost_estimate = "low";
  tool.metadata.examples = parse_json(R"([{"description":"One","input":{"task":"fix"}}])");
  return tool;
}

struct Fixture {
  Bridge bridge{{.name = "bridge", .version = "1.0.0"}};

  void add_echo(const std::string& name = "echo") {
    bridge.tool(ToolDefinition{.name = name, .parameters = parse_json(R"({"type":"object"})")});
    bridge.activities().add(name, [](const Json& parameters, const Call& call, ActivityContext&) -> Outcome<Json> {
      return Json{{"parameters", parameters}, {"reasoning", call.reasoning}};
    });
  }
};

std::string names_of(testing::Client& client) {
  std::string names;
  for (const ListedTool& tool : client.list_tools()) names.append(names.empty() ? "" : " ").append(tool.name);
  return names;
}

std::string code_of(const CallResult& result) {
  return std::string(result.raw.at("_meta").at("dev.toolwire/error").at("code").get_string());
}

/// Counts notices.
struct Notices {
  std::mutex mutex;
  std::condition_variable changed;
  int count = 0;
  void add() {
    const std::lock_guard lock(mutex);
    ++count;
    changed.notify_all();
  }
  bool reach(int expected) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, long_enough, [&] { return count >= expected; }) && count == expected;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_manifest_tool_is_described_as_the_mapping_says, Fixture) {
  bridge.provider("p", {manifest_tool()}, {{.id = "work", .name = "Work", .icon = "https://example.org/work.png"}});
  bridge.activities().add("dispatch", [](const Json&) { return Json("done"); });
  testing::Client client{bridge.server()};
  const Json tool = client.list_tools().at(0).raw;
  BOOST_TEST(tool.at("inputSchema") == parse_json(R"({"type":"object",
      "properties":{"_reasoningForCall":{"type":"string","description":"Why this call is made"},
                    "task":{"type":"string"}},"required":["task"],"examples":[{"task":"fix"}]})"));
  BOOST_TEST(tool.at("annotations") == parse_json(R"({"idempotentHint":true})"));
  BOOST_TEST(tool.at("icons").at(0).at("src").get_string() == "https://example.org/work.png");
  BOOST_TEST(!tool.get_object().contains("outputSchema"));
  const Json& metadata = tool.at("_meta").at("dev.toolwire/metadata");
  BOOST_TEST(metadata == parse_json(R"({"category":"work","enabled_by_default":true,"requires_approval":false,
      "timeout_seconds":30,"cost_estimate":"low","idempotent":true,
      "examples":[{"description":"One","input":{"task":"fix"}}]})"));
  BOOST_TEST(tool.at("_meta").at("dev.toolwire/added") ==
             parse_json(R"(["/inputSchema/properties/_reasoningForCall","/inputSchema/examples"])"));
  const CallResult result = client.call("dispatch", {{"task", "fix"}});
  BOOST_TEST(result.text() == "done");
  BOOST_TEST(!result.structured);
}

BOOST_AUTO_TEST_CASE(a_call_of_a_tool_that_runs_long_is_a_task_where_the_client_follows_tasks) {
  for (const char* const revision : {"2025-11-25", "2026-07-28"}) {
    BridgeOptions options;
    options.server.tasks.poll_interval = std::chrono::milliseconds(1);
    Bridge bridge({.name = "bridge", .version = "1.0.0"}, std::move(options));
    ToolDefinition tool = manifest_tool();
    tool.metadata.long_running = true;
    bridge.tool(tool);
    bridge.activities().add("dispatch", [](const Json&) { return Json("done"); });
    ClientOptions client_options;
    client_options.revision = revision;
    client_options.tasks = true;
    testing::Client client{bridge.server(), client_options};
    const JsonObject call{{"name", "dispatch"}, {"arguments", JsonObject{{"task", "x"}}}, {"task", JsonObject{}}};
    BOOST_TEST(to_json_text(client.request("tools/call", call)).find("\"taskId\"") != std::string::npos, revision);
    BOOST_TEST(testing::Client{bridge.server()}.call("dispatch", {{"task", "x"}}).text() == "done");
  }
}

BOOST_FIXTURE_TEST_CASE(a_tool_without_parameters_takes_none, Fixture) {
  bridge.tool(ToolDefinition{.name = "now"});
  bridge.activities().add("now", [](const Json&) { return Json("noon"); });
  testing::Client client{bridge.server()};
  BOOST_TEST(client.list_tools().at(0).input_schema == parse_json(R"({"type":"object","additionalProperties":false})"));
  BOOST_TEST(client.call("now", {{"_reasoningForCall", "to know"}}).text() == "noon");
  BOOST_TEST(code_of(client.call("now", {{"x", 1}})) == "invalid_arguments");
}

BOOST_FIXTURE_TEST_CASE(the_list_says_what_there_is_to_know_of_all_tools, Fixture) {
  bridge.provider("p", {manifest_tool()}, {{.id = "work", .name = "Work"}});
  bridge.describe_list({{"dev.toolwire/base_url", "http://localhost:15000"}});
  testing::Client client{bridge.server()};
  const Json meta = client.request("tools/list").at("_meta");
  BOOST_TEST(meta.at("dev.toolwire/categories") == parse_json(R"([{"id":"work","name":"Work"}])"));
  BOOST_TEST(meta.at("dev.toolwire/protocol_version").get_string() == "1.0");
  BOOST_TEST(meta.at("dev.toolwire/base_url").get_string() == "http://localhost:15000");
  BOOST_TEST(!meta.at("dev.toolwire/generated_at").get_string().empty());
}

BOOST_FIXTURE_TEST_CASE(meta_fields_are_taken_out_before_the_schema_sees_them, Fixture) {
  add_echo();
  testing::Client client{bridge.server()};
  const CallResult result =
      client.call("echo", {{"_reasoningForCall", "curious"}, {"_tool", "echo"}, {"_activity", "echo"}, {"a", 1}});
  BOOST_TEST(*result.structured == parse_json(R"({"parameters":{"a":1},"reasoning":"curious"})"));
  for (const char* field :
       {"_scopes", "_imports", "_delegate", "_module", "_instance", "_outputPath", "_outputMethod", "_x"}) {
    const CallResult refused = client.call("echo", {{field, 1}});
    BOOST_TEST(refused.is_error);
    BOOST_TEST(refused.text() == "unsupported meta field \"" + std::string(field) + "\"");
  }
  BOOST_TEST(client.call("echo", {{"_tool", "other"}}).text() == "_tool: expected \"echo\"");
  BOOST_TEST(client.call("echo", {{"_activity", ""}, {"_reasoningForCall", 1}}).text() ==
             "_activity: expected \"echo\"\n_reasoningForCall: expected a string");
}

BOOST_FIXTURE_TEST_CASE(hosts_hear_of_changes_they_can_see_and_of_no_others, Fixture) {
  bridge.tool(ToolDefinition{.name = "mood", .output = parse_json(R"({"type":"string"})")});
  add_echo();
  testing::Client client{bridge.server()};
  Notices notices;
  const Subscription subscription = client.subscribe_tools([&] { notices.add(); });
  bridge.activities().add("unrelated", [](const Json&) { return Json(1); });
  bridge.activities().add("echo", [](const Json&) { return Json("other"); });
  bridge.activities().add("mood", [](const Json&) { return Json("good"); });  // no longer latent
  BOOST_TEST(notices.reach(1));
  bridge.activities().add("mood", [](const Json&) { return Json("bad"); });
  bridge.registry().enable("mood", false);
  BOOST_TEST(notices.reach(2));
}

BOOST_FIXTURE_TEST_CASE(a_tool_keeps_its_place_whatever_happens_to_it, Fixture) {
  add_echo("a");
  bridge.tool(ToolDefinition{.name = "b", .output = parse_json(R"({"type":"string"})")});
  add_echo("c");
  testing::Client client{bridge.server()};
  BOOST_TEST(names_of(client) == "a b c");
  bridge.activities().add("b", [](const Json&) { return Json("x"); });
  BOOST_TEST(names_of(client) == "a b c");
  bridge.registry().enable("b", false);
  BOOST_TEST(names_of(client) == "a c");
  bridge.registry().enable("b", true);
  BOOST_TEST(names_of(client) == "a b c");
}

BOOST_FIXTURE_TEST_CASE(a_tool_that_is_not_enabled_is_neither_listed_nor_called, Fixture) {
  ToolDefinition off{.name = "off"};
  off.metadata.enabled_by_default = false;
  bridge.tool(off);
  bridge.activities().add("off", [](const Json&) { return Json(1); });
  testing::Client client{bridge.server()};
  BOOST_TEST(names_of(client).empty());
  BOOST_CHECK_EXCEPTION(client.call("off"), ProtocolError, [](const ProtocolError& e) { return e.code == -32602; });
  bridge.registry().enable("off", true);
  BOOST_TEST(names_of(client) == "off");
}

BOOST_FIXTURE_TEST_CASE(changes_during_a_pause_are_one_change, Fixture) {
  testing::Client client{bridge.server()};
  Notices notices;
  const Subscription subscription = client.subscribe_tools([&] { notices.add(); });
  {
    const Bridge::Pause pause = bridge.pause();
    add_echo("a");
    add_echo("b");
    BOOST_TEST(names_of(client).empty());
  }
  BOOST_TEST(notices.reach(1));
  BOOST_TEST(names_of(client) == "a b");
}

BOOST_FIXTURE_TEST_CASE(a_name_the_program_has_taken_is_left_to_it, Fixture) {
  bridge.server().tool("echo", "The program's own", [] { return "mine"; });
  add_echo("echo");
  add_echo("other");
  testing::Client client{bridge.server()};
  BOOST_TEST(names_of(client) == "echo other");
  BOOST_TEST(client.call("echo").text() == "mine");
}

BOOST_FIXTURE_TEST_CASE(long_texts_are_cut_with_a_notice, Fixture) {
  bridge.tool(ToolDefinition{.name = "log"});
  bridge.activities().add("log", [](const Json&) {
    std::string text;
    for (int i = 0; i < 5000; ++i) text.append("line ").append(std::to_string(i)).append("\n");
    return Json(text);
  });
  testing::Client client{bridge.server()};
  const std::string text = client.call("log").text();
  BOOST_TEST(text.starts_with("line 0\n"));
  BOOST_TEST(text.find("line 1999\n") != std::string::npos);
  BOOST_TEST(text.find("line 2000\n") == std::string::npos);
  BOOST_TEST(text.find("lines 2001-5000 of 5000") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_latent_tool_may_be_done_by_the_clients_model) {
  BridgeOptions options;
  options.registry.latent = Latent::sampling;
  Bridge bridge{{.name = "bridge", .version = "1.0.0"}, options};
  bridge.tool(ToolDefinition{.name = "mood",
                             .description = "The mood of a text",
                             .parameters = parse_json(R"({"type":"object","properties":{"text":{"type":"string"}}})"),
                             .output = parse_json(R"({"type":"object","properties":{"mood":{"type":"string"}},
                                                      "required":["mood"]})")});
  for (const char* revision : {"2026-07-28", "2025-11-25"}) {
    ClientOptions model{.revision = revision, .capabilities = {{"sampling", JsonObject{}}}};
    std::string said = "```json\n{\"mood\":\"good\"}\n```";
    Json asked;
    model.on_request = [&](const std::string&, const Json& params) -> Json {
      asked = params;
      return {{"role", "assistant"}, {"model", "m"}, {"content", {{"type", "text"}, {"text", said}}}};
    };
    testing::Client client{bridge.server(), model};
    BOOST_TEST(client.call("mood", {{"text", "Lovely"}}).structured->at("mood").get_string() == "good");
    BOOST_TEST(to_json_text(asked).find("Lovely") != std::string::npos);
    said = "It sounds good to me.";
    BOOST_TEST(code_of(client.call("mood", {{"text", "Lovely"}})) == "invalid_output");
    BOOST_TEST(!client.list_tools().at(0).input_schema.at("properties").get_object().contains("_output"));
  }
  testing::Client mute{bridge.server(), {.revision = "2026-07-28"}};
  BOOST_CHECK_EXCEPTION(mute.call("mood", {{"text", "x"}}), ProtocolError,
                        [](const ProtocolError& error) { return error.code == -32021; });
  testing::Client old{bridge.server(), {.revision = "2025-06-18"}};
  BOOST_TEST(old.call("mood", {{"text", "x"}}).is_error);
}

BOOST_AUTO_TEST_CASE(latent_tools_may_be_hidden) {
  BridgeOptions options;
  options.registry.latent = Latent::hidden;
  Bridge bridge{{.name = "bridge", .version = "1.0.0"}, options};
  bridge.tool(ToolDefinition{.name = "mood", .output = parse_json(R"({"type":"string"})")});
  testing::Client client{bridge.server()};
  BOOST_TEST(names_of(client).empty());
}
