// A span that has begun and not ended: what goes on with it is given its context. Independent of what it is of.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <string_view>

#include <toolwire/context.hpp>

#include "traces/span.hpp"

namespace toolwire::bridge::traces {

/// Thread-safe. Dropped before it has ended, it ends as an error of no kind in particular.
class OpenSpan {
 public:
  using Record = std::function<void(Span&&)>;

  /// It begins now. `context`: what goes on with it is given.
  OpenSpan(Span span, TraceContext context, Record record);
  OpenSpan(const OpenSpan&) = delete;
  OpenSpan& operator=(const OpenSpan&) = delete;
  ~OpenSpan();

  [[nodiscard]] const TraceContext& context() const { return context_; }

  /// How it ends. A plain value; empty: well.
  struct End {
    std::string_view error_type = {};  ///< One of few words, or the code of an error.
    int rpc_code = 0;                  ///< Of a JSON-RPC error; 0: it is none.
    std::string_view code = {};        ///< Of a result that is an error (toolwire::failure).
    int http_status = 0;               ///< Of the answer to a request over HTTP that is no MCP; 0: it is none.
  };
  /// Only the first end counts.
  void end(const End& how) noexcept;

 private:
  Span span_;
  const TraceContext context_;
  const Record record_;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::atomic<bool> ended_{false};
};

}  // namespace toolwire::bridge::traces
