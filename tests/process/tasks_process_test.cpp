// Tasks in a store that outlives its process: what siblings and successors say of work whose process was killed.
#include "task_peer.hpp"

#define BOOST_TEST_MODULE tasks_process_test
#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>

#include "scratch_folder.hpp"

using namespace toolwire_test;
using toolwire::Json;

namespace {

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
  TaskPeer owner(folder);
  TaskPeer sibling(folder);
  const std::string task = owner.begin("task_wait", gate);
  BOOST_TEST(sibling.get(task).at("status") == "working");
  owner.call("open", gate);
  const Json outcome = sibling.outcome(task);
  BOOST_TEST(outcome.at("status") == "completed");
  BOOST_TEST(outcome.at("result").at("content").at(0).at("text") == "opened");
}

BOOST_AUTO_TEST_CASE(a_task_whose_process_was_killed_is_interrupted_and_nothing_else_is) {
  const ScratchFolder folder;
  auto owner = std::make_unique<TaskPeer>(folder);
  TaskPeer sibling(folder);
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

  TaskPeer successor(folder);
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
    TaskPeer owner(folder);
    running = owner.begin("task_wait", gate);
    waiting = owner.begin("task_ask");
    BOOST_TEST(owner.talk().end().code == 0);
  }
  TaskPeer successor(folder);
  check_interrupted(successor.get(running));
  check_interrupted(successor.get(waiting));
}

BOOST_AUTO_TEST_CASE(a_task_cancelled_at_a_sibling_stays_cancelled_and_its_tool_is_told_to_stop) {
  const ScratchFolder folder;
  TaskPeer owner(folder);
  TaskPeer sibling(folder);
  const std::string task = owner.begin("task_wait", gate);
  BOOST_TEST(sibling.cancel(task).at("resultType") == "complete");
  BOOST_TEST(sibling.get(task).at("status") == "cancelled");
  owner.call("wait", R"({"gate":"g has ended"})");  // comes back only if the tool was stopped
  BOOST_TEST(owner.get(task).at("status") == "cancelled");
}

BOOST_AUTO_TEST_CASE(answers_reach_only_the_process_that_asks) {
  const ScratchFolder folder;
  TaskPeer owner(folder);
  TaskPeer sibling(folder);
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
