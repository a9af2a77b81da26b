// A server program whose tasks are in a file, and a client of 2026-07-28 that can follow tasks.
#pragma once

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <map>
#include <string>
#include <string_view>

#include "conversation.hpp"
#include "scratch_folder.hpp"

namespace toolwire_test {

/// The tasks of all peers of a folder are in one file.
class TaskPeer {
 public:
  explicit TaskPeer(const ScratchFolder& folder, const std::map<std::string, std::string>& environment = {})
      : talk_(Era::modern, program(folder, environment)) {}

  /// The result of a request, or its error as {"error": …}. Throws std::runtime_error if the server ends before.
  toolwire::Json ask(const std::string& method, const std::string& params) {
    const std::string id = std::to_string(++last_);
    talk_.send(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":{)" + params +
               R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
               R"("io.modelcontextprotocol/clientCapabilities":{"elicitation":{},)"
               R"("extensions":{"io.modelcontextprotocol/tasks":{}}}}}})");
    toolwire::JsonObject answer = talk_.answer(id).as_object();
    return answer.contains("result") ? answer.at("result") : toolwire::Json(answer);
  }

  std::string begin(const std::string& tool, const std::string& arguments = "{}") {
    const toolwire::Json created = ask("tools/call", R"("name":")" + tool + R"(","arguments":)" + arguments);
    BOOST_TEST_REQUIRE(created.as_object().contains("taskId"), toolwire::to_json_text(created));
    return std::string(std::string_view(created.at("taskId").as_string()));
  }
  toolwire::Json get(const std::string& task) { return ask("tasks/get", R"("taskId":")" + task + "\""); }
  toolwire::Json cancel(const std::string& task) { return ask("tasks/cancel", R"("taskId":")" + task + "\""); }
  /// Asks until the task is over, however often that is.
  toolwire::Json outcome(const std::string& task) {
    for (;;) {
      toolwire::Json now = get(task);
      const toolwire::Json& status = now.at("status");
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
  static toolwire::Program program(const ScratchFolder& folder, const std::map<std::string, std::string>& environment) {
    toolwire::Program made = fixture_program(R"({"limits":{"drain":20},"tasks":{"file":")" +
                                             (folder.path() / "tasks").string() + R"(","poll_interval":5}})");
    made.environment.insert(environment.begin(), environment.end());
    return made;
  }

  Conversation talk_;
  int last_ = 0;
};

}  // namespace toolwire_test
