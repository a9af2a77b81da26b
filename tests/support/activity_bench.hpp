// One call of an Activity of the bridge, without a registry: its arguments and its answer.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <toolwire/bridge/activity.hpp>

namespace toolwire_test {

/// Must outlive the call. One thread, unless the Activity answers from another.
class ActivityBench {
 public:
  explicit ActivityBench(std::optional<toolwire::bridge::ActivityContext::Clock::time_point> deadline = {},
                         toolwire::JsonObject answers = {})
      : answers_(std::move(answers)),
        request_(stop_.get_token(), answers_, meta_,
                 [this](double done, std::optional<double> total, std::string_view message) {
                   progress.push_back(std::to_string(static_cast<int>(done)) + "/" +
                                      (total ? std::to_string(static_cast<int>(*total)) : "?") + " " +
                                      std::string(message));
                 }),
        context_(request_, deadline) {}

  void start(toolwire::bridge::Activity& activity) {
    activity.start(call, context_,
                   toolwire::Reply([this](toolwire::AnyOutcome&& outcome) { outcomes.push_back(std::move(outcome)); }));
  }
  void request_stop() { stop_.request_stop(); }

  const toolwire::ToolResult& result() const { return std::get<toolwire::ToolResult>(outcomes.at(0)); }
  std::string text() const { return std::get<toolwire::TextContent>(result().content.at(0).item).text; }

  toolwire::bridge::Call call{.tool = "work"};
  std::vector<toolwire::AnyOutcome> outcomes;
  std::vector<std::string> progress;

 private:
  std::stop_source stop_;
  const toolwire::JsonObject answers_;
  const toolwire::JsonObject meta_;
  toolwire::Context request_;
  toolwire::bridge::ActivityContext context_;
};

/// An Activity that runs a function.
class LambdaActivity : public toolwire::bridge::Activity {
 public:
  using Start = std::function<void(const toolwire::bridge::Call&, toolwire::bridge::ActivityContext&, toolwire::Reply)>;
  explicit LambdaActivity(Start start) : start_(std::move(start)) {}

  void start(const toolwire::bridge::Call& call, toolwire::bridge::ActivityContext& context,
             toolwire::Reply reply) override {
    start_(call, context, std::move(reply));
  }
  std::string_view kind() const override { return "test"; }

 private:
  const Start start_;
};

inline toolwire::bridge::ActivityPointer make_test_activity(LambdaActivity::Start start) {
  return std::make_shared<LambdaActivity>(std::move(start));
}

}  // namespace toolwire_test
