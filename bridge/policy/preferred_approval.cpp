#include "policy/preferred_approval.hpp"

#include <utility>

#include "policy/approval_question.hpp"

namespace toolwire::bridge {

PreferredApproval::PreferredApproval(AskedBy asked_by, Preferences preferences)
    : asked_by_(asked_by), preferences_(std::make_shared<const Preferences>(std::move(preferences))) {}

void PreferredApproval::use(Preferences preferences) {
  auto fresh = std::make_shared<const Preferences>(std::move(preferences));
  const MutexLock lock(mutex_);
  preferences_.swap(fresh);
}

std::shared_ptr<const Preferences> PreferredApproval::preferences() const {
  const MutexLock lock(mutex_);
  return preferences_;
}

Decision PreferredApproval::decide(CallInHand& call) {
  const Judgement judgement = preferences()->judge(call.tool, call.call.parameters);
  const std::string because = judgement.reason.empty() ? "" : ": " + judgement.reason;
  if (judgement.verdict == Verdict::deny) {
    call.decision = "denied" + because;
    return Refuse{
        failure("denied", "The user does not permit \"" + call.tool.name + "\" with these arguments" + because, false)};
  }
  if (judgement.verdict == Verdict::allow) return GoOn{};
  if (asked_by_ == AskedBy::host) {
    call.decision = "left to the host";
    return GoOn{};
  }
  const auto answer = approval_answer(call.context.request().answers(), call.tool, call.call);
  call.decision = !answer ? "asked" : *answer ? "approved" : "declined";
  if (!answer) return approval_question(call.tool, call.call, judgement.reason);
  if (*answer) return GoOn{};
  return Refuse{failure("denied", "The user declined to run \"" + call.tool.name + "\"", false)};
}

}  // namespace toolwire::bridge
