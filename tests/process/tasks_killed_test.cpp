// A server is killed right before each of its changes of the file that its tasks are in: what it has told its client
// holds, and the next process goes on with the file.
#include "task_peer.hpp"

#define BOOST_TEST_MODULE tasks_killed_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>

using namespace toolwire_test;
using namespace toolwire;

namespace {

/// What the client of a server knew when that was killed.
struct Known {
  std::string done, stopped;  // ids of tasks; empty: it was not told of it
  bool is_done = false;       // … that it is completed
  bool is_cancelled = false;  // … that it is cancelled
  bool was_killed = false;
};

std::string status_of(const Json& task) { return std::string(std::string_view(task.at("status").as_string())); }

/// One task is done, another cancelled. `when`: before which change of files the server is killed.
Known use(const ScratchFolder& folder, int when) {
  Known known;
  try {
    TaskPeer peer(folder, {{"LD_PRELOAD", TOOLWIRE_KILLED_AT_WRITE}, {"KILLED_AT_WRITE", std::to_string(when)}});
    const auto begin = [&](const std::string& tool, const std::string& arguments) {
      return std::string(std::string_view(
          peer.ask("tools/call", R"("name":")" + tool + R"(","arguments":)" + arguments).at("taskId").as_string()));
    };
    known.done = begin("task_done", "{}");
    known.is_done = status_of(peer.outcome(known.done)) == "completed";
    known.stopped = begin("task_wait", R"({"gate":"g"})");
    known.is_cancelled = peer.cancel(known.stopped).as_object().contains("resultType");
    known.was_killed = peer.talk().end().signal == SIGKILL;
  } catch (const std::runtime_error&) {
    known.was_killed = true;
  }
  return known;
}

void check(const ScratchFolder& folder, const Known& known) {
  TaskPeer successor(folder);
  const auto is_interrupted = [](const Json& task) {
    return status_of(task) == "failed" && task.at("error").at("data").at("code") == "interrupted";
  };
  if (!known.done.empty()) {
    const Json task = successor.get(known.done);
    BOOST_TEST((status_of(task) == "completed" || (!known.is_done && is_interrupted(task))), to_json_text(task));
    if (status_of(task) == "completed") BOOST_TEST(task.at("result").at("content").at(0).at("text") == "done");
  }
  if (!known.stopped.empty()) {
    const Json task = successor.get(known.stopped);
    BOOST_TEST((status_of(task) == "cancelled" || (!known.is_cancelled && is_interrupted(task))), to_json_text(task));
  }
  BOOST_TEST(status_of(successor.outcome(successor.begin("task_done"))) == "completed");
  BOOST_TEST(successor.talk().end().code == 0);
}

}  // namespace

BOOST_AUTO_TEST_CASE(tasks_are_whole_whenever_their_server_is_killed) {
  int kills = 0;
  for (int round = 0; kills < 100; ++round) {
    std::optional<ScratchFolder> folder;
    int when = 1;
    for (;; ++when, ++kills) {
      if (round % 2 == 0 || !folder) folder.emplace();  // a new file each time, then one that grows
      const Known known = use(*folder, when);
      BOOST_TEST_CONTEXT("round " << round << ", killed before change " << when) { check(*folder, known); }
      if (!known.was_killed) break;
    }
    BOOST_TEST(when > 5);
  }
  BOOST_TEST_MESSAGE(kills << " kills");
}
