// tools/call as a kind of request: its tool is run, its result is checked, cut and lowered.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "features/invoke.hpp"
#include "protocol/request.hpp"
#include "toolwire/result_checks.hpp"

namespace toolwire::protocol {

/// A kind of request, see request_for.hpp.
class ToolCall {
 public:
  static constexpr std::string_view noun = "tool";
  using Outcome = AnyOutcome;
  using Result = ToolResult;

  /// It calls this tool, whatever becomes of its name until `prepare`. Null: the one that has the name then.
  void has_found(std::shared_ptr<const features::ServedTool> tool) { served_ = std::move(tool); }
  RequestTerms prepare(const Exchange& exchange);
  std::string subject() const { return "tool " + name(); }
  const std::string& name() const { return info().name; }
  const Json& arguments() const { return *arguments_; }
  AnyRequest described(const Exchange&) const;
  bool answers_at_once() const { return std::holds_alternative<ToolHandler>(served_->tool.handler); }

  template <class Send>
  void run(const Json& arguments, Context& context, Send send) const {
    features::invoke(*served_, arguments, context, send);
  }
  void answer(Request& request, ToolResult&& result) const;
  void fail(Request& request, const std::exception_ptr& thrown) const;
  void fail_with_code(Request& request, std::string_view code, std::string text, bool retryable,
                      std::optional<std::int64_t> retry_after_ms) const;
  void fail_late(Request& request, std::string text) const;
  std::string timeout_text(std::chrono::milliseconds limit) const { return timed_out_text(name(), limit); }

 private:
  const ToolInfo& info() const { return served_->tool.info; }

  std::shared_ptr<const features::ServedTool> served_;
  const Json* arguments_ = nullptr;  // in the exchange's params, or empty
};

/// The tool that a tools/call names; null if there is none, or it names none.
std::shared_ptr<const features::ServedTool> tool_named_in(const Exchange& exchange);

}  // namespace toolwire::protocol
