// Questions of a server during a call, in both eras.
#include <toolwire/client.hpp>

#define BOOST_TEST_MODULE client_questions_test
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "scripted_server.hpp"

using namespace std::chrono_literals;
using toolwire::CallOptions;
using toolwire::CallResult;
using toolwire::Client;
using toolwire::ClientOptions;
using toolwire::ConnectionError;
using toolwire::Elicitation;
using toolwire::ElicitationReply;
using toolwire::Json;
using toolwire::JsonArray;
using toolwire::JsonObject;
using toolwire::ProgressReport;
using toolwire::ProtocolError;

namespace {

ElicitationReply say_yes(const Elicitation&) {
  return {.action = ElicitationReply::Action::accept, .content = {{"sure", true}}};
}

Json form_request() {
  return {{"method", "elicitation/create"},
          {"params", {{"message", "Sure?"}, {"requestedSchema", {{"type", "object"}}}}}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_modern_question_is_answered_and_the_call_repeated_with_the_state) {
  Json first;
  Json second;
  ScriptedServer peer{[&](ScriptedServer& server) {
    server.be_modern();
    first = server.receive();
    server.reply(first, {{"resultType", "input_required"},
                         {"inputRequests", {{"confirm", form_request()}}},
                         {"requestState", "opaque"}});
    second = server.receive();
    server.reply(second, text_result("deployed"));
  }};
  Elicitation asked;
  ClientOptions options;
  options.on_elicitation = [&](const Elicitation& question) {
    asked = question;
    return say_yes(question);
  };
  Client client{std::move(peer.client_end), options};
  BOOST_TEST(client.call("deploy", {{"to", "prod"}}).text() == "deployed");
  BOOST_TEST(asked.message == "Sure?");
  BOOST_TEST(asked.mode == "form");
  BOOST_TEST(asked.schema == (Json{{"type", "object"}}));
  BOOST_TEST(first.at("id") != second.at("id"));
  const Json& params = second.at("params");
  BOOST_TEST(params.at("arguments") == (Json{{"to", "prod"}}));
  BOOST_TEST(params.at("requestState") == Json("opaque"));
  BOOST_TEST(params.at("inputResponses") == (Json{{"confirm", {{"action", "accept"}, {"content", {{"sure", true}}}}}}));
}

BOOST_AUTO_TEST_CASE(a_state_without_questions_is_sent_back_and_no_state_is_not_invented) {
  ScriptedServer peer{[&](ScriptedServer& server) {
    server.be_modern();
    server.reply(server.receive(), {{"resultType", "input_required"}, {"requestState", "wait"}});
    const Json second = server.receive();
    server.expect(second.at("params").at("requestState") == Json("wait"));
    server.expect(!second.at("params").as_object().contains("inputResponses"));
    server.reply(second, {{"resultType", "input_required"}, {"inputRequests", JsonObject{}}});
    const Json third = server.receive();
    server.expect(!third.at("params").as_object().contains("requestState"));
    server.reply(third, text_result("done"));
  }};
  Client client{std::move(peer.client_end)};
  BOOST_TEST(client.call("x").text() == "done");
}

BOOST_AUTO_TEST_CASE(a_question_nobody_can_answer_ends_the_call) {
  ScriptedServer peer{[&](ScriptedServer& server) {
    server.be_modern();
    server.reply(server.receive(), {{"resultType", "input_required"}, {"inputRequests", {{"q", form_request()}}}});
    server.receive();
  }};
  Client client{std::move(peer.client_end)};
  BOOST_CHECK_THROW(client.call("x"), ProtocolError);
}

BOOST_AUTO_TEST_CASE(a_server_that_asks_for_ever_is_given_up) {
  ScriptedServer peer{[&](ScriptedServer& server) {
    server.be_modern();
    for (Json request = server.receive(); !request.is_null(); request = server.receive())
      server.reply(request, {{"resultType", "input_required"}, {"requestState", "again"}});
  }};
  Client client{std::move(peer.client_end)};
  BOOST_CHECK_THROW(client.call("x", {}, {.timeout = std::chrono::milliseconds::max()}), ProtocolError);
}

BOOST_AUTO_TEST_CASE(a_legacy_question_is_answered_under_the_servers_id) {
  Json reply;
  Json to_ping;
  Json to_roots;
  ScriptedServer peer{[&](ScriptedServer& server) {
    server.be_legacy();
    const Json call = server.receive();
    server.send_line(R"({"jsonrpc":"2.0","id":"q-1","method":"elicitation/create","params":{"message":"Sure?"}})");
    reply = server.receive();
    server.send_line(R"({"jsonrpc":"2.0","id":1e2,"method":"ping"})");
    to_ping = server.receive();
    server.send_line(R"({"jsonrpc":"2.0","id":5,"method":"roots/list"})");
    to_roots = server.receive();
    server.reply(call, text_result("thanks"));
  }};
  ClientOptions options;
  options.on_elicitation = say_yes;
  Client client{std::move(peer.client_end), options};
  BOOST_TEST(client.call("deploy").text() == "thanks");
  BOOST_TEST(reply.at("id") == Json("q-1"));
  BOOST_TEST(reply.at("result") == (Json{{"action", "accept"}, {"content", {{"sure", true}}}}));
  BOOST_TEST(to_ping.at("result") == Json(JsonObject{}));
  BOOST_TEST(to_roots.at("error").at("code") == Json(-32601));
}

BOOST_AUTO_TEST_CASE(declining_and_cancelling_are_answers_and_an_exception_is_an_error) {
  std::vector<Json> replies;
  ScriptedServer peer{[&](ScriptedServer& server) {
    server.be_legacy();
    const Json call = server.receive();
    for (int i = 0; i < 3; ++i) {
      server.send_line(R"({"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Sure?"}})");
      replies.push_back(server.receive());
    }
    server.reply(call, text_result("ok"));
  }};
  int asked = 0;
  ClientOptions options;
  options.on_elicitation = [&](const Elicitation&) -> ElicitationReply {
    if (++asked == 3) throw std::runtime_error("no screen");
    return {.action = asked == 1 ? ElicitationReply::Action::decline : ElicitationReply::Action::cancel};
  };
  Client client{std::move(peer.client_end), options};
  client.call("x");
  BOOST_TEST(replies.at(0).at("result") == (Json{{"action", "decline"}}));
  BOOST_TEST(replies.at(1).at("result") == (Json{{"action", "cancel"}}));
  BOOST_TEST(replies.at(2).at("error").at("message") == Json("no screen"));
}
