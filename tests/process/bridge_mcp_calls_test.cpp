#include "activities/mcp/offer.hpp"

#define BOOST_TEST_MODULE bridge_mcp_calls_test
#include <atomic>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <csignal>
#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "file_content.hpp"
#include "mcp_bridge.hpp"
#include "scratch_folder.hpp"

using namespace std::chrono_literals;
using namespace toolwire_test;
using toolwire::CallResult;
using toolwire::Json;
using toolwire::JsonArray;
using toolwire::JsonObject;

namespace {

const std::vector<std::string> revisions{"2024-11-05", "2025-11-25", "2026-07-28"};

}  // namespace

BOOST_DATA_TEST_CASE(a_call_goes_through_in_every_revision_on_both_sides,
                     boost::unit_test::data::make(revisions) * boost::unit_test::data::make(revisions), front, back) {
  McpBridge bridge({back_end_program("one", back)}, host(front));
  BOOST_TEST(bridge.host->call("echo", {{"text", "hello"}}).text() == "hello");
}

BOOST_AUTO_TEST_CASE(structured_results_and_metadata_go_through_both_ways) {
  McpBridge bridge({back_end_program("one")});
  const CallResult structured = bridge.host->call("structured", {{"count", 3}});
  BOOST_TEST((structured.structured == Json{{"count", 3}, {"list", JsonArray{1, "two", nullptr}}}));
  const char* parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const CallResult meta = bridge.host->call("meta", {}, {.meta = {{"traceparent", parent}, {"vendor/key", 7}}});
  BOOST_TEST(meta.structured->at("traceparent") == Json(parent));
  BOOST_TEST(meta.structured->at("vendor/key") == Json(7));
  BOOST_TEST(meta.structured->at("io.modelcontextprotocol/clientInfo").at("name") == Json("toolwire-bridge"));
  BOOST_TEST(meta.raw.at("_meta").at("vendor/answer") == Json(42));
}

BOOST_AUTO_TEST_CASE(text_that_looks_like_a_message_stays_text) {
  McpBridge bridge({back_end_program("one")});
  const std::string message = "x\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n";
  const CallResult result = bridge.host->call("echo", {{"text", Json(toolwire::JsonString(message + "\x1b[31mred"))}});
  BOOST_TEST(result.text() == message + "\\u{1B}[31mred");
}

BOOST_DATA_TEST_CASE(progress_goes_through, boost::unit_test::data::make(revisions), back) {
  McpBridge bridge({back_end_program("one", back)});
  double last = 0;
  toolwire::CallOptions options;
  options.on_progress = [&](const toolwire::ProgressReport& report) { last = report.progress; };
  BOOST_TEST(bridge.host->call("progress", {{"count", 3}}, options).text() == "reported");
  BOOST_TEST(last == 3);
  BOOST_TEST(bridge.host->call("progress", {{"count", 3}}).text() == "nobody asked");
}

BOOST_DATA_TEST_CASE(log_messages_reach_the_host_that_asked_for_them,
                     boost::unit_test::data::make(revisions) * boost::unit_test::data::make(revisions), front, back) {
  std::mutex mutex;
  std::vector<Json> heard;
  toolwire::ClientOptions options = host(front);
  options.on_notification = [&](const std::string& method, const Json& params) {
    const std::lock_guard lock(mutex);
    if (method == "notifications/message") heard.push_back(params);
  };
  McpBridge bridge({back_end_program("one", back)}, options);
  bridge.host->call("log", {{"text", "nobody asked"}});
  bridge.host->set_log_level(toolwire::LogLevel::info);
  BOOST_TEST(bridge.host->call("log", {{"text", "\x1b[31mhot"}}).text() == "logged");
  BOOST_REQUIRE(comes_true([&] {
    const std::lock_guard lock(mutex);
    return !heard.empty();
  }));
  const std::lock_guard lock(mutex);
  BOOST_REQUIRE(heard.size() == 1U);
  BOOST_TEST(heard[0].at("level") == Json("warning"));
  BOOST_TEST(heard[0].at("data") == Json("hot"));
  BOOST_TEST(heard[0].at("logger") == Json("one/inner"));
}

BOOST_DATA_TEST_CASE(a_cancellation_reaches_the_back_end, boost::unit_test::data::make(revisions), back) {
  McpBridge bridge({back_end_program("one", back)});
  auto call = bridge.host->start_call("until_stopped");
  BOOST_TEST(bridge.host->call("watched").text() == "1");
  call.cancel("changed my mind");
  BOOST_TEST(bridge.host->call("stopped").text() == "1");
}

BOOST_AUTO_TEST_CASE(a_deadline_reaches_the_back_end) {
  mcp::OfferOptions options;
  options.call_timeout = 50ms;
  McpBridge bridge({back_end_program("one")}, {}, options);
  BOOST_TEST(code_of(bridge.host->call("until_stopped")) == "timeout");
  BOOST_TEST(comes_true([&] { return bridge.host->call("stopped").text() == "1"; }));
}

BOOST_DATA_TEST_CASE(questions_reach_the_user_and_answers_the_back_end,
                     boost::unit_test::data::make(revisions) *
                         boost::unit_test::data::make({"2025-11-25", "2026-07-28"}),
                     front, back) {
  if (front == "2024-11-05") return;  // cannot be asked
  std::atomic<int> asked = 0;
  McpBridge bridge({back_end_program("one", back)}, willing_host(front, asked));
  BOOST_TEST(bridge.host->call("ask").text() == "sure");
  BOOST_TEST(asked == 1);
  BOOST_TEST(bridge.host->call("ask_twice").text() == "twice");
  BOOST_TEST(asked == 3);
}

BOOST_DATA_TEST_CASE(progress_and_questions_are_told_without_secrets_and_terminal_sequences,
                     boost::unit_test::data::make({"2025-11-25", "2026-07-28"}), back) {
  mcp::BackEndOptions one = back_end_program("one", back);
  one.environment["TOOLWIRE_TEST_WORDS"] = "using s3cr3t-value\x1b[31m \xe2\x80\xaenow\nhere";
  one.secrets = {"s3cr3t-value"};
  std::string question;
  toolwire::ClientOptions options = host("2025-11-25");
  options.on_elicitation = [&](const toolwire::Elicitation& asked) {
    question = asked.message;
    return toolwire::ElicitationReply{.action = toolwire::ElicitationReply::Action::accept,
                                      .content = {{"sure", true}}};
  };
  McpBridge bridge({one}, options);
  BOOST_TEST(bridge.host->call("ask").text() == "sure");
  BOOST_TEST(question == "using (redacted) now\nhere");
  std::string step;
  toolwire::CallOptions call;
  call.on_progress = [&](const toolwire::ProgressReport& report) { step = report.message; };
  BOOST_TEST(bridge.host->call("progress", {{"count", 1}}, call).text() == "reported");
  BOOST_TEST(step == "using (redacted) now\nhere");
}

BOOST_AUTO_TEST_CASE(a_modern_host_sees_the_keys_that_a_modern_back_end_has_chosen) {
  McpBridge bridge({back_end_program("one", "2026-07-28")}, host("2026-07-28"));
  const JsonObject elicitation{
      {"io.modelcontextprotocol/clientCapabilities", JsonObject{{"elicitation", JsonObject()}}}};
  std::promise<toolwire::RequestOutcome> promise;
  bridge.host->start_request("tools/call", {{"name", "ask"}, {"arguments", JsonObject()}}, {.meta = elicitation},
                             [&](toolwire::RequestOutcome&& outcome) { promise.set_value(std::move(outcome)); });
  const Json asked = std::get<Json>(promise.get_future().get());
  BOOST_TEST(asked.at("inputRequests").as_object().size() == 1U);
  BOOST_TEST(asked.at("inputRequests").as_object().contains("confirm"));
}

BOOST_DATA_TEST_CASE(a_modern_host_is_told_what_it_would_have_to_declare_and_an_earlier_one_gets_a_result,
                     boost::unit_test::data::make(revisions), front) {
  McpBridge bridge({back_end_program("one", "2026-07-28")}, host(front));
  if (front != "2026-07-28") {
    BOOST_TEST(bridge.host->call("ask").is_error);
    return;
  }
  BOOST_CHECK_EXCEPTION(bridge.host->call("ask"), toolwire::ProtocolError, [](const toolwire::ProtocolError& error) {
    return error.code == toolwire::error_code::missing_client_capability &&
           error.data.at("requiredCapabilities") == Json(JsonObject{{"elicitation", JsonObject()}});
  });
  BOOST_CHECK_EXCEPTION(read_resource(*bridge.host, "note://asks"), toolwire::ProtocolError, [](const auto& error) {
    return error.code == toolwire::error_code::missing_client_capability;
  });
}

BOOST_AUTO_TEST_CASE(several_questions_of_a_legacy_back_end_find_calls_that_carry_them) {
  std::atomic<int> asked = 0;
  McpBridge bridge({back_end_program("one", "2025-11-25")}, willing_host("2026-07-28", asked));
  std::vector<toolwire::CallHandle> calls;
  calls.reserve(10);
  for (int i = 0; i < 10; ++i) calls.push_back(bridge.host->start_call("ask"));
  for (auto& call : calls) BOOST_TEST(call.wait().text() == "sure");
  BOOST_TEST(asked == 10);
}

const JsonObject with_forms{{"io.modelcontextprotocol/clientCapabilities", {{"elicitation", JsonObject{}}}}};

Json asked_by(McpBridge& bridge, const char* tool) {
  Json asked = bridge.host->request("tools/call", {{"name", tool}, {"arguments", JsonObject{}}, {"_meta", with_forms}});
  BOOST_TEST_REQUIRE(asked.at("resultType") == "input_required");
  return asked;
}

/// The call again, with a yes to all that was asked.
Json answered(McpBridge& bridge, const char* tool, const Json& asked) {
  JsonObject responses;
  for (const auto& [key, request] : asked.at("inputRequests").as_object())
    responses[key] = {{"action", "accept"}, {"content", {{"sure", true}}}};
  return bridge.host->request("tools/call", {{"name", tool},
                                             {"arguments", JsonObject{}},
                                             {"inputResponses", responses},
                                             {"requestState", asked.at("requestState")},
                                             {"_meta", with_forms}});
}

BOOST_AUTO_TEST_CASE(an_answer_to_a_call_that_is_gone_is_a_clear_error) {
  McpBridge bridge({back_end_program("one", "2025-11-25")}, host("2026-07-28"));
  const Json asked = asked_by(bridge, "ask");
  BOOST_TEST(answered(bridge, "ask", asked).at("content").at(0).at("text") == "sure");
  const Json late = answered(bridge, "ask", asked);
  BOOST_TEST(late.at("_meta").at("dev.toolwire/error").at("code") == "question_lost");
}

BOOST_AUTO_TEST_CASE(what_a_modern_back_end_asks_is_answered_at_any_bridge) {
  McpBridge first({back_end_program("one", "2026-07-28")}, host("2026-07-28"));
  McpBridge second({back_end_program("one", "2026-07-28")}, host("2026-07-28"));
  McpBridge third({back_end_program("one", "2026-07-28")}, host("2026-07-28"));
  BOOST_TEST(answered(second, "ask", asked_by(first, "ask")).at("content").at(0).at("text") == "sure");
  const Json asked = asked_by(first, "ask_twice");
  const Json again = answered(second, "ask_twice", asked);
  BOOST_TEST_REQUIRE(again.at("resultType") == "input_required");
  BOOST_TEST(again.at("requestState") != asked.at("requestState"));
  BOOST_TEST(answered(third, "ask_twice", again).at("content").at(0).at("text") == "twice");
}

BOOST_AUTO_TEST_CASE(a_back_end_that_needs_no_answer_any_more_is_not_kept_waiting_for_it) {
  const ScratchFolder folder;
  const std::string is_asked = (folder / "asked").string();
  const std::string heard = (folder / "heard").string();
  std::promise<void> leave;
  toolwire::ClientOptions options = host("2025-11-25");
  options.on_elicitation = [&](const toolwire::Elicitation&) {
    folder.file("asked", "");
    leave.get_future().wait();
    return toolwire::ElicitationReply{.action = toolwire::ElicitationReply::Action::decline};
  };
  McpBridge bridge({shell_back_end("one", lists_x() + R"(read -r line
id=${line##*'"id":'}
id=${id%%[,\}]*}
echo '{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"Sure?","requestedSchema":{"type":"object","properties":{}}}}'
until [ -e ')" + is_asked + R"(' ]; do sleep 0.01; done
echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"content":[{"type":"text","text":"done without"}]}}'
read -r line
echo "$line" > ')" + heard + R"('
cat > /dev/null
)")},
                   options);
  BOOST_TEST(bridge.host->call("x").text() == "done without");  // while the user looks at the question
  BOOST_TEST(comes_true([&] { return content_of(heard).ends_with("\n"); }));
  const Json reply = toolwire::parse_json(content_of(heard));
  BOOST_TEST(reply.at("id") == Json("q"));
  BOOST_TEST(reply.as_object().contains("error"));
  leave.set_value();
}

BOOST_AUTO_TEST_CASE(a_question_dies_with_its_back_end_and_the_answer_says_why) {
  McpBridge bridge({back_end_program("one", "2025-11-25")}, host("2026-07-28"));
  const JsonObject capabilities{{"io.modelcontextprotocol/clientCapabilities", {{"elicitation", JsonObject{}}}}};
  const Json asked =
      bridge.host->request("tools/call", {{"name", "ask"}, {"arguments", JsonObject{}}, {"_meta", capabilities}});
  BOOST_TEST(code_of(bridge.host->call("die", {{"text", "argh"}})) == "unavailable");
  const auto& requests = asked.at("inputRequests").as_object();
  const Json late =
      bridge.host->request("tools/call", {{"name", "ask"},
                                          {"arguments", JsonObject{}},
                                          {"inputResponses", {{requests.begin()->key(), {{"action", "decline"}}}}},
                                          {"requestState", asked.at("requestState")},
                                          {"_meta", capabilities}});
  BOOST_TEST(late.at("_meta").at("dev.toolwire/error").at("code") == "unavailable");
}

BOOST_AUTO_TEST_CASE(thousands_of_calls_wait_without_threads) {
  std::vector<mcp::BackEndOptions> four;
  for (const char* name : {"a", "b", "c", "d"}) {
    four.push_back(back_end_program(name));
    four.back().prefix = mcp::Prefix::always;
  }
  McpBridge bridge(std::move(four));
  std::vector<toolwire::CallHandle> calls;
  for (int i = 0; i < 500; ++i) {
    for (const char* tool : {"a_hold", "b_hold", "c_hold", "d_hold"}) calls.push_back(bridge.host->start_call(tool));
  }
  const auto threads = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"), std::filesystem::directory_iterator());
  };
  for (const char* tool : {"a_release", "b_release", "c_release", "d_release"}) {
    BOOST_TEST(threads() < 60);
    BOOST_TEST(bridge.host->call(tool, {{"count", 500}}).text() == "500");
  }
  for (auto& call : calls) BOOST_TEST(call.wait().text() == "released");
}

BOOST_AUTO_TEST_CASE(a_back_end_without_an_engine_has_threads_of_its_own) {
  const auto back_end = mcp::make_back_end(back_end_program("one"));
  back_end->start();
  back_end->wait_for_tools(30s);
  BOOST_TEST(!back_end->tools().empty());
  BOOST_TEST(back_end->ask_now("tools/list", {}, 30s).has_value());
  const auto process = back_end->state().processes.at(0);
  back_end->end();
  BOOST_TEST(back_end->state().processes.empty());
  BOOST_TEST(::kill(process, 0) != 0);
}

BOOST_DATA_TEST_CASE(a_back_end_that_was_never_started_ends, boost::unit_test::data::make({false, true}), has_engine) {
  mcp::BackEndOptions options = back_end_program("one");
  if (has_engine) options.engine = std::make_shared<toolwire::Engine>();
  const auto back_end = mcp::make_back_end(std::move(options));
  back_end->end();
  back_end->start();
  BOOST_TEST(back_end->tools().empty());
}
