#include <toolwire/client.hpp>

#define BOOST_TEST_MODULE client_later_test
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <deque>
#include <future>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scripted_server.hpp"

using namespace std::chrono_literals;
using toolwire::CallOutcome;
using toolwire::CallResult;
using toolwire::Client;
using toolwire::ClientOptions;
using toolwire::Json;
using toolwire::JsonArray;
using toolwire::JsonObject;
using toolwire::JsonString;
using toolwire::RequestOutcome;

namespace {

constexpr auto never = std::chrono::milliseconds::max();

/// Holds one outcome: reading it waits, and setting a second one fails the test.
template <class Outcome>
struct Box {
  std::promise<Outcome> promise;
  std::future<Outcome> future = promise.get_future();

  auto filler() {
    return [this](Outcome&& outcome) { promise.set_value(std::move(outcome)); };
  }
  Outcome take() {
    BOOST_REQUIRE(future.wait_for(30s) == std::future_status::ready);
    return future.get();
  }
};

template <class Error, class Outcome>
std::string error_text(const Outcome& outcome) {
  BOOST_REQUIRE(std::holds_alternative<std::exception_ptr>(outcome));
  try {
    std::rethrow_exception(std::get<std::exception_ptr>(outcome));
  } catch (const Error& error) {
    return error.what();
  } catch (const std::exception& error) {
    BOOST_FAIL(std::string{"another error: "} + error.what());
  }
  return {};
}

/// Answers nothing and notes what comes after the handshake until the client is gone.
void only_listen(ScriptedServer& server, std::vector<Json>& heard) {
  server.be_modern();
  for (Json message = server.receive(); !message.is_null(); message = server.receive()) heard.push_back(message);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_result_of_a_call_goes_to_a_function) {
  ScriptedServer peer{[](ScriptedServer& server) {
    server.be_modern();
    server.reply(server.receive(), text_result("done"));
    server.receive();
  }};
  Client client{std::move(peer.client_end)};
  Box<CallOutcome> box;
  client.start_call("x", {}, {}, box.filler());
  BOOST_TEST(std::get<CallResult>(box.take()).text() == "done");
}

BOOST_AUTO_TEST_CASE(a_request_hands_over_the_result_as_it_was_sent_questions_included) {
  const Json asked{{"resultType", "input_required"}, {"inputRequests", JsonObject{}}, {"requestState", "s"}};
  ScriptedServer peer{[&](ScriptedServer& server) {
    server.be_modern();
    server.reply(server.receive(), asked);
    server.receive();
  }};
  Client client{std::move(peer.client_end)};
  Box<RequestOutcome> box;
  client.start_request("tools/call", {{"name", "x"}}, {.meta = {{"vendor/key", 1}}}, box.filler());
  BOOST_TEST(std::get<Json>(box.take()) == asked);
}

/// A server says who it is with every result, mostly in the same words.
BOOST_AUTO_TEST_CASE(each_result_is_handed_over_with_the_metadata_that_came_with_it) {
  const std::vector<std::string> results{
      R"({"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}})",
      R"({"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"2"}}})",
      R"({"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}},"resultType":"complete"})",
      R"({"resultType":"complete","_meta":{"vendor":{"a":[1,2]}},"_meta":{"vendor":"\u0061"}})",
      R"({"resultType":"complete","_meta":{}})",
      R"({"resultType":"complete"})",
  };
  std::vector<std::string> sent;
  for (const std::string& first : results) {
    for (const std::string& second : results) sent.insert(sent.end(), {first, first, first, second});
  }
  ScriptedServer peer{[&](ScriptedServer& server) {
    server.be_modern();
    for (const std::string& result : sent) {
      const Json request = server.receive();
      server.send_line(R"({"jsonrpc":"2.0","id":)" + toolwire::to_json_text(request.at("id")) + R"(,"result":)" +
                       result + "}");
    }
    server.receive();
  }};
  std::deque<Box<RequestOutcome>> boxes;  // they outlive those who fill them
  Client client{std::move(peer.client_end)};
  for (const std::string& result : sent) {
    client.start_request("tools/call", {{"name", "x"}}, {}, boxes.emplace_back().filler());
    BOOST_TEST(toolwire::to_json_text(std::get<Json>(boxes.back().take())) ==
               toolwire::to_json_text(toolwire::parse_json(result)));
  }
}

BOOST_AUTO_TEST_CASE(a_refusal_goes_to_the_function_as_well) {
  ScriptedServer peer{[](ScriptedServer& server) {
    server.be_modern();
    server.refuse(server.receive(), -32602, "no such tool");
    server.refuse(server.receive(), -32602, "no such prompt");
    server.receive();
  }};
  Client client{std::move(peer.client_end)};
  Box<CallOutcome> call;
  Box<RequestOutcome> request;
  client.start_call("x", {}, {}, call.filler());
  BOOST_TEST(error_text<toolwire::ProtocolError>(call.take()) == "no such tool");
  client.start_request("prompts/get", {}, {}, request.filler());
  BOOST_TEST(error_text<toolwire::ProtocolError>(request.take()) == "no such prompt");
}

BOOST_AUTO_TEST_CASE(a_request_nobody_waits_for_is_given_up_at_its_deadline_and_the_server_told) {
  std::vector<Json> heard;
  ScriptedServer peer{[&](ScriptedServer& server) { only_listen(server, heard); }};
  std::optional<Client> client{std::in_place, std::move(peer.client_end)};
  Box<RequestOutcome> request;
  Box<CallOutcome> call;
  client->start_request("slow/thing", {}, {.timeout = 100ms}, request.filler());
  BOOST_TEST(error_text<toolwire::TimeoutError>(request.take()).find("slow/thing") != std::string::npos);
  client->start_call("slow", {}, {.timeout = 100ms}, call.filler());
  BOOST_TEST(error_text<toolwire::TimeoutError>(call.take()).find("slow") != std::string::npos);
  client.reset();
  peer.finish();
  BOOST_REQUIRE(heard.size() == 4U);
  BOOST_TEST(ScriptedServer::method_of(heard[1]) == "notifications/cancelled");
  BOOST_TEST(ScriptedServer::method_of(heard[3]) == "notifications/cancelled");
}

/// However early the deadline: a request that goes out has not been given up before, without a word to the server.
BOOST_AUTO_TEST_CASE(a_deadline_that_has_passed_at_the_start_is_told_to_the_server_as_well) {
  std::vector<Json> heard;
  ScriptedServer peer{[&](ScriptedServer& server) { only_listen(server, heard); }};
  std::deque<Box<RequestOutcome>> requests;  // they outlive those who fill them
  std::deque<Box<CallOutcome>> calls;
  std::optional<Client> client{std::in_place, std::move(peer.client_end)};
  for (int round = 0; round < 500; ++round) {
    client->start_request("slow/thing", {}, {.timeout = 0ms}, requests.emplace_back().filler());
    client->start_call("slow", {}, {.timeout = 0ms}, calls.emplace_back().filler());
    error_text<toolwire::TimeoutError>(requests.back().take());
    error_text<toolwire::TimeoutError>(calls.back().take());
  }
  client.reset();
  peer.finish();
  std::set<std::int64_t> asked;
  std::set<std::int64_t> given_up;
  for (const Json& message : heard) {
    if (const Json* id = message.get_object().if_contains("id"))
      asked.insert(id->as_int64());
    else
      given_up.insert(message.at("params").at("requestId").as_int64());
  }
  BOOST_TEST(asked.size() == 1000U);
  BOOST_TEST((asked == given_up));
}

BOOST_AUTO_TEST_CASE(a_cancelled_request_ends_before_cancel_returns_and_the_server_is_told) {
  std::vector<Json> heard;
  ScriptedServer peer{[&](ScriptedServer& server) { only_listen(server, heard); }};
  std::optional<Client> client{std::in_place, std::move(peer.client_end)};
  Box<RequestOutcome> box;
  auto request = client->start_request("slow/thing", {}, {.timeout = never}, box.filler());
  request.cancel("no longer wanted");
  BOOST_TEST((box.future.wait_for(0s) == std::future_status::ready));
  BOOST_TEST(error_text<toolwire::CancelledError>(box.take()).find("no longer wanted") != std::string::npos);
  client.reset();
  peer.finish();
  BOOST_REQUIRE(heard.size() == 2U);
  BOOST_TEST(heard[1].at("params").at("requestId") == heard[0].at("id"));
}

BOOST_AUTO_TEST_CASE(a_lost_connection_ends_the_requests_first_and_is_told_then) {
  ScriptedServer peer{[](ScriptedServer& server) {
    server.be_modern();
    server.receive();
  }};
  Box<RequestOutcome> box;
  std::promise<bool> told;
  ClientOptions options;
  options.on_lost = [&](const std::string&) { told.set_value(box.future.wait_for(0s) == std::future_status::ready); };
  Client client{std::move(peer.client_end), options};
  client.start_request("slow/thing", {}, {.timeout = never}, box.filler());
  auto ended_first = told.get_future();
  BOOST_REQUIRE(ended_first.wait_for(30s) == std::future_status::ready);
  BOOST_TEST(ended_first.get());
  error_text<toolwire::ConnectionError>(box.take());
  BOOST_CHECK_THROW(client.start_request("x", {}, {}, [](RequestOutcome&&) {}), toolwire::ConnectionError);
}

BOOST_AUTO_TEST_CASE(a_client_that_goes_has_lost_nothing) {
  int told = 0;
  for (int round = 0; round < 20; ++round) {
    ScriptedServer peer{[](ScriptedServer& server) {
      server.be_modern();
      server.expect(server.receive().is_null());
    }};
    ClientOptions options;
    options.on_lost = [&](const std::string&) { ++told; };
    std::optional<Client> client;
    client.emplace(std::move(peer.client_end), options);
    client.reset();
    peer.finish();
  }
  BOOST_TEST(told == 0);
}

BOOST_AUTO_TEST_CASE(a_servers_request_can_be_answered_later_refused_or_dropped) {
  std::vector<Json> answers;
  ScriptedServer peer{[&](ScriptedServer& server) {
    server.be_legacy();
    for (const char* method : {"elicitation/create", "roots/list", "sampling/createMessage"})
      server.send({{"jsonrpc", "2.0"}, {"id", JsonString{method}}, {"method", method}, {"params", JsonObject{}}});
    for (int i = 0; i < 3; ++i) answers.push_back(server.receive());
  }};
  std::promise<toolwire::ServerRequest> first;
  ClientOptions options;
  options.on_request_later = [&](toolwire::ServerRequest&& request) {
    if (request.method == "elicitation/create") return first.set_value(std::move(request));
    if (request.method == "roots/list") request.refuse(-32601, "no roots here");
  };
  Client client{std::move(peer.client_end), options};
  auto request = first.get_future();
  BOOST_REQUIRE(request.wait_for(30s) == std::future_status::ready);
  request.get().answer({{"action", "decline"}});
  peer.finish();
  BOOST_REQUIRE(answers.size() == 3U);
  for (const Json& answer : answers) {
    const Json& id = answer.at("id");
    if (id == "elicitation/create") BOOST_TEST(answer.at("result").at("action") == "decline");
    if (id == "roots/list") BOOST_TEST(answer.at("error").at("code") == -32601);
    if (id == "sampling/createMessage") BOOST_TEST(answer.at("error").at("code") == -32603);
  }
}

BOOST_AUTO_TEST_CASE(a_flood_of_notifications_is_bounded_and_answers_get_through) {
  constexpr int flood = 1000;
  ScriptedServer peer{[](ScriptedServer& server) {
    server.be_modern();
    const Json request = server.receive();
    for (int i = 0; i < flood; ++i) server.send({{"jsonrpc", "2.0"}, {"method", "notifications/vendor"}});
    server.reply(request, text_result("done"));
    server.receive();
  }};
  std::promise<void> open;
  int seen = 0;
  {
    ClientOptions options;
    options.max_waiting_notifications = 10;
    options.on_notification = [&, gate = open.get_future().share()](const std::string&, const Json&) {
      gate.wait();
      ++seen;
    };
    Client client{std::move(peer.client_end), options};
    BOOST_TEST(client.call("x").text() == "done");
    open.set_value();
  }
  BOOST_TEST(seen <= 11);  // the one that waited for the gate, and those that waited for it
}
