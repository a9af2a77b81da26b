// The host's side of one request that a back-end answers: receives the result, the questions and the progress.
// Independent of back-ends.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include <toolwire/context.hpp>
#include <toolwire/reply.hpp>

#include "activities/mcp/call_counts.hpp"
#include "activities/mcp/results.hpp"

namespace toolwire::bridge::mcp {

/// One round of a request: it ends with a result, a failure or questions, once, from any thread. Dropped, it ends with
/// a failure as any reply does.
class Caller {
 public:
  explicit Caller(Context& context) : context_(context) {}
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;
  virtual ~Caller() = default;

  /// Lives until this has ended or is dropped.
  Context& context() { return context_; }

  virtual void succeed(Json&& result) = 0;
  virtual void fail(const Trouble& trouble) = 0;
  virtual void ask(Questions&& questions) = 0;

 private:
  Context& context_;
};

/// Of tools/call.
class ToolCaller : public Caller {
 public:
  /// `back_end` is its name.
  ToolCaller(Context& context, Reply reply, std::string back_end, std::shared_ptr<CallCounts> counts)
      : Caller(context), reply_(std::move(reply)), back_end_(std::move(back_end)), counts_(std::move(counts)) {}

  void succeed(Json&& result) override {
    ToolResult made = tool_result_from(std::move(result), {.what = "The back-end", .name = back_end_});
    counts_->ended(begun_, made.is_error);
    reply_(std::move(made));
  }
  void fail(const Trouble& trouble) override {
    counts_->ended(begun_, true);
    reply_(tool_outcome_from(trouble));
  }
  void ask(Questions&& questions) override { reply_(std::move(questions)); }

 private:
  Reply reply_;
  std::string back_end_;
  const std::shared_ptr<CallCounts> counts_;
  const CallCounts::Clock::time_point begun_ = CallCounts::Clock::now();
};

}  // namespace toolwire::bridge::mcp
