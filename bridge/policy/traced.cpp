#include "policy/traced.hpp"

#include <string>
#include <utility>

#include "policy/start_contained.hpp"
#include "registry/outcome_code.hpp"

namespace toolwire::bridge {
namespace {

/// Kept by the Reply that the Activity has.
struct FollowedCall {
  ActivityContext context;
  std::shared_ptr<traces::OpenSpan> span;
  Reply reply;

  void end(AnyOutcome&& outcome) {
    const std::string code = code_of(outcome);
    if (code == "ok" || code == "asked") {
      span->end({});
    } else {
      span->end({.error_type = code == "error" ? "tool_error" : code});
    }
    reply(std::move(outcome));
  }
};

class Traced : public Activity {
 public:
  Traced(ActivityPointer inner, std::shared_ptr<const traces::Traces> traces)
      : inner_(std::move(inner)), traces_(std::move(traces)) {}

  void start(const Call& call, ActivityContext& context, Reply reply) override {
    auto span = traces_->begin_call(context.trace(), call.tool, inner_->kind());
    if (!span) return inner_->start(call, context, std::move(reply));
    ActivityContext within = context.within(span->context());
    const auto followed =
        std::make_shared<FollowedCall>(FollowedCall{std::move(within), std::move(span), std::move(reply)});
    start_contained(*inner_, call, followed->context,
                    Reply([followed](AnyOutcome&& outcome) { followed->end(std::move(outcome)); }));
  }
  std::string_view kind() const override { return inner_->kind(); }

 private:
  const ActivityPointer inner_;
  const std::shared_ptr<const traces::Traces> traces_;
};

}  // namespace

ActivityPointer traced(ActivityPointer inner, std::shared_ptr<const traces::Traces> traces) {
  return std::make_shared<Traced>(std::move(inner), std::move(traces));
}

}  // namespace toolwire::bridge
