// A Redis for one test: a process of its own, on a socket in a temporary folder, that can be killed, stopped and
// started again with what it has written. And one who asks it directly, as a stranger would.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <toolwire/child_process.hpp>
#include <utility>
#include <variant>
#include <vector>

#include "redis/client.hpp"
#include "scratch_folder.hpp"
#include "store_cases.hpp"

namespace toolwire_test {

/// One thread. Throws if redis-server does not start.
class RedisServer {
 public:
  /// `settings`: further lines of its configuration.
  explicit RedisServer(const std::string& settings = "") : process_(start(settings)) { wait_until_ready(); }

  RedisServer(const RedisServer&) = delete;
  RedisServer& operator=(const RedisServer&) = delete;
  ~RedisServer() { kill(); }  // it would not end with its input

  std::string address() const { return "unix:" + (folder_ / "redis.sock").string(); }

  void kill() {
    process_.kill();
    process_.wait();
  }
  /// With what it kept on disk: by default all that it has answered.
  void start_again() {
    process_ = start_process();
    wait_until_ready();
  }
  void stop() { process_.signal(SIGSTOP); }
  void go_on() { process_.signal(SIGCONT); }

 private:
  toolwire::ChildProcess start(const std::string& settings) {
    folder_.file("redis.conf", "port 0\nunixsocket " + (folder_ / "redis.sock").string() + "\ndir " + folder_.text() +
                                   "\nsave \"\"\nappendonly yes\nappendfsync always\n" + settings);
    return start_process();
  }
  toolwire::ChildProcess start_process() {
    return toolwire::ChildProcess({.command = {"redis-server", (folder_ / "redis.conf").string()},
                                   .errors = toolwire::Program::Errors::discard,
                                   .own_group = true,  // a group with stopped members may be sent SIGHUP
                                   .end_with_parent = true});
  }
  /// It says so on its standard output, from 7.2 on with a capital letter.
  void wait_until_ready() {
    std::string said;
    std::array<char, 4096> bytes{};
    while (said.find("eady to accept connections") == std::string::npos) {
      const auto count = process_.transport().read(bytes.data(), bytes.size());
      if (count <= 0) throw std::runtime_error("redis-server does not start: " + said);
      said.append(bytes.data(), static_cast<std::size_t>(count));
    }
  }

  ScratchFolder folder_;
  toolwire::ChildProcess process_;
};

/// What Redis answers to a command; throws where there is no answer.
inline toolwire::redis::Reply ask(const std::shared_ptr<toolwire::redis::Client>& client,
                                  const std::vector<std::string>& command) {
  const std::vector<std::string_view> texts(command.begin(), command.end());
  return answer_of<toolwire::redis::Reply>([&](auto done) { client->ask(texts, std::move(done)); });
}

/// Options for a Redis at this address.
inline toolwire::redis::Options redis_options(std::string address) {
  toolwire::redis::Options options;
  options.address = std::move(address);
  options.key = "a key for tests only";
  options.deadline = std::chrono::seconds(20);
  return options;
}

/// For a case that leaves its Redis alone: one for all of them in this process, each with a prefix of its own.
inline toolwire::redis::Options options_of_case() {
  static RedisServer server("appendonly no\n");
  static int cases = 0;
  toolwire::redis::Options options = redis_options(server.address());
  options.prefix = "case" + std::to_string(++cases) + ":";
  return options;
}

/// Of the clients of all cases.
inline std::shared_ptr<toolwire::Engine> redis_engine() {
  static const auto engine = std::make_shared<toolwire::Engine>();
  return engine;
}

/// How many of so many commands, asked at once, have their own answers. Throws if not all have one within 30 s.
inline int right_answers(toolwire::redis::Client& client, int commands) {
  struct Answers {
    std::atomic<int> left = 0, right = 0;
    std::promise<void> last;
  };
  const auto answers = std::make_shared<Answers>();
  answers->left = commands;
  for (int i = 0; i < commands; ++i) {
    const std::string text = std::to_string(i) + std::string(static_cast<std::size_t>(i % 500), 'x');
    const std::array<std::string_view, 2> command{"ECHO", text};
    client.ask(command, toolwire::Done<toolwire::redis::Reply>([answers, text](auto&& result) {
                 const auto* const reply = std::get_if<toolwire::redis::Reply>(&result);
                 if (reply != nullptr && reply->text == text) ++answers->right;
                 if (--answers->left == 0) answers->last.set_value();
               }));
  }
  if (answers->last.get_future().wait_for(std::chrono::seconds(30)) != std::future_status::ready)
    throw std::runtime_error("commands without an answer: " + std::to_string(answers->left));
  return answers->right;
}

}  // namespace toolwire_test
