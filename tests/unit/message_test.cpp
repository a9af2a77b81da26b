#include "jsonrpc/message.hpp"

#define BOOST_TEST_MODULE message_test
#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <string_view>

using namespace toolwire::jsonrpc;
using toolwire::parse_json;

namespace {

template <class Kind>
Kind parsed_as(std::string_view line) {
  return std::get<Kind>(std::get<Message>(parse(line, {{32}})));
}

std::optional<std::string> key(std::string_view id) { return key_of(parse_json(id)); }

}  // namespace

BOOST_AUTO_TEST_CASE(a_request_keeps_the_text_of_its_id) {
  const std::string_view line = R"({"jsonrpc":"2.0","id":1e3,"method":"m","params":{"a":1}})";
  const auto request = parsed_as<Request>(line);
  BOOST_TEST(request.id.text == "1e3");
  BOOST_TEST(request.method == "m");
  BOOST_TEST(request.params.at("a") == 1);
  BOOST_TEST(request.params_usable);
  BOOST_TEST(request.bytes >= line.size());
}

BOOST_AUTO_TEST_CASE(params_may_be_absent_or_null_but_no_other_kind) {
  BOOST_TEST(parsed_as<Request>(R"({"jsonrpc":"2.0","id":1,"method":"m"})").params_usable);
  BOOST_TEST(parsed_as<Request>(R"({"jsonrpc":"2.0","id":1,"method":"m","params":null})").params_usable);
  for (const char* params : {"[]", "5", "\"x\"", "true"}) {
    const auto request =
        parsed_as<Request>(std::string(R"({"jsonrpc":"2.0","id":1,"method":"m","params":)") + params + "}");
    BOOST_TEST(!request.params_usable);
    BOOST_TEST(request.params.is_object());
  }
}

BOOST_AUTO_TEST_CASE(a_message_without_an_id_is_a_notification) {
  const auto notification = parsed_as<Notification>(R"({"jsonrpc":"2.0","method":"m","params":[1]})");
  BOOST_TEST(notification.method == "m");
  BOOST_TEST(notification.params.is_object());
}

BOOST_AUTO_TEST_CASE(an_answer_is_a_result_or_an_error) {
  const auto result = parsed_as<Response>(R"({"jsonrpc":"2.0","id":7,"result":{"a":1}})");
  BOOST_TEST(!result.is_error);
  BOOST_TEST(result.id.key() == "7");
  BOOST_TEST(result.outcome.at("a") == 1);
  BOOST_TEST(parsed_as<Response>(R"({"jsonrpc":"2.0","id":"7","error":{"code":1,"message":"m"}})").is_error);
}

BOOST_AUTO_TEST_CASE(answers_that_lead_nowhere_are_ignored) {
  for (const char* line :
       {R"({"jsonrpc":"2.0","id":null,"error":{}})", R"({"jsonrpc":"2.0","error":{}})",
        R"({"jsonrpc":"2.0","id":1,"result":1,"error":{}})", R"({"jsonrpc":"2.0","id":1.5,"result":1})"}) {
    parsed_as<Ignored>(line);
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_json_is_a_parse_error_with_the_id_that_can_be_read) {
  const auto with_id = parsed_as<Malformed>(R"({"jsonrpc":"2.0","id":"a","method":)");
  BOOST_TEST(with_id.code == -32700);
  BOOST_TEST(with_id.id_text == "\"a\"");
  BOOST_TEST(parsed_as<Malformed>("{").id_text == "");
}

BOOST_AUTO_TEST_CASE(json_that_is_no_message_is_an_invalid_request) {
  for (const char* line : {"1", "null", "{}", R"({"jsonrpc":"1.0","method":"m"})", R"({"jsonrpc":"2.0","method":5})",
                           R"({"jsonrpc":"2.0"})", R"({"jsonrpc":"2.0","id":true,"method":"m"})", "[]",
                           R"({"jsonrpc":"2.0","id":1,"id":1,"method":"m"})"}) {
    const auto malformed = parsed_as<Malformed>(line);
    BOOST_TEST(malformed.code == -32600);
    BOOST_TEST(malformed.id_text == "");
    BOOST_TEST(malformed.reason.find("Invalid Request: ") == 0u);
  }
  BOOST_TEST(parsed_as<Malformed>(R"({"jsonrpc":"2.0","id":3})").id_text == "3");
}

BOOST_AUTO_TEST_CASE(ids_in_a_batch_keep_their_text) {
  const std::string large = "1000000000000000000000000000000";
  const auto batch = std::get<Batch>(parse("\xEF\xBB\xBF [ {\"id\": " + large + R"j( , "jsonrpc":"2.0","method":"m"},1,
    {"params":{"id":[5,"]"]},"jsonrpc":"2.0","method":"m","\u0069d":1.0},{"jsonrpc":"2.0","method":"m","id":"\u0061"}])j",
                                           {{32}}));
  BOOST_REQUIRE(batch.size() == 4U);
  BOOST_TEST(std::get<Request>(batch[0]).id.text == large);
  BOOST_TEST(std::get<Malformed>(batch[1]).id_text == "");
  BOOST_TEST(std::get<Request>(batch[2]).id.text == "1.0");
  BOOST_TEST(std::get<Request>(batch[3]).id.text == R"("\u0061")");
}

BOOST_AUTO_TEST_CASE(a_batch_keeps_its_members_in_order) {
  const auto batch =
      std::get<Batch>(parse(R"([{"jsonrpc":"2.0","id":1,"method":"m"},1,{"jsonrpc":"2.0","method":"n"}])", {{32}}));
  BOOST_REQUIRE(batch.size() == 3u);
  BOOST_TEST(std::get<Request>(batch[0]).id.text == "1");
  BOOST_TEST(std::get<Malformed>(batch[1]).code == -32600);
  BOOST_TEST(std::get<Notification>(batch[2]).method == "n");
}

BOOST_AUTO_TEST_CASE(equal_ids_have_equal_keys_whatever_their_spelling) {
  BOOST_TEST((key("1") == key("1.0")));
  BOOST_TEST((key("1000") == key("1e3")));
  BOOST_TEST((key("0") == key("-0")));
  BOOST_TEST((key("1") != key("\"1\"")));
  BOOST_TEST((key("9007199254740993") != key("9007199254740992")));
  BOOST_TEST((key("18446744073709551615") != key("-1")));
  BOOST_TEST((key("\"\\u0061\"") == key("\"a\"")));
}

BOOST_AUTO_TEST_CASE(what_is_neither_string_nor_integer_has_no_key) {
  for (const char* id : {"1.5", "true", "null", "[]", "{}"}) BOOST_TEST(!key(id).has_value());
}

BOOST_AUTO_TEST_CASE(a_request_tells_the_memory_that_it_takes) {
  const auto bytes_of = [](const std::string& value) {
    const std::string line = R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"a":)" + value + "}}";
    return std::get<Request>(std::get<Message>(parse(line, {{32}}))).bytes;
  };
  std::string numbers = "[1";
  for (int i = 1; i < 4'000; ++i) numbers += ",1";
  BOOST_TEST(bytes_of(numbers + "]") >= 4'000 * sizeof(toolwire::Json));
  BOOST_TEST(bytes_of(numbers + R"(,"\ud83d"])") >= 4'000 * sizeof(toolwire::Json));  // not read the plain way
  BOOST_TEST(bytes_of("\"" + std::string(100'000, 'a') + "\"") >= 100'000u);
  BOOST_TEST(bytes_of("\"" + std::string(100'000, 'a') + "\"") < 110'000u);
}

BOOST_AUTO_TEST_CASE(more_values_or_messages_than_allowed_are_refused) {
  const std::string line = R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[1,2]}})";
  BOOST_TEST(std::get<Message>(parse(line, {{.depth = 32, .values = 13}})).index() == 0u);  // a Request
  const auto refused = std::get<Malformed>(std::get<Message>(parse(line, {{.depth = 32, .values = 12}})));
  BOOST_TEST(refused.code == -32700);
  BOOST_TEST(refused.id_text == "1");
  BOOST_TEST(refused.reason.find("expected at most 12 values and names") != std::string::npos, refused.reason);
  BOOST_TEST(std::get<Batch>(parse("[1,2]", {{32}, 2})).size() == 2u);
  const auto batch = std::get<Malformed>(std::get<Message>(parse("[1,2,3]", {{32}, 2})));
  BOOST_TEST(batch.code == -32600);
  BOOST_TEST(batch.reason == "Invalid Request: a batch may have 2 messages at most");
}
