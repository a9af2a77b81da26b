// Tasks in a store that outlives its process: what siblings and successors say of work whose process was killed.
#include "conversation.hpp"

#define BOOST_TEST_MODULE tasks_process_test
#include <boost/test/unit_test.hpp>

#include <csignal>
#include <memory>
#include <string>

#include "scratch_folder.hpp"

using namespace toolwire_test;
using toolwire::Json;
using toolwire::JsonObject;

namespace {

/// A server program whose tasks are in the file, and a client of 2026-07-28 that can follow tasks.
class Peer {
 public:
  explicit Peer(const ScratchFolder& folder)
      : talk_(Era::modern, fixture_program(R"({"limits":{"drain":20},"tasks":{"file":")" +
                                           (folder.path() / "tasks").string() + R"(","poll_interval":5}})")) {}

  /// The result of a request, or its error as {"error": …}.
  Json ask(const std::string& method, const std::string& params) {
    const std::string id = std::to_string(++last_);
    talk_.send(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":{)" + params +
               R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
               R"("io.modelcontextprotocol/clientCapabilities":{"elicitation":{},)"
               R"("extensions":{"io.modelcontextprotocol/tasks":{}}}}}})");
    JsonObject answer = talk_.answer(id).as_object();
    return answer.contains("result") ? answer.at("result") : Json(answer);
  }

  std::string begin(const std::string& tool, const std::string& arguments = "{}") {
    const Json created = ask("tools/call", R"("name":")" + tool + R"(","arguments":)" + arguments);
    BOOST_TEST_REQUIRE(created.as_object().contains("taskId"), toolwire::to_json_text(created));
    return std::string(std::string_view(created.at("taskId").as_string()));
  }
  Json get(const std::string& task) { return ask("tasks/get", R"("taskId":")" + task + "\""); }
  Json cancel(const std::string& task) { return ask("tasks/cancel", R"("taskId":")" + task + "\""); }
  /// Asks until the task is over, however often that is.
  Json outcome(const std::string& task) {
    for (;;) {
      Json now = get(task);
      const Json& status = now.at("status");
      if (status != "working" && status != "input_required") return now;
    }
  }
  void call(const std::string& tool, const std::string& arguments) {
    ask("tools/call", R"("name":")" + tool + R"(","arguments":)" + arguments);
  }

  void kill() {
    talk_.process().signal(SIGKILL);
    while (talk_.read_one()) {
    }
    talk_.process().wait();
  }
  Conversation& talk() { return talk_; }

 private:
  Conversation talk_;
  int last_ = 0;
};

const std::string gate = R"({"gate":"g"})";

void check_interrupted(const Json& task) {
  BOOST_TEST(task.at("status") == "failed");
  BOOST_TEST(task.at("error").at("code") == -32603);
  BOOST_TEST(task.at("error").at("data").at("code") == "interrupted");
  BOOST_TEST(task.at("statusMessage").as_string().starts_with("Interrupted"));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_sibling_sees_a_task_and_what_becomes_of_it) {
  const ScratchFolder folder;
  Peer owner(folder);
  Peer sibling(folder);
  const std::string task = owner.begin("task_wait", gate);
  BOOST_TEST(sibling.get(task).at("status") == "working");
  owner.call("open", gate);
  const Json outcome = sibling.outcome(task);
  BOOST_TEST(outcome.at("status") == "completed");
  BOOST_TEST(outcome.at("result").at("content").at(0).at("text") == "opened");
}

BOOST_AUTO_TEST_CASE(a_task_whose_process_was_killed_is_interrupted_and_nothing_else_is) {
  const ScratchFolder folder;
  auto owner = std::make_unique<Peer>(folder);
  Peer sibling(folder);
  const std::string running = owner->begin("task_wait", gate);
  const std::string waiting = owner->begin("task_ask");
  const std::string done = owner->begin("task_done");
  const std::string others = sibling.begin("task_wait", gate);
  owner->outcome(done);
  owner->kill();
  check_interrupted(sibling.get(running));
  check_interrupted(sibling.get(waiting));
  BOOST_TEST(sibling.get(done).at("status") == "completed");
  BOOST_TEST(sibling.get(others).at("status") == "working");

  Peer successor(folder);
  check_interrupted(successor.get(running));
  BOOST_TEST(successor.get(done).at("result").at("content").at(0).at("text") == "done");
  BOOST_TEST(successor.get(others).at("status") == "working");
  sibling.call("open", gate);
  BOOST_TEST(successor.outcome(others).at("status") == "completed");
}

BOOST_AUTO_TEST_CASE(a_server_that_ends_says_itself_what_became_of_its_tasks) {
  const ScratchFolder folder;
  std::string running;
  std::string waiting;
  {
    Peer owner(folder);
    running = owner.begin("task_wait", gate);
    waiting = owner.begin("task_ask");
    BOOST_TEST(owner.talk().end().code == 0);
  }
  Peer successor(folder);
  check_interrupted(successor.get(running));
  check_interrupted(successor.get(waiting));
}

BOOST_AUTO_TEST_CASE(a_task_cancelled_at_a_sibling_stays_cancelled_and_its_tool_is_told_to_stop) {
  const ScratchFolder folder;
  Peer owner(folder);
  Peer sibling(folder);
  const std::string task = owner.begin("task_wait", gate);
  BOOST_TEST(sibling.cancel(task).at("resultType") == "complete");
  BOOST_TEST(sibling.get(task).at("status") == "cancelled");
  owner.call("wait", R"({"gate":"g has ended"})");  // comes back only if the tool was stopped
  BOOST_TEST(owner.get(task).at("status") == "cancelled");
}

BOOST_AUTO_TEST_CASE(answers_reach_only_the_process_that_asks) {
  const ScratchFolder folder;
  Peer owner(folder);
  Peer sibling(folder);
  const std::string task = owner.begin("task_ask");
  while (owner.get(task).at("status") != "input_required") {
  }
  const std::string answers =
      R"("taskId":")" + task + R"(","inputResponses":{"confirm":{"action":"accept","content":{"sure":true}}})";
  BOOST_TEST(sibling.ask("tasks/update", answers).at("error").at("data").at("code") == "other_process");
  BOOST_TEST(sibling.get(task).at("status") == "input_required");
  owner.ask("tasks/update", answers);
  BOOST_TEST(sibling.outcome(task).at("result").at("content").at(0).at("text") == "sure");
}
