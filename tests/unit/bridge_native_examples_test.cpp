#include <toolwire/bridge/bridge.hpp>

#define BOOST_TEST_MODULE the examples of the native protocols
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <string>

#include <toolwire/testing.hpp>

using namespace toolwire;
using namespace toolwire::bridge;

namespace {

const Json sentiment_schema = parse_json(R"({
  "type": "object", "description": "Analyzes text sentiment",
  "properties": {
    "_tool": {"type": "string", "const": "sentimentAnalysis"},
    "text": {"type": "string", "description": "Text to analyze"},
    "_output": {"type": "object",
                "properties": {"sentiment": {"type": "string"}, "confidence": {"type": "number"}},
                "required": ["sentiment"]}}})");

const Json weather_schema = parse_json(R"({
  "type": "object", "description": "Current weather of a place",
  "properties": {
    "_tool": {"type": "string", "const": "weatherCheck"},
    "location": {"type": "string"},
    "_output": {"type": "object",
                "properties": {"temperature": {"type": "number"}, "conditions": {"type": "string"}},
                "required": ["temperature", "conditions"], "additionalProperties": false}},
  "required": ["location"]})");

const Json email_schema = parse_json(R"({
  "type": "object", "description": "Sends an email",
  "properties": {
    "_tool": {"type": "string", "const": "sendEmail"},
    "recipient": {"type": "string"}, "subject": {"type": "string"},
    "_output": {"type": "object", "properties": {"sent": {"type": "boolean"}}, "required": ["sent"]}},
  "required": ["recipient", "subject"]})");

const Json mail = parse_json(R"({"recipient": "ada@example.org", "subject": "Hello"})");

ServerInfo assistant() { return {.name = "assistant", .version = "1.0.0"}; }

std::string code_of(const CallResult& result) {
  return std::string(result.raw.at("_meta").at("dev.toolwire/error").at("code").get_string());
}

Json listed(testing::Client& client, std::string_view name) {
  for (const ListedTool& tool : client.list_tools())
    if (tool.name == name) return tool.raw;
  return nullptr;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_bridge_is_as_short_as_a_readme_shows) {
  Bridge bridge{{.name = "weather", .version = "1.0.0"}};
  bridge.tool(weather_schema);
  bridge.activities().add("weatherCheck", [](const Json& parameters) {
    return Json{{"temperature", 21.5},
                {"conditions", "sunny in " + std::string(parameters.at("location").get_string())}};
  });

  testing::Client client{bridge.server()};
  const CallResult result = client.call("weatherCheck", {{"location", "Bergen"}});
  BOOST_TEST(result.structured->at("conditions").get_string() == "sunny in Bergen");
}

BOOST_AUTO_TEST_CASE(sentimentAnalysis_is_latent_and_its_output_is_filled_by_the_caller) {
  Bridge bridge{assistant()};
  bridge.tool(sentiment_schema);
  testing::Client client{bridge.server()};

  const Json tool = listed(client, "sentimentAnalysis");
  BOOST_TEST(tool.at("_meta").at("dev.toolwire/execution").get_string() == "latent");
  BOOST_TEST(tool.at("annotations").at("readOnlyHint").get_bool());
  BOOST_TEST(tool.at("inputSchema").at("required") == (JsonArray{"_output"}));
  BOOST_TEST(tool.at("inputSchema").at("properties").at("_output") == sentiment_schema.at("properties").at("_output"));
  BOOST_TEST(tool.at("description").get_string().ends_with("before you call."));

  const CallResult done =
      client.call("sentimentAnalysis",
                  parse_json(R"({"text": "Lovely", "_output": {"sentiment": "positive", "confidence": 0.9}})"));
  BOOST_TEST(!done.is_error);
  BOOST_TEST(done.structured->at("sentiment").get_string() == "positive");

  const CallResult missing = client.call("sentimentAnalysis", {{"text", "Lovely"}});
  BOOST_TEST(missing.is_error);
  BOOST_TEST(code_of(missing) == "latent_output_missing");
  BOOST_TEST(missing.text().find("\"sentiment\"") != std::string::npos);

  const CallResult wrong =
      client.call("sentimentAnalysis", parse_json(R"({"text": "x", "_output": {"sentiment": 1}})"));
  BOOST_TEST(code_of(wrong) == "latent_output_missing");
  BOOST_TEST(wrong.text().find("_output.sentiment: expected a string") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(weatherCheck_finds_the_activity_of_its_name_and_keeps_its_promise) {
  Bridge bridge{assistant()};
  bridge.tool(weather_schema);
  std::atomic<bool> broken{false};
  bridge.activities().add("weatherCheck", [&](const Json&) {
    return broken ? Json{{"temperature", "warm"}} : Json{{"temperature", 3}, {"conditions", "rain"}};
  });
  testing::Client client{bridge.server()};

  const Json tool = listed(client, "weatherCheck");
  BOOST_TEST(tool.at("outputSchema") == weather_schema.at("properties").at("_output"));
  BOOST_TEST(!tool.at("inputSchema").at("properties").get_object().contains("_output"));
  BOOST_TEST(client.call("weatherCheck", {{"location", "Bergen"}}).structured->at("temperature") == 3);

  const CallResult bad = client.call("weatherCheck", {{"location", 7}, {"extra", true}});
  BOOST_TEST(code_of(bad) == "invalid_arguments");
  BOOST_TEST(bad.text().find("location: expected a string") != std::string::npos);

  broken = true;
  BOOST_TEST(code_of(client.call("weatherCheck", {{"location", "Bergen"}})) == "invalid_output");
}

BOOST_AUTO_TEST_CASE(sendEmail_goes_from_prototype_to_mock_to_production_without_a_change_of_its_schema) {
  Bridge bridge{assistant()};
  bridge.tool(email_schema);
  testing::Client client{bridge.server()};
  BOOST_TEST(listed(client, "sendEmail").at("_meta").at("dev.toolwire/execution").get_string() == "latent");

  bridge.activities().add("sendEmail", [](const Json&) { return Json{{"sent", true}}; });
  BOOST_TEST(!listed(client, "sendEmail").at("_meta").get_object().contains("dev.toolwire/execution"));
  BOOST_TEST(client.call("sendEmail", mail).structured->at("sent").get_bool());

  std::atomic<int> sent{0};
  bridge.activities().add("sendEmail", [&](const Json&, const Call& call, ActivityContext&) -> Outcome<Json> {
    ++sent;
    if (call.parameters.at("recipient") == "nobody") return ToolResult::error("no such mailbox");
    return Json{{"sent", true}};
  });
  BOOST_TEST(client.call("sendEmail", mail).structured->at("sent").get_bool());
  BOOST_TEST(sent == 1);
  BOOST_TEST(client.call("sendEmail", {{"recipient", "nobody"}, {"subject", "x"}}).text() == "no such mailbox");

  bridge.activities().remove("sendEmail");
  BOOST_TEST(listed(client, "sendEmail").at("_meta").at("dev.toolwire/execution").get_string() == "latent");
}
