// How the framework ties a Context to the request it belongs to. Nobody else includes this.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "toolwire/context.hpp"
#include "toolwire/detail/client_log.hpp"
#include "toolwire/detail/stop_signal.hpp"

namespace toolwire::detail {

/// Used before the function sees its context. What is given by reference or pointer must live as long as the context.
class ContextBuilder {
 public:
  explicit ContextBuilder(Context& context) : context_(context) {}

  /// `signal` takes the place of the stop token.
  void stop_by(const StopSignal& signal) { context_.signal_ = &signal; }
  void report_progress_to(Context::ProgressSink sink) { context_.progress_ = std::move(sink); }
  void log_to(ClientLog& sink) { context_.log_ = &sink; }
  /// Who it is.
  void identified_as(const Principal& principal) { context_.principal_ = &principal; }
  void within(Session& session) { context_.session_ = &session; }
  void connected_by(int process) { context_.peer_process_ = process; }
  /// What the client says of itself.
  void called_by(const JsonObject& info) { context_.client_info_ = &info; }
  /// Says whether the client can answer a question.
  void ask_by(std::function<bool(const Question&)> can_ask) { context_.can_ask_ = std::move(can_ask); }
  /// What lets a tool go on after its function has returned.
  void go_on_by(LaterCall& call) { context_.later_ = &call; }
  /// Null where there is none.
  static LaterCall* later_of(const Context& context) { return context.later_; }

 private:
  Context& context_;
};

}  // namespace toolwire::detail
