#include "client/incoming.hpp"

#define BOOST_TEST_MODULE client_incoming_test
#include <boost/test/unit_test.hpp>
#include <string>
#include <utility>
#include <variant>

#include "toolwire/error.hpp"

using namespace toolwire;
using client::Addressee;
using client::Failure;
using client::own_id;

namespace {

client::Pending::Outcome outcome(const std::string& line) {
  auto incoming = jsonrpc::parse(line, {{128}});
  return client::outcome_of(std::get<jsonrpc::Response>(std::move(std::get<jsonrpc::Message>(incoming))));
}

Failure failure(const std::string& error) {
  return std::get<Failure>(outcome(R"({"jsonrpc":"2.0","id":1,"error":)" + error + "}"));
}

Addressee addressee(std::string_view method, const std::string& params) {
  return client::addressee_of(method, parse_json(params));
}

}  // namespace

BOOST_AUTO_TEST_CASE(integers_and_exactly_their_decimal_texts_are_ids_of_ours) {
  BOOST_TEST(own_id("7").value() == 7);
  BOOST_TEST(own_id("-1").value() == -1);
  BOOST_TEST(own_id("\"7\"").value() == 7);
  BOOST_TEST(own_id("\"120\"").value() == 120);
  for (const char* key : {"",         "7.5",     "7 ",      " 7",        "99999999999999999999",
                          "null",     "\"",      "\"\"",    "\"7",       "7\"",
                          "\"07\"",   "\"+7\"",  "\"-0\"",  "\" 7\"",    "\"7 \"",
                          "\"7.0\"",  "\"7e0\"", "\"0x7\"", "\"seven\"", "\"99999999999999999999\"",
                          "\"\"7\"\""})
    BOOST_TEST(!own_id(key), key);
}

BOOST_AUTO_TEST_CASE(a_response_brings_its_result_or_a_refusal) {
  BOOST_TEST(std::get<Json>(outcome(R"({"jsonrpc":"2.0","id":1,"result":{"a":1}})")) == parse_json(R"({"a":1})"));
  const Failure refused = failure(R"({"code":-32602,"message":"no","data":[1]})");
  BOOST_TEST((refused.kind == Failure::Kind::refused));
  BOOST_TEST(refused.code == -32602);
  BOOST_TEST(refused.text == "no");
  BOOST_TEST(refused.data == parse_json("[1]"));
}

BOOST_AUTO_TEST_CASE(an_error_without_a_code_is_an_internal_one_and_shown_whole) {
  for (const char* error :
       {R"({"message":"no"})", R"({"code":"x"})", R"({"code":1.5})", R"({"code":4294934592})", "3"}) {
    const Failure refused = failure(error);
    BOOST_TEST(refused.code == error_code::internal_error);
    BOOST_TEST(refused.text.ends_with(error), refused.text);
  }
  BOOST_TEST(failure(R"({"code":1,"message":2})").text.empty());
}

BOOST_AUTO_TEST_CASE(progress_needs_an_id_of_ours_and_a_number) {
  const auto told = client::progress_of(parse_json(R"({"progressToken":3,"progress":1,"total":2.5,"message":"half"})"));
  BOOST_REQUIRE(told);
  BOOST_TEST(told->id == 3);
  BOOST_TEST(told->report.progress == 1.0);
  BOOST_TEST(told->report.total.value() == 2.5);
  BOOST_TEST(told->report.message == "half");
  const auto bare = client::progress_of(parse_json(R"({"progressToken":3,"progress":1,"total":"x","message":4})"));
  BOOST_REQUIRE(bare);
  BOOST_TEST(!bare->report.total);
  BOOST_TEST(bare->report.message.empty());
  BOOST_TEST(client::progress_of(parse_json(R"({"progressToken":"3","progress":1})")).value().id == 3);
  for (const char* params : {"{}", R"({"progress":1})", R"({"progressToken":"a","progress":1})",
                             R"({"progressToken":"03","progress":1})", R"({"progressToken":3,"progress":"1"})"}) {
    BOOST_TEST(!client::progress_of(parse_json(params)), params);
  }
}

BOOST_AUTO_TEST_CASE(a_notification_is_for_a_subscription_its_end_or_everybody) {
  const std::string mine = R"({"_meta":{"io.modelcontextprotocol/subscriptionId":4}})";
  const Addressee one = addressee("notifications/tools/list_changed", mine);
  BOOST_TEST((one.kind == Addressee::Kind::subscription));
  BOOST_TEST(one.id.value() == 4);
  const Addressee strange =
      addressee("notifications/x", R"({"_meta":{"io.modelcontextprotocol/subscriptionId":"theirs"}})");
  BOOST_TEST((strange.kind == Addressee::Kind::subscription));
  BOOST_TEST(!strange.id);
  const Addressee ended = addressee("notifications/cancelled", R"({"requestId":4})");
  BOOST_TEST((ended.kind == Addressee::Kind::ended_subscription));
  BOOST_TEST(ended.id.value() == 4);
  BOOST_TEST(!addressee("notifications/cancelled", "{}").id);
  BOOST_TEST((addressee("notifications/cancelled", mine).kind == Addressee::Kind::subscription));
  BOOST_TEST((addressee("notifications/message", R"({"_meta":{},"requestId":4})").kind == Addressee::Kind::everybody));
}

BOOST_AUTO_TEST_CASE(a_line_that_is_too_long_is_read_as_far_as_its_id) {
  const auto cut = client::too_long(R"({"jsonrpc":"2.0","id":9,"result":{"text":"aaaa)", 40, {{128}});
  BOOST_TEST(cut.id_text == "9");
  BOOST_TEST(cut.reason == "the line is longer than 40 bytes");
  BOOST_TEST(client::too_long("aaaa", 2, {{128}}).id_text.empty());
  BOOST_TEST(client::too_long("{}", 1, {{128}}).id_text.empty());
  BOOST_TEST(client::too_long("[]", 1, {{128}}).id_text.empty());
}

BOOST_AUTO_TEST_CASE(an_answer_that_cannot_be_read_refuses_its_request) {
  const Failure failure = client::unreadable("half of it is missing");
  BOOST_TEST((failure.kind == Failure::Kind::refused));
  BOOST_TEST(failure.code == error_code::parse_error);
  BOOST_TEST(failure.text == "the server's answer cannot be read: half of it is missing");
  BOOST_TEST(failure.data == parse_json(R"({"outcome":"unknown"})"));
}

BOOST_AUTO_TEST_CASE(an_answer_with_null_beside_it_is_read_as_it_is_meant) {
  const auto meant = [](const std::string& line) { return client::answers_meant_by(line, {{128}}); };
  const auto result = meant(R"({"jsonrpc":"2.0","id":4,"result":{"a":1},"error":null})");
  BOOST_REQUIRE(result.size() == 1U);
  BOOST_TEST(result[0].id.value() == 4);
  BOOST_TEST(std::get<Json>(result[0].outcome) == parse_json(R"({"a":1})"));
  const auto error = meant(R"([{"jsonrpc":"2.0","id":4,"result":null,"error":{"code":-3,"message":"no"}}])");
  BOOST_REQUIRE(error.size() == 1U);
  BOOST_TEST(std::get<Failure>(error[0].outcome).code == -3);
  const auto both = meant(R"({"jsonrpc":"2.0","id":4,"result":{},"error":{"code":-3,"message":"no"}})");
  BOOST_REQUIRE(both.size() == 1U);
  BOOST_TEST(std::get<Failure>(both[0].outcome).code == error_code::parse_error);
  const auto nobodys = meant(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}})");
  BOOST_REQUIRE(nobodys.size() == 1U);
  BOOST_TEST(!nobodys[0].id);
  BOOST_TEST(nobodys[0].is_nameless);
  BOOST_TEST(std::get<Failure>(nobodys[0].outcome).code == -32700);
  const auto unnamed = meant(R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"no"}})");
  BOOST_REQUIRE(unnamed.size() == 1U);
  BOOST_TEST(unnamed[0].is_nameless);
  for (const char* line :
       {R"({"jsonrpc":"2.0","id":null,"result":{}})", R"({"jsonrpc":"2.0","id":[4],"error":{"code":1,"message":"no"}})",
        R"({"jsonrpc":"2.0","id":null,"result":{},"error":{"code":1,"message":"no"}})"}) {
    const auto other = meant(line);
    BOOST_REQUIRE(other.size() == 1U);
    BOOST_TEST(!other[0].is_nameless, line);
  }
  for (const char* line :
       {R"({"jsonrpc":"2.0","id":4,"result":{}})", R"({"jsonrpc":"2.0","method":"x"})", "[1]", "{", R"({"id":4})"})
    BOOST_TEST(meant(line).empty(), line);
}
