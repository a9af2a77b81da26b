// The examples that accompany the schema of 2026-07-28: those that a client can send are accepted by a server that
// offers what they mention. A cursor belongs to the server that made it, so the example's cursor is not sent.
#define BOOST_TEST_MODULE official_examples_test
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "message_schema.hpp"
#include "served_fixture.hpp"
#include "toolwire/server.hpp"

namespace {

using toolwire::Json;
using toolwire::JsonObject;
using toolwire::parse_json;
using toolwire::to_json_text;
using namespace toolwire;
using toolwire_test::ServedFixture;

constexpr const char* revision = "2026-07-28";

std::vector<Json> examples_of(const std::string& type) {
  const std::filesystem::path folder =
      std::filesystem::path(TOOLWIRE_SHARED_DIR) / "mcp-schemas" / "2026-07-28-examples" / type;
  std::vector<Json> examples;
  if (!std::filesystem::exists(folder)) return examples;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path());
    examples.push_back(parse_json(std::string(std::istreambuf_iterator<char>(file), {})));
  }
  return examples;
}

bool at_hand() { return std::filesystem::exists(std::filesystem::path(TOOLWIRE_SHARED_DIR) / "mcp-schemas"); }

void add_tools(Server& server) {
  for (const char* name : {"get_weather", "build_simulation"}) {
    ToolInfo info{.name = name, .description = "Of the examples", .input_schema = parse_json(R"({"type": "object"})")};
    server.tool(std::move(info), [](const Json& arguments) { return to_json_text(arguments); });
  }
  server.tool("ask_form", "Asks with a form", [](Context& context) -> Outcome<std::string> {
    if (const Json* answer = context.answers().if_contains("asked")) return to_json_text(*answer);
    return Questions{{form_question("asked", "Anything?", parse_json(R"({"type": "object", "properties": {}})"))}};
  });
  server.tool("ask_url", "Asks to open a page", [](Context& context) -> Outcome<std::string> {
    const auto answer = context.url_answer("asked");
    if (!answer) return ask_url("asked", "Open it?", "https://example.org/");
    return std::string(*answer == AnswerAction::accept ? "opened" : "not opened");
  });
  server.tool("ask_model", "Asks the model", [](Context& context) -> Outcome<std::string> {
    const auto answer = context.model_answer("asked");
    if (!answer) return ask_model("asked", "Anything?");
    if (!answer->accepted()) throw ToolError("refused");
    return answer->value->text() + to_json_text(answer->value->content);
  });
  server.tool("ask_roots", "Asks for roots", [](Context& context) -> Outcome<std::string> {
    const auto answer = context.roots("asked");
    if (!answer) return ask_roots("asked");
    if (!answer->accepted()) throw ToolError("refused");
    return std::to_string(answer->value->size()) + " roots";
  });
}

std::shared_ptr<Server> server_of_the_examples() {
  auto server = std::make_shared<Server>(ServerInfo{.name = "examples", .version = "1"});
  add_tools(*server);
  PromptInfo review{.name = "code_review", .description = "Reviews code"};
  review.arguments = {{.name = "code"}, {.name = "language"}, {.name = "framework"}};
  review.completers["language"] = complete_from({"python", "pytorch", "pyside"});
  review.completers["framework"] = complete_from({"flask", "fastapi"});
  server->prompt(std::move(review), [](const Json& arguments) { return "Review " + to_json_text(arguments); });
  for (const char* uri : {"file:///project/src/main.rs", "file:///project/config.json"})
    server->resource({.uri = uri, .subscribable = true}, [] { return "text"; });
  return server;
}

/// A client that sends examples, and validates the answers.
class Client {
 public:
  Json ask(Json request) {
    schemas_.sent(request);
    served_.transport.feed_line(to_json_text(request));
    return next();
  }
  Json call(std::string_view method, JsonObject params) {
    return ask(JsonObject{{"jsonrpc", "2.0"}, {"id", ++ids_}, {"method", method}, {"params", std::move(params)}});
  }
  void tell(const Json& notification) { served_.transport.feed_line(to_json_text(notification)); }

 private:
  Json next() {
    const auto line = served_.transport.next();
    BOOST_REQUIRE(line);
    const Json message = parse_json(*line);
    BOOST_TEST(schemas_.objection(message) == "");
    return message;
  }

  toolwire_test::MessageSchemas schemas_{revision};
  ServedFixture served_{{}, [](const toolwire_test::FixtureOptions&) { return server_of_the_examples(); }};
  int ids_ = 0;
};

void expect_result(const Json& answer, const Json& example) {
  BOOST_TEST(answer.as_object().contains("result"), to_json_text(example) << "\n  " << to_json_text(answer));
  const Json* result = answer.as_object().if_contains("result");
  const Json* error = result != nullptr ? result->as_object().if_contains("isError") : nullptr;
  BOOST_TEST((error == nullptr || *error != true), to_json_text(example) << "\n  " << to_json_text(answer));
}

JsonObject meta_with(const Json& capabilities) {
  return {{"io.modelcontextprotocol/protocolVersion", revision},
          {"io.modelcontextprotocol/clientCapabilities", capabilities}};
}

/// Makes the tool ask, and answers with the example.
void answer_with(const char* tool, const Json& example) {
  Client client;
  const JsonObject meta =
      meta_with(parse_json(R"({"sampling": {}, "roots": {}, "elicitation": {"form": {}, "url": {}}})"));
  const Json question = client.call("tools/call", {{"name", tool}, {"arguments", JsonObject{}}, {"_meta", meta}});
  BOOST_TEST(question.at("result").at("resultType") == Json("input_required"));
  expect_result(client.call("tools/call", {{"name", tool},
                                           {"arguments", JsonObject{}},
                                           {"_meta", meta},
                                           {"inputResponses", JsonObject{{"asked", example}}},
                                           {"requestState", question.at("result").at("requestState")}}),
                example);
}

}  // namespace

BOOST_AUTO_TEST_CASE(requests_of_the_examples_are_answered_with_results) {
  std::size_t sent = 0;
  for (const char* type :
       {"CallToolRequest", "CompleteRequest", "DiscoverRequest", "GetPromptRequest", "ListPromptsRequest",
        "ListResourceTemplatesRequest", "ListResourcesRequest", "ListToolsRequest", "ReadResourceRequest"}) {
    for (Json& example : examples_of(type)) {
      Client client;
      if (Json* params = example.as_object().if_contains("params")) params->as_object().erase("cursor");
      expect_result(client.ask(example), example);
      ++sent;
    }
  }
  BOOST_TEST((!at_hand() || sent >= 9u));
}

BOOST_AUTO_TEST_CASE(params_of_the_examples_are_answered_with_results) {
  const std::vector<std::pair<const char*, const char*>> params{{"CallToolRequestParams", "tools/call"},
                                                                {"CompleteRequestParams", "completion/complete"},
                                                                {"GetPromptRequestParams", "prompts/get"}};
  for (const auto& [type, method] : params) {
    for (const Json& example : examples_of(type)) {
      Client client;
      expect_result(client.call(method, example.as_object()), example);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_subscription_of_the_examples_is_acknowledged) {
  for (const Json& example : examples_of("SubscriptionsListenRequest")) {
    Client client;
    const Json first = client.ask(example);
    BOOST_TEST(first.at("method") == Json("notifications/subscriptions/acknowledged"));
    BOOST_TEST(first.at("params").at("notifications") == example.at("params").at("notifications"));
  }
}

BOOST_AUTO_TEST_CASE(capabilities_of_the_examples_are_taken) {
  for (const Json& example : examples_of("ClientCapabilities")) {
    Client client;
    expect_result(client.call("server/discover", {{"_meta", meta_with(example)}}), example);
  }
}

BOOST_AUTO_TEST_CASE(answers_of_the_examples_are_taken) {
  for (const Json& example : examples_of("ElicitResult"))
    answer_with(example.as_object().contains("content") ? "ask_form" : "ask_url", example);
  for (const Json& example : examples_of("CreateMessageResult")) answer_with("ask_model", example);
  for (const Json& example : examples_of("ListRootsResult")) answer_with("ask_roots", example);
}

BOOST_AUTO_TEST_CASE(notifications_of_the_examples_are_taken_in_silence) {
  for (const char* type : {"CancelledNotification", "ProgressNotification"}) {
    for (const Json& example : examples_of(type)) {
      Client client;
      client.tell(example);
      expect_result(client.call("server/discover", {{"_meta", meta_with(JsonObject{})}}), example);
    }
  }
}
