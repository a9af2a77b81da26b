// Every tool, resource, prompt, completion and task of the server `everything`, in every revision: what the server
// writes is validated against the official schemas.
#define BOOST_TEST_MODULE everything_wire_test
#include "everything/everything.hpp"

#include <array>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <map>
#include <string>

#include "judged_dialogue.hpp"

namespace {

namespace data = boost::unit_test::data;
using toolwire::Json;
using toolwire::JsonArray;
using toolwire::JsonObject;
using toolwire::parse_json;
using toolwire_test::JudgedDialogue;

constexpr std::array revisions{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"};

JudgedDialogue everything_in(const char* revision, toolwire::ServerOptions options = {});

JsonObject arguments_of(std::string_view tool) {
  static const std::map<std::string_view, const char*> known{
      {"echo", R"({"message": "hello"})"},
      {"json_schema_2020_12_tool", R"({"email": "a@example.org"})"},
      {"test_echo_json", R"({"value": [1, {"a": null}]})"},
      {"test_header_parameters", R"({"region": "north"})"},
      {"test_schema_draft07", R"({"count": 1, "pair": ["a", 1]})"},
      {"test_schema_recursive", R"({"tree": {"child": {}}})"},
      {"test_slow", R"({"seconds": 0.01})"},
      {"test_slow_observable", R"({"seconds": 0.01})"},
      {"test_big_output", R"({"bytes": 1000})"},
      {"test_stderr_flood", R"({"bytes": 10})"},
      {"test_sampling", R"({"prompt": "hello"})"},
      {"test_sampling_with_tools", R"({"prompt": "hello"})"},
      {"test_sampling_tool_loop", R"({"prompt": "hello"})"},
      {"test_elicitation", R"({"message": "hello"})"},
      {"greet", R"({"name": "Ada"})"},
      {"slow_compute", R"({"seconds": 0.01})"},
      {"confirm_delete", R"({"filename": "a.txt"})"}};
  const auto found = known.find(tool);
  return found != known.end() ? parse_json(found->second).as_object() : JsonObject{};
}

std::string text_at(const Json& json, std::string_view name) { return std::string(json.at(name).as_string()); }

/// The items of all pages.
JsonArray list_of(JudgedDialogue& client, std::string_view method, std::string_view name) {
  JsonArray all;
  JsonObject params;
  for (;;) {
    const Json answer = client.request(method, params);
    const JsonObject& result = answer.at("result").as_object();
    const JsonArray& page = result.at(name).as_array();
    all.insert(all.end(), page.begin(), page.end());
    const Json* next = result.if_contains("nextCursor");
    if (next == nullptr) return all;
    params["cursor"] = *next;
  }
}

/// Calls of tools that do not fail on purpose have a result without isError.
bool has_to_succeed(std::string_view tool, bool can_be_asked) {
  constexpr std::array failing{"test_error_handling",
                               "test_throws",
                               "test_protocol_error",
                               "test_schema_unknown_dialect",
                               "test_structured_invalid",
                               "test_schema_network_ref",
                               "failing_job",
                               "protocol_error_job"};
  return can_be_asked && std::find(failing.begin(), failing.end(), tool) == failing.end();
}

bool succeeded(const Json& answer) {
  const Json* result = answer.as_object().if_contains("result");
  if (result == nullptr) return false;
  const Json* status = result->as_object().if_contains("status");
  if (status != nullptr && *status != "completed") return false;
  const Json& outcome = status != nullptr ? result->at("result") : *result;
  const Json* error = outcome.as_object().if_contains("isError");
  return error == nullptr || *error != true;
}

void call_all_tools(JudgedDialogue& client, bool as_tasks) {
  const bool can_be_asked = client.revision() >= "2025-11-25";  // earlier ones lack pages, some also forms
  for (const Json& tool : list_of(client, "tools/list", "tools")) {
    const std::string name = text_at(tool, "name");
    JsonObject params{
        {"name", name}, {"arguments", arguments_of(name)}, {"_meta", JsonObject{{"progressToken", name}}}};
    if (as_tasks && tool.as_object().contains("execution") &&
        tool.at("execution").at("taskSupport") != Json("forbidden"))
      params["task"] = JsonObject{{"ttl", 60000}};
    const Json answer = client.request("tools/call", params);
    if (has_to_succeed(name, can_be_asked))
      BOOST_TEST(succeeded(answer), client.revision() << " " << name << ": " << toolwire::to_json_text(answer));
    params["arguments"] = JsonObject{{"nobody_expects", true}, {"seconds", "many"}};
    params.erase("task");
    if (name != "test_close_subscriptions") client.request("tools/call", params);
  }
  client.request("tools/call", {{"name", "no-such-tool"}});
}

void read_all_resources(JudgedDialogue& client) {
  for (const Json& resource : list_of(client, "resources/list", "resources")) {
    const std::string uri = text_at(resource, "uri");
    const Json answer = client.request("resources/read", {{"uri", uri}});
    const bool may_fail = uri == "test://failing" || (uri == "test://needs-input" && client.revision() < "2025-06");
    BOOST_TEST((may_fail || succeeded(answer)), client.revision() << " " << uri);
  }
  BOOST_TEST(list_of(client, "resources/templates/list", "resourceTemplates").size() == 2u);
  BOOST_TEST(succeeded(client.request("resources/read", {{"uri", "test://template/7/data"}})));
  BOOST_TEST(succeeded(client.request("resources/read", {{"uri", "test://search/tea?limit=2&order=oldest"}})));
  for (const char* uri : {"test://search/tea?limit=many", "test://search/nothing", "test://nowhere", "no uri"})
    BOOST_TEST(!succeeded(client.request("resources/read", {{"uri", uri}})));
}

void get_all_prompts(JudgedDialogue& client) {
  for (const Json& prompt : list_of(client, "prompts/list", "prompts")) {
    const std::string name = text_at(prompt, "name");
    JsonObject arguments;
    if (const Json* described = prompt.as_object().if_contains("arguments")) {
      for (const Json& argument : described->as_array()) {
        if (argument.as_object().contains("required") && argument.at("required").as_bool())
          arguments[argument.at("name").as_string()] = "test://text";
      }
    }
    const Json answer = client.request("prompts/get", {{"name", name}, {"arguments", arguments}});
    const bool asks = name == "test_input_required_result_prompt" && client.revision() < "2025-06";
    BOOST_TEST((asks || succeeded(answer)), client.revision() << " " << name);
    client.request("prompts/get", {{"name", name}, {"arguments", JsonObject{{"nobody_expects", "it"}}}});
  }
}

void complete_all(JudgedDialogue& client) {
  for (
      const char* params :
      {R"({"ref": {"type": "ref/prompt", "name": "test_prompt_with_arguments"}, "argument": {"name": "arg1", "value": "par"}})",
       R"({"ref": {"type": "ref/prompt", "name": "test_large_completion"}, "argument": {"name": "value", "value": ""}})",
       R"({"ref": {"type": "ref/prompt", "name": "test_completion_context"}, "argument": {"name": "repository", "value": ""},
            "context": {"arguments": {"owner": "toolwire"}}})",
       R"({"ref": {"type": "ref/resource", "uri": "test://template/{id}/data"}, "argument": {"name": "id", "value": "1"}})"})
    BOOST_TEST(succeeded(client.request("completion/complete", parse_json(params).as_object())));
  client.request("completion/complete", parse_json(R"({"ref": {"type": "ref/prompt", "name": "nobody"},
                                                       "argument": {"name": "x", "value": ""}})")
                                            .as_object());
}

void change_all(JudgedDialogue& client) {
  for (const char* tool : {"test_touch_resource", "test_trigger_tool_change", "test_trigger_prompt_change",
                           "test_trigger_resource_change"})
    BOOST_TEST(succeeded(client.request("tools/call", {{"name", tool}, {"arguments", JsonObject{}}})));
}

void hear_of_changes(JudgedDialogue& client) {
  if (client.is_modern()) {
    client.begin("subscriptions/listen", {{"notifications", parse_json(R"({"toolsListChanged": true,
      "promptsListChanged": true, "resourcesListChanged": true, "resourceSubscriptions": ["test://watched-resource"]})")}});
    change_all(client);
    client.request("tools/call", {{"name", "test_close_subscriptions"}, {"arguments", JsonObject{}}});
  } else {
    client.request("resources/subscribe", {{"uri", "test://watched-resource"}});
    change_all(client);
    client.request("resources/unsubscribe", {{"uri", "test://watched-resource"}});
    client.request("ping");
  }
}

JudgedDialogue everything_in(const char* revision, toolwire::ServerOptions options) {
  return JudgedDialogue(revision, std::shared_ptr(everything::make_server(std::move(options))));
}

}  // namespace

BOOST_DATA_TEST_CASE(every_message_of_everything_is_one_of_its_revision, data::make(revisions), revision) {
  JudgedDialogue client = everything_in(revision, {.page = 7});
  if (client.is_modern()) {
    client.request("server/discover");
  } else {
    client.request("logging/setLevel", {{"level", "debug"}});
  }
  call_all_tools(client, false);
  read_all_resources(client);
  get_all_prompts(client);
  complete_all(client);
  hear_of_changes(client);
  client.request("no/such/method");
  client.end();
  BOOST_TEST(client.judged() > 150u);
}

BOOST_AUTO_TEST_CASE(every_message_of_tasks_is_one_of_2025_11_25) {
  JudgedDialogue client = everything_in("2025-11-25");
  call_all_tools(client, true);
  client.request("tasks/list");
  client.request("tasks/get", {{"taskId", "nobody"}});
  client.request("tasks/cancel", {{"taskId", "nobody"}});
  client.end();
  BOOST_TEST(client.judged() > 100u);
}

BOOST_AUTO_TEST_CASE(a_tool_asks_what_the_client_can_be_asked) {
  const std::string tool = "test_input_required_result_capabilities";
  for (const char* revision : revisions) {
    JudgedDialogue client = everything_in(revision);
    const Json answer = client.request("tools/call", {{"name", tool}, {"arguments", JsonObject{}}});
    const bool has_forms = client.revision() >= "2025-06";
    BOOST_TEST(
        text_at(answer.at("result").at("content").at(0), "text") ==
        (has_forms ? "capabilities-ok: received elicit_input,sample_input" : "capabilities-ok: received sample_input"));
  }
}

BOOST_AUTO_TEST_CASE(a_server_ends_subscriptions_with_a_result_and_clients_may_subscribe_again) {
  JudgedDialogue client = everything_in("2026-07-28");
  const JsonObject filter{{"notifications", JsonObject{{"toolsListChanged", true}}}};
  for (int round = 0; round < 2; ++round) {
    const Json subscription = client.begin("subscriptions/listen", filter);
    client.begin("tools/call", {{"name", "test_close_subscriptions"}, {"arguments", JsonObject{}}});
    const Json end = client.answer_to(subscription);
    BOOST_TEST(end.at("result").at("_meta").at("io.modelcontextprotocol/subscriptionId") == subscription);
  }
}

BOOST_AUTO_TEST_CASE(answers_older_than_their_tool_allows_are_refused) {
  JudgedDialogue client = everything_in("2026-07-28");
  const JsonObject call{{"name", "test_mrtr_state_ttl"}, {"arguments", JsonObject{}}};
  const Json question = client.answer_to(client.begin("tools/call", call));
  JsonObject again = call;
  again["requestState"] = question.at("result").at("requestState");
  again["inputResponses"] = parse_json(R"({"confirm": {"action": "accept", "content": {"ok": true}}})");
  Json answer = client.answer_to(client.begin("tools/call", again));
  while (answer.as_object().contains("result")) {  // for a second: the state expires then
    BOOST_REQUIRE(text_at(answer.at("result").at("content").at(0), "text") == "in time");
    answer = client.answer_to(client.begin("tools/call", again));
  }
  BOOST_TEST(answer.at("error").at("code") == Json(-32602));
}
