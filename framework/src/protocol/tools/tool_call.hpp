// One tools/call from its request to its answer: limits and middleware around the tool, questions to the user in
// between.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/exchange.hpp"
#include "protocol/input_requests/asked_request.hpp"
#include "protocol/logging/call_log.hpp"
#include "protocol/progress.hpp"
#include "runtime/job.hpp"
#include "toolwire/middleware.hpp"

namespace toolwire::protocol {

/// Shared by the thread that runs the tool, its Reply, the deadline and open questions; lives until none of them is
/// left. The steps of one round happen one after the other.
class ToolCall final : public AskedRequest, public runtime::Job, public std::enable_shared_from_this<ToolCall> {
 public:
  explicit ToolCall(Exchange&& exchange) : exchange_(std::move(exchange)), log_(exchange_) {}

  /// Takes params apart, once. Throws ProtocolError (-32602) for an unknown tool, unusable members or a forged
  /// requestState. Done by `run` if it has not been done before.
  void prepare();
  /// Runs the tool with the answers there are; whatever goes wrong ends the call.
  void run() override;
  bool is_over() const override { return exchange_.call->is_over(); }
  void run_again(JsonObject more_answers) override;

  const Tool& tool() const { return served_->tool; }
  const Exchange& exchange() const override { return exchange_; }
  std::string subject() const override { return "tool " + tool().info.name; }
  const Json& arguments() const override { return *arguments_; }
  const JsonObject& answers() const override { return answers_; }
  bool single_use_answers() const override { return tool().info.single_use_answers; }
  std::chrono::milliseconds answers_within() const override { return tool().info.answers_within; }

  /// Answers with a result, or with a JSON-RPC error; only the first answer counts. From any thread.
  void answer(const ToolResult& result);
  void fail(const ProtocolError& error) override;
  void fail_with_code(std::string_view code, std::string text, bool retryable) override;
  void pause_deadline() override;

 private:
  struct Round;
  void begin_round();
  bool answers_at_once() const;
  void run_at_once();
  bool rate_allows();
  void keep_within_budget(ToolResult& result) const;
  void start_deadline();
  void step(const std::shared_ptr<Round>& round, std::size_t index);
  void invoke(const std::shared_ptr<Round>& round);
  void conclude(Round& round, AnyOutcome&& outcome);
  void timed_out();

  Exchange exchange_;
  std::shared_ptr<const features::ServedTool> served_;
  const Json* arguments_ = nullptr;  // in the exchange's params, or empty
  JsonObject answers_;
  std::shared_ptr<Progress> progress_;
  CallLog log_;
  std::mutex deadline_mutex_;
  std::optional<runtime::Timers::Handle> deadline_;
  std::chrono::steady_clock::duration time_left_{};
  bool charged_ = false;
};

}  // namespace toolwire::protocol
