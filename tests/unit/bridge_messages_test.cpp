#include <toolwire/bridge/messages.hpp>

#define BOOST_TEST_MODULE bridge_messages_test
#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>

using namespace toolwire;
using namespace toolwire::bridge;

namespace {

std::string problems_of(const char* text) {
  try {
    read_message(parse_json(text));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

void check_round_trip(const char* text) {
  const Json json = parse_json(text);
  BOOST_TEST(to_json_text(to_json(read_message(json))) == to_json_text(json));
}

}  // namespace

BOOST_AUTO_TEST_CASE(messages_of_all_roles_are_read_and_written_without_loss) {
  check_round_trip(R"({"role":"user","content":[{"type":"text","text":"fix it"}]})");
  check_round_trip(R"({"role":"assistant","content":[{"type":"text","text":"a"},
    {"type":"toolCall","id":"id \"\u0000 ünusual","name":"read_file","input":{"path":"src/math.ts"}},
    {"type":"thinking","signature":"xyz"},{"type":"other","format":"anthropic","block":{"type":"x"}}],
    "stopReason":"toolUse","model":"m","usage":{"inputTokens":1,"outputTokens":2}})");
  check_round_trip(R"({"role":"toolResult","toolCallId":"1","toolName":"t","isError":true,
    "content":[{"type":"text","text":"no"}],"details":{"code":"denied"}})");
}

BOOST_AUTO_TEST_CASE(all_that_is_wrong_with_a_message_is_told_at_once_with_its_place) {
  BOOST_TEST(problems_of("[]") == "the whole: expected an object, a message");
  BOOST_TEST(problems_of(R"({"role":"system"})") == "/role: expected \"user\", \"assistant\" or \"toolResult\"");
  BOOST_TEST(problems_of(R"({"role":"assistant","content":[{"type":"toolCall","id":1}],"stopReason":"x"})") ==
             "/content/0/id: expected a string\n/content/0/name: expected a string\n"
             "/stopReason: expected \"stop\", \"toolUse\", \"length\", \"error\" or \"aborted\"");
  BOOST_TEST(problems_of(R"({"role":"toolResult","content":[5]})") ==
             "/toolCallId: expected a string\n/toolName: expected a string\n"
             "/content/0: expected an object, a block\n/isError: expected true or false");
  BOOST_TEST(problems_of(R"({"role":"user","content":[{"type":"image"}]})") == "/content/0/type: expected \"text\"");
  BOOST_TEST(problems_of(R"({"role":"assistant","content":[],"stopReason":"stop","usage":{"inputTokens":-1}})") ==
             "/usage/inputTokens: expected a whole number that is not negative");
}

BOOST_AUTO_TEST_CASE(a_conversation_is_an_array_or_a_document_that_has_one) {
  const Json user = parse_json(R"({"role":"user","content":[]})");
  BOOST_TEST(read_messages(Json(JsonArray{user, user})).size() == 2u);
  BOOST_TEST(read_messages(JsonObject{{"messages", JsonArray{user, user}}}).size() == 2u);
  BOOST_CHECK_EXCEPTION(read_messages(parse_json(R"({"messages":[{"role":"user","content":[]},{"role":5}]})")),
                        std::invalid_argument, [](const auto& error) {
                          return error.what() == std::string(
                                                     "/messages/1/role: expected a string\n"
                                                     "/messages/1/role: expected \"user\", \"assistant\" or "
                                                     "\"toolResult\"");
                        });
  BOOST_CHECK_THROW(read_messages(Json(5)), std::invalid_argument);
  BOOST_CHECK_THROW(read_messages(Json(JsonObject{})), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(all_tool_calls_are_found_in_their_order) {
  const Message message = read_message(parse_json(R"({"role":"assistant","stopReason":"toolUse","content":[
    {"type":"toolCall","id":"b","name":"one","input":null},{"type":"text","text":"and"},
    {"type":"toolCall","id":"a","name":"two","input":[1]},{"type":"toolCall","id":"b","name":"one","input":{}}]})"));
  const auto calls = tool_calls_in(std::get<AssistantMessage>(message));
  BOOST_TEST_REQUIRE(calls.size() == 3u);
  BOOST_TEST(calls[0].id == "b");
  BOOST_TEST(calls[1].name == "two");
  BOOST_TEST(calls[1].input == parse_json("[1]"));
  BOOST_TEST(calls[2].id == "b");
}
