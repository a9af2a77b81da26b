#include <toolwire/client.hpp>

#define BOOST_TEST_MODULE client_test
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <string>
#include <thread>
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

BOOST_AUTO_TEST_CASE(a_call_sends_name_and_arguments_and_brings_the_result) {
  Json request;
  ScriptedServer peer{[&](ScriptedServer& server) {
    server.be_modern();
    request = server.receive();
    server.reply(request, {{"resultType", "complete"},
                           {"isError", true},
                           {"structuredContent", {{"sum", 3}}},
                           {"content", JsonArray{Json{{"type", "text"}, {"text", "one"}}, Json{{"type", "image"}},
                                                 Json{{"type", "text"}, {"text", "two"}}}}});
  }};
  Client client{std::move(peer.client_end)};
  const CallResult result = client.call("add", {{"a", 1}, {"b", 2}}, {.meta = {{"vendor/key", 7}}});
  BOOST_TEST(ScriptedServer::method_of(request) == "tools/call");
  BOOST_TEST(request.at("params").at("name") == Json("add"));
  BOOST_TEST(request.at("params").at("arguments") == (Json{{"a", 1}, {"b", 2}}));
  BOOST_TEST(request.at("params").at("_meta").at("vendor/key") == Json(7));
  BOOST_TEST(result.text() == "one\ntwo");
  BOOST_TEST(result.is_error);
  BOOST_TEST((result.structured == Json{{"sum", 3}}));
  BOOST_TEST(result.content.size() == 3U);
}

BOOST_AUTO_TEST_CASE(arguments_must_be_an_object) {
  ScriptedServer peer{[](ScriptedServer& server) {
    server.be_modern();
    server.receive();
  }};
  Client client{std::move(peer.client_end)};
  BOOST_CHECK_THROW(client.call("add", 3), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_refusal_carries_code_text_and_data) {
  ScriptedServer peer{[](ScriptedServer& server) {
    server.be_modern();
    server.refuse(server.receive(), -32602, "no such tool", {{"tool", "x"}});
  }};
  Client client{std::move(peer.client_end)};
  const auto is_complete = [](const ProtocolError& error) {
    return error.code == -32602 && error.what() == std::string{"no such tool"} && error.data == Json{{"tool", "x"}};
  };
  BOOST_CHECK_EXCEPTION(client.call("x"), ProtocolError, is_complete);
}

BOOST_AUTO_TEST_CASE(answers_find_their_calls_in_any_order) {
  ScriptedServer peer{[](ScriptedServer& server) {
    server.be_modern();
    const Json first = server.receive();
    const Json second = server.receive();
    server.reply(second, text_result("second"));
    server.reply(first, text_result("first"));
  }};
  Client client{std::move(peer.client_end)};
  auto first = client.start_call("a");
  auto second = client.start_call("b");
  BOOST_TEST(first.wait().text() == "first");
  BOOST_TEST(second.wait().text() == "second");
}

BOOST_AUTO_TEST_CASE(progress_comes_before_the_result_and_in_order) {
  ScriptedServer peer{[](ScriptedServer& server) {
    server.be_modern();
    const Json request = server.receive();
    const Json token = request.at("params").at("_meta").at("progressToken");
    for (int i = 1; i <= 50; ++i) {
      server.send(Json{{"jsonrpc", "2.0"},
                       {"method", "notifications/progress"},
                       {"params", {{"progressToken", token}, {"progress", i}, {"total", 50}, {"message", "step"}}}});
    }
    server.reply(request, text_result("done"));
  }};
  Client client{std::move(peer.client_end)};
  std::vector<double> seen;
  const auto note = [&](const ProgressReport& report) {
    BOOST_TEST(report.total.value() == 50);
    BOOST_TEST(report.message == "step");
    seen.push_back(report.progress);
  };
  client.call("slow", {}, {.on_progress = note});
  BOOST_TEST(seen.size() == 50U);
  BOOST_TEST(std::is_sorted(seen.begin(), seen.end()));
}

BOOST_AUTO_TEST_CASE(a_cancelled_call_is_told_to_the_server_and_its_late_answer_is_ignored) {
  Json cancellation;
  ScriptedServer peer{[&](ScriptedServer& server) {
    server.be_modern();
    const Json request = server.receive();
    cancellation = server.receive();
    server.reply(request, text_result("too late"));
    const Json next = server.receive();
    server.reply(next, text_result("in time"));
  }};
  Client client{std::move(peer.client_end)};
  auto call = client.start_call("slow");
  BOOST_TEST(!call.is_done());
  call.cancel("changed my mind");
  call.cancel("twice");
  BOOST_CHECK_THROW(call.wait(), toolwire::CancelledError);
  BOOST_TEST(client.call("next").text() == "in time");
  BOOST_TEST(ScriptedServer::method_of(cancellation) == "notifications/cancelled");
  BOOST_TEST(cancellation.at("params").at("reason") == Json("changed my mind"));
}

BOOST_AUTO_TEST_CASE(a_call_without_answer_times_out_and_is_cancelled) {
  std::string last;
  ScriptedServer peer{[&](ScriptedServer& server) {
    server.be_modern();
    server.receive();
    last = ScriptedServer::method_of(server.receive());
    server.reply(server.receive(), JsonObject{});
  }};
  Client client{std::move(peer.client_end)};
  BOOST_CHECK_EXCEPTION(client.call("slow", {}, {.timeout = 5ms}), toolwire::TimeoutError,
                        [](const toolwire::TimeoutError& error) {
                          return error.what() == std::string{"\"slow\" got no answer within 5 ms"};
                        });
  client.request("anything");
  BOOST_TEST(last == "notifications/cancelled");
}

BOOST_AUTO_TEST_CASE(an_end_of_the_server_fails_calls_at_once_and_later_ones_too) {
  ScriptedServer peer{[](ScriptedServer& server) {
    server.be_modern();
    server.receive();
    server.receive();
  }};
  Client client{std::move(peer.client_end)};
  auto first = client.start_call("a", {}, {.timeout = std::chrono::milliseconds::max()});
  auto second = client.start_call("b");
  BOOST_CHECK_THROW(first.wait(), ConnectionError);
  BOOST_CHECK_THROW(second.wait(), ConnectionError);
  BOOST_CHECK_THROW(client.call("c"), ConnectionError);
  BOOST_CHECK_THROW(client.ping(), ConnectionError);
}

BOOST_AUTO_TEST_CASE(destroying_the_client_ends_its_calls) {
  ScriptedServer peer{[](ScriptedServer& server) {
    server.be_modern();
    server.receive();
    server.receive();
  }};
  std::optional<toolwire::CallHandle> call;
  {
    Client client{std::move(peer.client_end)};
    call = client.start_call("a");
  }
  BOOST_TEST(call->is_done());
  BOOST_CHECK_THROW(call->wait(), ConnectionError);
  call->cancel();
}

BOOST_AUTO_TEST_CASE(a_result_of_unknown_type_is_invalid) {
  ScriptedServer peer{[](ScriptedServer& server) {
    server.be_modern();
    server.reply(server.receive(), {{"resultType", "surprise"}});
  }};
  Client client{std::move(peer.client_end)};
  BOOST_CHECK_THROW(client.call("x"), ProtocolError);
}

BOOST_AUTO_TEST_CASE(a_result_that_is_no_object_is_no_result_without_content) {
  ScriptedServer peer{[](ScriptedServer& server) {
    server.be_modern();
    for (const Json& result : {Json(nullptr), Json(7), Json("done"), Json(JsonArray{})})
      server.reply(server.receive(), result);
  }};
  Client client{std::move(peer.client_end)};
  for (int i = 0; i < 4; ++i) {
    BOOST_CHECK_EXCEPTION(client.call("x"), ProtocolError, [](const ProtocolError& error) {
      return std::string(error.what()).find("a result that is no object") != std::string::npos &&
             error.data.at("outcome") == "unknown";
    });
  }
}

BOOST_AUTO_TEST_CASE(whether_a_tool_has_failed_is_not_guessed) {
  const auto wrong = {Json("true"), Json(1), Json(JsonObject{})};
  ScriptedServer peer{[&](ScriptedServer& server) {
    server.be_modern();
    for (const Json& failed : wrong) server.reply(server.receive(), {{"content", JsonArray{}}, {"isError", failed}});
    server.reply(server.receive(), {{"content", JsonArray{}}, {"isError", nullptr}});
  }};
  Client client{std::move(peer.client_end)};
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    BOOST_CHECK_EXCEPTION(client.call("x"), ProtocolError, [](const ProtocolError& error) {
      return std::string(error.what()).find("isError is neither true nor false") != std::string::npos &&
             error.data.at("outcome") == "unknown";
    });
  }
  BOOST_TEST(!client.call("x").is_error);
}

BOOST_AUTO_TEST_CASE(a_list_without_end_is_given_up) {
  ScriptedServer peer{[](ScriptedServer& server) {
    server.be_modern();
    int page = 0;
    for (Json request = server.receive(); !request.is_null(); request = server.receive()) {
      const bool is_circle = request.at("method") == "prompts/list";
      const std::string cursor = std::to_string(is_circle ? page % 2 : page);
      ++page;
      server.reply(request, {{"tools", JsonArray{}}, {"prompts", JsonArray{}}, {"nextCursor", cursor}});
    }
  }};
  Client client{std::move(peer.client_end)};
  BOOST_CHECK_EXCEPTION(client.list_prompts(), ProtocolError, [](const ProtocolError& error) {
    return std::string(error.what()).find("gives the same cursor again: ") != std::string::npos;
  });
  BOOST_CHECK_EXCEPTION(client.list_tools(), ProtocolError, [](const ProtocolError& error) {
    return std::string(error.what()).find("has more than 10000 pages") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(a_list_in_pages_is_followed_to_its_end) {
  ScriptedServer peer{[](ScriptedServer& server) {
    server.be_modern();
    const Json first = server.receive();
    server.expect(!first.at("params").as_object().contains("cursor"));
    server.reply(first, {{"tools", JsonArray{Json{{"name", "a"}, {"inputSchema", {{"type", "object"}}}}}},
                         {"nextCursor", "page 2"}});
    const Json second = server.receive();
    server.expect(second.at("params").at("cursor") == Json("page 2"));
    server.reply(second, {{"tools", JsonArray{Json{{"name", "b"}, {"title", "Bee"}, {"description", "buzzes"}}}}});
    server.reply(server.receive(), {{"tools", JsonArray{}}, {"nextCursor", "loop"}});
    server.reply(server.receive(), {{"tools", JsonArray{}}, {"nextCursor", "loop"}});
    server.reply(server.receive(), {{"tools", "none"}});
  }};
  Client client{std::move(peer.client_end)};
  const auto tools = client.list_tools();
  BOOST_REQUIRE_EQUAL(tools.size(), 2U);
  BOOST_TEST(tools[0].input_schema == (Json{{"type", "object"}}));
  BOOST_TEST(tools[1].title == "Bee");
  BOOST_TEST(tools[1].description == "buzzes");
  BOOST_CHECK_THROW(client.list_tools(), ProtocolError);
  BOOST_CHECK_THROW(client.list_tools(), ProtocolError);
}
