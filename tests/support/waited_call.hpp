// Calls an Activity as the bridge does, and waits for the result.
#pragma once

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <toolwire/bridge/activity.hpp>

namespace toolwire_test {

/// One call in progress. May be destroyed before it is answered.
class WaitedCall {
 public:
  using Clock = std::chrono::steady_clock;

  WaitedCall(toolwire::bridge::Activity& activity, toolwire::Json parameters,
             std::optional<Clock::time_point> deadline = {})
      : state_(std::make_shared<State>(std::move(parameters), deadline)), outcome_(state_->outcome.get_future()) {
    activity.start(state_->call, state_->activity_context,
                   toolwire::Reply([state = state_](toolwire::AnyOutcome&& outcome) {
                     state->outcome.set_value(std::move(outcome));
                   }));
  }

  void stop() { state_->stop.request_stop(); }
  toolwire::ToolResult result() {
    if (outcome_.wait_for(std::chrono::seconds(60)) != std::future_status::ready) BOOST_FAIL("no answer");
    return std::get<toolwire::ToolResult>(outcome_.get());
  }
  std::vector<std::string> progress() const {
    const std::lock_guard lock(state_->mutex);
    return state_->progress;
  }

 private:
  struct State {
    State(toolwire::Json parameters, std::optional<Clock::time_point> deadline)
        : call{.tool = "test", .activity = "test", .parameters = std::move(parameters)},
          activity_context(context, deadline) {}

    toolwire::JsonObject nothing = {};
    std::stop_source stop = {};
    toolwire::bridge::Call call;
    toolwire::Context context{stop.get_token(), nothing, nothing,
                              [this](double, std::optional<double>, std::string_view text) {
                                const std::lock_guard lock(mutex);
                                progress.emplace_back(text);
                              }};
    toolwire::bridge::ActivityContext activity_context;
    std::promise<toolwire::AnyOutcome> outcome = {};
    std::mutex mutex = {};
    std::vector<std::string> progress = {};
  };

  std::shared_ptr<State> state_;
  std::future<toolwire::AnyOutcome> outcome_;
};

inline toolwire::ToolResult call(toolwire::bridge::Activity& activity, toolwire::Json parameters) {
  return WaitedCall(activity, std::move(parameters)).result();
}

/// The text of a result's first content block.
inline std::string text_of(const toolwire::ToolResult& result) {
  if (result.content.empty()) return {};
  const auto* text = std::get_if<toolwire::TextContent>(&result.content.front().item);
  return text == nullptr ? std::string() : text->text;
}

/// The code of an error result; empty if there is none.
inline std::string code_of(const toolwire::ToolResult& result) {
  const toolwire::Json* error = result.meta.if_contains("dev.toolwire/error");
  return error == nullptr ? std::string() : std::string(error->at("code").as_string());
}

}  // namespace toolwire_test
