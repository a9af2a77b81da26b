// A pool of Python runtimes over a directory of tools that a test writes.
#pragma once

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "activities/runtime/pool.hpp"
#include "scratch_folder.hpp"

namespace toolwire_test {

using toolwire::bridge::runtimes::RuntimeAnswer;
using toolwire::bridge::runtimes::RuntimeOptions;
using toolwire::bridge::runtimes::RuntimePool;

inline RuntimeOptions python_options(const std::string& directory) {
  RuntimeOptions options{.name = "python"};
  options.start.command = {"python3", "-m", "toolwire_runtime", directory, "--grant-all"};
  options.start.environment = {{"PATH", "/usr/bin:/bin"},
                               {"PYTHONPATH", TOOLWIRE_SOURCE_DIR "/bridge/runtimes/python"},
                               {"PYTHONDONTWRITEBYTECODE", "1"}};
  options.start_timeout = std::chrono::seconds(120);
  options.health_timeout = std::chrono::seconds(120);
  return options;
}

/// Thread-safe.
class Lines {
 public:
  void add(const std::string& line) {
    const std::lock_guard lock(mutex_);
    text_ += line + "\n";
  }
  std::string text() const {
    const std::lock_guard lock(mutex_);
    return text_;
  }

 private:
  mutable std::mutex mutex_;
  std::string text_;
};

/// One call in progress.
class PoolCall {
 public:
  PoolCall(RuntimePool& pool, std::string tool, toolwire::Json parameters = toolwire::JsonObject{},
           std::optional<RuntimePool::Clock::time_point> deadline = {})
      : state_(std::make_shared<State>()), answer_(state_->answer.get_future()), told_(state_->told.get_future()) {
    pool.call(
        {.tool = std::move(tool), .parameters = std::move(parameters), .wants_progress = true}, deadline,
        state_->stop.get_token(), [state = state_](RuntimeAnswer&& came) { state->answer.set_value(std::move(came)); },
        [state = state_](double, std::optional<double>, std::string_view) {
          if (!std::exchange(state->has_told, true)) state->told.set_value();
        });
  }
  void stop() { state_->stop.request_stop(); }
  /// Whether its first progress has arrived.
  void wait_until_it_runs() {
    if (told_.wait_for(std::chrono::seconds(60)) != std::future_status::ready) BOOST_FAIL("the tool did not begin");
  }
  RuntimeAnswer answer() {
    if (answer_.wait_for(std::chrono::seconds(60)) != std::future_status::ready) BOOST_FAIL("no answer");
    return answer_.get();
  }
  /// The output, else the code and text of the failure.
  std::string text() {
    const RuntimeAnswer came = answer();
    if (came.trouble) return came.trouble->code + ": " + came.trouble->text;
    return std::string(came.result.at("output").as_string());
  }

 private:
  struct State {
    std::stop_source stop = {};
    std::promise<RuntimeAnswer> answer = {};
    std::promise<void> told = {};
    bool has_told = false;
  };
  std::shared_ptr<State> state_;
  std::future<RuntimeAnswer> answer_;
  std::future<void> told_;
};

/// A directory of tools, and a pool over it.
class PoolFixture {
 public:
  PoolFixture() : options(python_options(folder.path().string())) {
    options.log = [lines = said](const std::string& line) { lines->add(line); };
  }
  ~PoolFixture() {
    if (pool_) pool_->close();
  }
  PoolFixture(const PoolFixture&) = delete;
  PoolFixture& operator=(const PoolFixture&) = delete;

  /// `body` defines `tool_function`.
  void tool(const std::string& name, const std::string& body) {
    std::ofstream(folder.path() / (name + ".py"))
        << "def tool_info():\n    return {'name': '" << name << "', 'input_schema': {'type': 'object'}}\n"
        << body << "\n";
  }
  RuntimePool& pool() {
    if (!pool_) pool_ = std::make_unique<RuntimePool>(options);
    return *pool_;
  }
  std::string call(const std::string& name, toolwire::Json parameters = toolwire::JsonObject{}) {
    return PoolCall(pool(), name, std::move(parameters)).text();
  }

  ScratchFolder folder;
  std::shared_ptr<Lines> said = std::make_shared<Lines>();
  RuntimeOptions options;

 private:
  std::unique_ptr<RuntimePool> pool_;
};

}  // namespace toolwire_test
