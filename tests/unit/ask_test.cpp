#include <toolwire/ask.hpp>

#define BOOST_TEST_MODULE ask_test
#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>

using namespace toolwire;

namespace {

const Question& only(const Questions& questions) {
  BOOST_REQUIRE(questions.list.size() == 1u);
  return questions.list.front();
}

std::string id_of(const Questions& questions) {
  return std::string(only(questions).params.at("elicitationId").as_string());
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_page_has_an_id_of_its_own_or_a_fresh_one) {
  BOOST_TEST(id_of(ask_url("page", "Sign in", "https://example.org/", "mine")) == "mine");
  const std::string one = id_of(ask_url("page", "Sign in", "https://example.org/"));
  BOOST_TEST(one.size() == 32u);
  BOOST_TEST(one != id_of(ask_url("page", "Sign in", "https://example.org/")));
}

BOOST_AUTO_TEST_CASE(a_page_has_an_absolute_url) {
  for (const char* url :
       {"", "example.org", "//example.org", "https:", ":x", "1http://x", "https://a b", "https://\xc3\xa9"}) {
    BOOST_TEST_INFO(url);
    BOOST_CHECK_THROW(ask_url("page", "Sign in", url), std::invalid_argument);
  }
}

BOOST_AUTO_TEST_CASE(a_request_to_a_model_says_only_what_was_said) {
  const Questions questions = ask_model("why", "Why?", 10);
  BOOST_TEST(only(questions).method == "sampling/createMessage");
  BOOST_TEST(to_json_text(only(questions).params) ==
             R"({"messages":[{"role":"user","content":{"type":"text","text":"Why?"}}],"maxTokens":10})");
}

BOOST_AUTO_TEST_CASE(a_request_to_a_model_says_all_that_was_said) {
  const ModelRequest all{.messages = {ModelMessage::user("Why?")},
                         .max_tokens = 10,
                         .system_prompt = "Be brief.",
                         .temperature = 0.5,
                         .stop_sequences = {"."},
                         .tools = {{"look", "Looks", JsonObject{{"type", "object"}}}},
                         .tool_choice = ToolChoice::required,
                         .metadata = {{"a", 1}}};
  BOOST_TEST(
      to_json_text(only(ask_model("why", all)).params) ==
      R"({"messages":[{"role":"user","content":{"type":"text","text":"Why?"}}],"maxTokens":10,"systemPrompt":"Be brief.",)"
      R"("temperature":0.5,"stopSequences":["."],"metadata":{"a":1},)"
      R"("tools":[{"name":"look","description":"Looks","inputSchema":{"type":"object"}}],"toolChoice":{"mode":"required"}})");
}

BOOST_AUTO_TEST_CASE(a_request_no_revision_allows_is_refused) {
  const ModelMessage hello = ModelMessage::user("Hello");
  BOOST_CHECK_THROW(ask_model("k", ModelRequest{}), std::invalid_argument);
  BOOST_CHECK_THROW(ask_model("k", ModelRequest{.messages = {hello}, .max_tokens = 0}), std::invalid_argument);
  BOOST_CHECK_THROW(ask_model("k", ModelRequest{.messages = {{"system", hello.content}}}), std::invalid_argument);
  BOOST_CHECK_THROW(ask_model("k", ModelRequest{.messages = {{"user", {}}}}), std::invalid_argument);
  BOOST_CHECK_THROW(ask_model("k", ModelRequest{.messages = {{"user", {{ResourceLink{"file:///a", "a"}}}}}}),
                    std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(what_a_model_said_can_be_gone_on_with) {
  const ModelAnswer answer{
      "assistant", "m", "toolUse",
      parse_json(R"([{"type":"text","text":"Let me see."},{"type":"tool_use","id":"1","name":"t","input":{"a":1}},
                     {"type":"text","text":"So."}])")
          .as_array()};
  BOOST_TEST(answer.text() == "Let me see.\nSo.");
  for (const char* use : {R"([{"type":"tool_use","id":"2","name":"u"}])", R"([{"type":"tool_use","input":5}])"}) {
    const auto uses = ModelAnswer{"assistant", "m", "toolUse", parse_json(use).as_array()}.tool_uses();
    BOOST_TEST(uses.at(0).input.empty());
  }
  const auto uses = answer.tool_uses();
  BOOST_REQUIRE(uses.size() == 1u);
  BOOST_TEST(uses.front().id == "1");
  BOOST_TEST(to_json_text(uses.front().input) == R"({"a":1})");
  ModelRequest next{.messages = {ModelMessage::user("?"), answer.as_message(), tool_results({{"1", "fine", true}})}};
  const Json messages = only(ask_model("k", next)).params.at("messages");
  BOOST_TEST(to_json_text(messages.at(1).at("content").at(1)) ==
             R"({"type":"tool_use","id":"1","name":"t","input":{"a":1}})");
  BOOST_TEST(to_json_text(messages.at(2)) == R"({"role":"user","content":{"type":"tool_result","toolUseId":"1",)"
                                             R"("content":[{"type":"text","text":"fine"}],"isError":true}})");
}
