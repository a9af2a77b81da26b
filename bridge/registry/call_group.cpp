#include "registry/call_group.hpp"

#include <utility>

namespace toolwire::bridge {

void CallGroup::put(std::size_t index, CompletedCall end) {
  const MutexLock lock(mutex_);
  ends_[index] = std::move(end);
  --missing_;
}

void CallGroup::start(const std::shared_ptr<CallCore>& core, std::vector<Call> calls, const CallSettings& settings) {
  const auto self = shared_from_this();
  std::vector<std::shared_ptr<EmbeddedCall>> to_start(calls.size());
  std::size_t nothing_to_start = 0;
  {
    const MutexLock lock(mutex_);
    for (std::size_t i = 0; i < calls.size(); ++i) {
      if (ends_[i]) {
        ++nothing_to_start;
        continue;
      }
      auto done = [self, i](CompletedCall call) { self->ended(i, std::move(call)); };
      to_start[i] = std::make_shared<EmbeddedCall>(std::move(calls[i]), std::move(done), settings, core->timers);
    }
    under_way_ = to_start;
  }
  for (const auto& call : to_start) {
    if (call) call->start(core);  // does nothing if the group was decided meanwhile: the call is cancelled
  }
  if (nothing_to_start < calls.size()) return;
  std::vector<CompletedCall> ends;
  Done done;
  {
    const MutexLock lock(mutex_);
    ends = take_ends();
    done = std::exchange(done_, nullptr);
  }
  done(std::move(ends), std::nullopt);
}

std::vector<CompletedCall> CallGroup::take_ends() {
  std::vector<CompletedCall> ends;
  for (auto& end : ends_) ends.push_back(std::move(*end));
  return ends;
}

bool CallGroup::decides(const CompletedCall& call) const {
  return end_ == GroupEnd::first_end || (end_ == GroupEnd::first_failure && call.failed()) ||
         (end_ == GroupEnd::first_success && !call.failed());
}

void CallGroup::ended(std::size_t index, CompletedCall&& call) {
  std::vector<std::shared_ptr<EmbeddedCall>> losers;
  std::vector<CompletedCall> ends;
  std::optional<std::size_t> decider;
  Done done;
  {
    const MutexLock lock(mutex_);
    if (!decider_ && decides(call)) {
      decider_ = index;
      losers.swap(under_way_);
    } else if (index < under_way_.size()) {
      under_way_[index].reset();
    }
    ends_[index] = std::move(call);
    if (--missing_ == 0) {
      ends = take_ends();
      decider = decider_;
      done = std::exchange(done_, nullptr);
    }
  }
  for (std::size_t i = 0; i < losers.size(); ++i) {
    if (i != index && losers[i]) losers[i]->cancel();
  }
  if (done) done(std::move(ends), decider);
}

}  // namespace toolwire::bridge
