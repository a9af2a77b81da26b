#include <toolwire/bridge/tool_turn.hpp>

#define BOOST_TEST_MODULE bridge_tool_turn_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

#include <toolwire/testing.hpp>

using namespace toolwire;
using namespace toolwire::bridge;

namespace {

const char* const read_file_schema = R"({"type":"object",
  "description":"Read a UTF-8 text file under the current workspace.",
  "properties":{"_tool":{"const":"read_file"},"path":{"type":"string","description":"Workspace-relative path."}},
  "required":["path"],"additionalProperties":false})";

/// A registry with a `read_file` that knows one file, and counts how often it ran.
struct Workspace {
  Workspace() {
    registry.tool("read_file", parse_json(read_file_schema));
    registry.activities().add("read_file", [this](const Json& parameters) -> Outcome<Json> {
      ++runs;
      const std::string path(parameters.at("path").as_string());
      if (path == "throws") throw std::runtime_error("the disk is on fire");
      if (path != "src/math.ts") throw ToolError(path + ": no such file");
      return ToolResult::text("export function divide(a: number, b: number) { return a / b; }");
    });
  }
  Registry registry;
  std::atomic<int> runs{0};
};

ToolCallBlock call_of(std::string id, Json input, std::string name = "read_file") {
  return {.id = std::move(id), .name = std::move(name), .input = std::move(input)};
}

AssistantMessage saying(std::vector<ToolCallBlock> calls, StopReason reason = StopReason::tool_use) {
  AssistantMessage message{.stop_reason = reason};
  for (ToolCallBlock& call : calls) message.content.emplace_back(std::move(call));
  return message;
}

const Json good = JsonObject{{"path", "src/math.ts"}};

ToolTurn turn_of(const AssistantMessage& message, const TurnOptions& options = {}) {
  Workspace workspace;
  return run_turn(message, tools_of(workspace.registry), options);
}

}  // namespace

BOOST_AUTO_TEST_CASE(exercise_1_user_assistant_and_tool_result_messages) {
  AssistantMessage answer = saying({call_of("call_1", good)});
  answer.model = "any";
  Workspace workspace;
  const ToolTurn turn = run_turn(answer, tools_of(workspace.registry));
  std::vector<Message> context{UserMessage{{{"fix the divide-by-zero bug in src/math.ts"}}}, answer};
  for (const ToolResultMessage& result : turn.results) context.emplace_back(result);
  BOOST_TEST_REQUIRE(context.size() == 3u);
  BOOST_TEST(to_json(context[2]).at("role") == "toolResult");
  BOOST_TEST(to_json(context[2]).at("content").at(0).at("text").as_string().starts_with("export function divide"));
}

BOOST_AUTO_TEST_CASE(exercise_2_the_schema_of_read_file_is_held) {
  const ToolTurn turn = turn_of(saying({call_of("1", good)}));
  BOOST_TEST(!turn.results.at(0).is_error);
  BOOST_TEST((turn.next == NextStep::ask_model));
}

BOOST_AUTO_TEST_CASE(exercise_3_all_tool_calls_of_a_message_get_one_result_each) {
  const ToolTurn turn =
      turn_of(saying({call_of("b", good), call_of("a", Json(JsonObject{{"path", "no"}})), call_of("b", good)}));
  BOOST_TEST_REQUIRE(turn.results.size() == 3u);
  BOOST_TEST(turn.results[0].tool_call_id == "b");
  BOOST_TEST(turn.results[1].tool_call_id == "a");
  BOOST_TEST(turn.results[1].is_error);
  BOOST_TEST(turn.results[2].tool_call_id == "b");
}

BOOST_AUTO_TEST_CASE(exercise_4_arguments_that_are_no_path_are_an_error_result) {
  Workspace workspace;
  for (const char* input :
       {"{}", R"({"path":1})", R"({"path":"src/math.ts","extra":true})", "null", "[]", "\"src\"", "5", "false"}) {
    const ToolTurn turn = run_turn(saying({call_of("x", parse_json(input))}), tools_of(workspace.registry));
    BOOST_TEST_CONTEXT(input << " → " << turn.results.at(0).text()) {
      BOOST_TEST(turn.results[0].is_error);
      BOOST_TEST((turn.next == NextStep::ask_model));
      BOOST_TEST(turn.results[0].details.at("code") == "invalid_arguments");
    }
  }
  BOOST_TEST(workspace.runs == 0);
  const ToolTurn missing = run_turn(saying({call_of("x", Json(JsonObject{}))}), tools_of(workspace.registry));
  BOOST_TEST(missing.results.at(0).text().find("path") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(exercise_5_tool_call_ids_are_echoed_as_they_are) {
  for (const std::string id : {"call_1", "", " ", "\"quoted\"", "ünïcödé 😀", "a\nb", "0", "null"}) {
    const ToolTurn turn = turn_of(saying({call_of(id, good), call_of(id, Json())}));
    BOOST_TEST(turn.results.at(0).tool_call_id == id);
    BOOST_TEST(turn.results.at(1).tool_call_id == id);
    BOOST_TEST(turn.results.at(0).tool_name == "read_file");
  }
}

BOOST_AUTO_TEST_CASE(a_missing_path_becomes_an_error_in_the_next_context_and_no_crash) {
  Workspace workspace;
  std::vector<Message> context{UserMessage{{{"read it"}}}, saying({call_of("call_7", Json(JsonObject{}))})};
  BOOST_TEST((complete(context, tools_of(workspace.registry)) == NextStep::ask_model));
  BOOST_TEST_REQUIRE(context.size() == 3u);
  const Json result = to_json(context[2]);
  BOOST_TEST(result.at("toolCallId") == "call_7");
  BOOST_TEST(result.at("isError") == true);
}

BOOST_AUTO_TEST_CASE(unknown_tools_and_tools_that_fail_are_error_results) {
  const ToolTurn turn = turn_of(saying({call_of("1", good, "reed_file"), call_of("2", good, ""),
                                        call_of("3", Json(JsonObject{{"path", "throws"}})), call_of("4", good)}));
  BOOST_TEST(turn.results.at(0).is_error);
  BOOST_TEST(turn.results.at(0).text().find("reed_file") != std::string::npos);
  BOOST_TEST(turn.results.at(1).is_error);
  BOOST_TEST(turn.results.at(2).is_error);
  BOOST_TEST(turn.results.at(2).text().find("disk") == std::string::npos);  // what it throws is for the log
  BOOST_TEST(!turn.results.at(3).is_error);
}

BOOST_AUTO_TEST_CASE(only_a_message_that_stopped_for_tools_has_them_run) {
  Workspace workspace;
  const auto next = [&](StopReason reason) {
    const ToolTurn turn = run_turn(saying({call_of("1", good)}, reason), tools_of(workspace.registry));
    BOOST_TEST(turn.results.at(0).is_error);
    BOOST_TEST(turn.results.at(0).text().starts_with("Not run"));
    return turn.next;
  };
  BOOST_TEST((next(StopReason::stop) == NextStep::done));
  BOOST_TEST((next(StopReason::length) == NextStep::make_room));
  BOOST_TEST((next(StopReason::error) == NextStep::stopped));
  BOOST_TEST((next(StopReason::aborted) == NextStep::stopped));
  BOOST_TEST(workspace.runs == 0);
  BOOST_TEST((run_turn(saying({}), tools_of(workspace.registry)).next == NextStep::done));
}

BOOST_AUTO_TEST_CASE(arguments_that_are_no_json_are_an_error_that_shows_them) {
  ToolCallBlock call = call_of("1", Json());
  call.unreadable = "{\"path\": \"src/ma";
  const ToolTurn turn = turn_of(saying({call}));
  BOOST_TEST(turn.results.at(0).is_error);
  BOOST_TEST(turn.results.at(0).text().find("{\"path\": \"src/ma") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(calls_run_beside_each_other_and_results_keep_their_order) {
  std::mutex mutex;
  std::condition_variable changed;
  int waiting = 0;
  Server server({.name = "s", .version = "1"});
  server.tool("meet", "", [&] {
    std::unique_lock lock(mutex);
    const int place = ++waiting;
    changed.notify_all();
    changed.wait_for(lock, std::chrono::seconds(60), [&] { return waiting == 3; });
    return "with " + std::to_string(waiting) + (place > 0 ? "" : "?");
  });
  toolwire::testing::Client client{server};
  const ToolTurn turn =
      run_turn(saying({call_of("1", Json(JsonObject{}), "meet"), call_of("2", Json(JsonObject{}), "meet"),
                       call_of("3", Json(JsonObject{}), "meet")}),
               tools_of(client));
  for (std::size_t i = 0; i < 3; ++i) {
    BOOST_TEST(turn.results.at(i).tool_call_id == std::to_string(i + 1));
    BOOST_TEST(turn.results.at(i).text() == "with 3");
  }
}

BOOST_AUTO_TEST_CASE(one_after_the_other_if_so_asked) {
  std::atomic<int> inside{0};
  std::atomic<bool> together{false};
  Server server({.name = "s", .version = "1"});
  server.tool("alone", "", [&] {
    if (++inside > 1) together = true;
    std::this_thread::yield();
    --inside;
    return "ok";
  });
  toolwire::testing::Client client{server};
  std::vector<ToolCallBlock> calls(50, call_of("x", Json(JsonObject{}), "alone"));
  TurnOptions options;
  options.parallel = false;
  BOOST_TEST(run_turn(saying(calls), tools_of(client), options).results.size() == 50u);
  BOOST_TEST(!together);
}

BOOST_AUTO_TEST_CASE(a_thousand_calls_at_once_are_all_answered) {
  Workspace workspace;
  std::vector<ToolCallBlock> calls(1000, call_of("x", good));
  const ToolTurn turn = run_turn(saying(calls), tools_of(workspace.registry));
  BOOST_TEST(turn.results.size() == 1000u);
  BOOST_TEST(workspace.runs == 1000);
}

BOOST_AUTO_TEST_CASE(a_hook_before_may_change_a_call_refuse_it_or_throw) {
  TurnOptions options;
  options.before = [](ToolCallBlock& call) -> std::optional<ToolAnswer> {
    if (call.id == "change") call.input.get_object()["path"] = "src/math.ts";
    if (call.id == "refuse") return ToolAnswer{true, "not today", {}};
    if (call.id == "throw") throw std::runtime_error("no way");
    return std::nullopt;
  };
  const ToolTurn turn = turn_of(
      saying({call_of("change", Json(JsonObject{{"path", "x"}})), call_of("refuse", good), call_of("throw", good)}),
      options);
  BOOST_TEST(!turn.results.at(0).is_error);
  BOOST_TEST(turn.results.at(1).text() == "not today");
  BOOST_TEST(turn.results.at(2).text() == "Not run: no way");
  BOOST_TEST(turn.results.at(2).is_error);
}

BOOST_AUTO_TEST_CASE(a_hook_after_may_change_a_result_but_not_whose_it_is) {
  TurnOptions options;
  options.after = [](const ToolCallBlock& call, ToolResultMessage& result) {
    if (call.id == "throw") throw std::runtime_error("oops");
    result.content = {{"changed"}};
    result.tool_call_id = "stolen";
  };
  const ToolTurn turn = turn_of(saying({call_of("1", good), call_of("throw", good)}), options);
  BOOST_TEST(turn.results.at(0).text() == "changed");
  BOOST_TEST(turn.results.at(0).tool_call_id == "1");
  BOOST_TEST(turn.results.at(1).text().starts_with("export"));
  BOOST_TEST(turn.results.at(1).details.at("afterHook") == "oops");
}

BOOST_AUTO_TEST_CASE(long_texts_are_cut_and_details_say_so) {
  Server server({.name = "s", .version = "1"});
  server.tool("long", "", [] { return std::string(100'000, 'x') + "\n"; });
  toolwire::testing::Client client{server};
  const ToolTurn turn = run_turn(saying({call_of("1", Json(JsonObject{}), "long")}), tools_of(client));
  BOOST_TEST(turn.results.at(0).text().size() < 52'000u);
  BOOST_TEST(turn.results.at(0).text().ends_with("bytes.]"));
  BOOST_TEST(turn.results.at(0).details.at("output").at("bytes") == 100'001);
}

BOOST_AUTO_TEST_CASE(details_of_a_server_travel_beside_the_text) {
  Server server({.name = "s", .version = "1"});
  server.tool("run", "", [] { return ToolResult::text("ok").add_detail("exitCode", 0); });
  server.tool("fail", "", [] { return failure("denied", "no", false); });
  server.tool("picture", "", [] { return ToolResult{}.add({ImageContent{"1234", "image/png"}}); });
  toolwire::testing::Client client{server};
  const Json none = JsonObject{};
  const ToolTurn turn = run_turn(
      saying({call_of("1", none, "run"), call_of("2", none, "fail"), call_of("3", none, "picture")}), tools_of(client));
  BOOST_TEST(turn.results.at(0).text() == "ok");
  BOOST_TEST(turn.results.at(0).details.at("exitCode") == 0);
  BOOST_TEST(turn.results.at(1).details.at("code") == "denied");
  BOOST_TEST(turn.results.at(2).text().starts_with("[image image/png, "));
}

BOOST_AUTO_TEST_CASE(a_turn_that_is_stopped_ends_with_error_results) {
  std::mutex mutex;
  std::condition_variable_any changed;
  bool begun = false;
  Server server({.name = "s", .version = "1"});
  server.tool("forever", "", [&](Context& context) {
    std::unique_lock lock(mutex);
    begun = true;
    changed.notify_all();
    changed.wait(lock, context.stop_token(), [] { return false; });
    return "stopped";
  });
  toolwire::testing::Client client{server};
  std::stop_source stop;
  std::thread stopper([&] {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return begun; });
    lock.unlock();
    stop.request_stop();
  });
  TurnOptions options;
  options.parallel = false;
  options.call.stop = stop.get_token();
  const Json none = JsonObject{};
  const ToolTurn turn =
      run_turn(saying({call_of("1", none, "forever"), call_of("2", none, "forever")}), tools_of(client), options);
  stopper.join();
  BOOST_TEST(turn.results.at(0).is_error);
  BOOST_TEST(turn.results.at(0).details.at("code") == "cancelled");
  BOOST_TEST(turn.results.at(1).text() == "Not run: the turn was stopped.");
}

BOOST_AUTO_TEST_CASE(a_server_that_refuses_or_is_gone_gives_error_results) {
  Server server({.name = "s", .version = "1"});
  toolwire::testing::Client client{server};
  const ToolTurn turn = run_turn(saying({call_of("1", good, "none")}), tools_of(client));
  BOOST_TEST(turn.results.at(0).is_error);
  BOOST_TEST(turn.results.at(0).text().find("none") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(completing_runs_only_what_has_no_result_and_keeps_the_order) {
  Workspace workspace;
  std::vector<Message> context{UserMessage{{{"go"}}},
                               saying({call_of("a", good), call_of("b", good), call_of("c", good)}),
                               ToolResultMessage{"b", "read_file", false, {{"recorded"}}, {}}, UserMessage{{{"and?"}}},
                               saying({}, StopReason::stop)};
  BOOST_TEST((complete(context, tools_of(workspace.registry)) == NextStep::done));
  BOOST_TEST(workspace.runs == 2);
  BOOST_TEST_REQUIRE(context.size() == 7u);
  BOOST_TEST(std::get<ToolResultMessage>(context[2]).tool_call_id == "a");
  BOOST_TEST(std::get<ToolResultMessage>(context[3]).text() == "recorded");
  BOOST_TEST(std::get<ToolResultMessage>(context[4]).tool_call_id == "c");
  BOOST_TEST(std::holds_alternative<UserMessage>(context[5]));
}
