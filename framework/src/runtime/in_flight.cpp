#include "runtime/in_flight.hpp"

namespace toolwire::runtime {

InFlight::Begun InFlight::begin(jsonrpc::Id&& id, std::shared_ptr<AnswerSink> sink) {
  auto call = std::allocate_shared<Call>(json::Recycled<Call>(), std::move(id), *this, output_, std::move(sink));
  Refusal refusal = Refusal::none;
  {
    const MutexLock lock(mutex_);
    if (unsettled() >= bound_) {
      refusal = Refusal::full;
    } else if (!calls_.try_emplace(call->id().key(), call).second) {
      refusal = Refusal::id_in_use;
    } else {
      call->listed_ = true;
      call->counted_.store(true, std::memory_order_relaxed);
      unsettled_.fetch_add(1, std::memory_order_acq_rel);
    }
  }
  return {std::move(call), refusal};
}

bool InFlight::cancel(std::string_view key) {
  std::shared_ptr<Call> call;
  {
    const MutexLock lock(mutex_);
    auto found = calls_.find(key);
    if (found != calls_.end()) call = found->second.lock();
  }
  return call && call->cancel();
}

void InFlight::cancel_all() {
  std::vector<std::shared_ptr<Call>> all;
  {
    const MutexLock lock(mutex_);
    all.reserve(calls_.size());
    for (auto& [key, entry] : calls_) all.push_back(entry.lock());
  }
  for (auto& call : all) {
    if (call) call->cancel();
  }
}

void InFlight::remove(Call& call) {
  if (!std::exchange(call.listed_, false)) return;
  const MutexLock lock(mutex_);
  calls_.erase(call.id().key());
}

void InFlight::settle(Call& call) {
  if (call.counted_.exchange(false)) unsettled_.fetch_sub(1, std::memory_order_acq_rel);
}

}  // namespace toolwire::runtime
