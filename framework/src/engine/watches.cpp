#include "engine/watches.hpp"

#include <utility>

namespace toolwire::engine {
namespace {

/// Of an event: as those of inputs of channels.
std::uint64_t event_of(std::uint64_t id) { return id << 1; }

}  // namespace

bool Watches::add(std::uint64_t id, std::shared_ptr<Watch> watch) {
  if (!poller_.watch(watch->descriptor, event_of(id), watch->interest)) return false;
  descriptors_.insert(watch->descriptor);
  watches_.emplace(id, std::move(watch));
  return true;
}

std::shared_ptr<Watches::Watch> Watches::find(std::uint64_t id) const {
  const auto found = watches_.find(id);
  return found == watches_.end() ? nullptr : found->second;
}

std::shared_ptr<Watches::Watch> Watches::take(std::uint64_t id) {
  auto taken = watches_.extract(id);
  if (taken.empty()) return nullptr;
  disarm(*taken.mapped());
  descriptors_.erase(taken.mapped()->descriptor);
  taken.mapped()->is_over = true;
  return std::move(taken.mapped());
}

std::map<std::uint64_t, std::shared_ptr<Watches::Watch>> Watches::take_all() {
  for (const auto& [id, watch] : watches_) {
    disarm(*watch);
    watch->is_over = true;
  }
  descriptors_.clear();
  return std::exchange(watches_, {});
}

void Watches::change(std::uint64_t id, unsigned interest) {
  const auto watch = find(id);
  if (watch == nullptr || watch->interest == interest) return;
  watch->interest = interest;
  if (interest == system::Poller::nothing) return disarm(*watch);
  // The end of a call that has lasted arms it.
  if (watch->is_armed || !watch->is_called()) arm(id, *watch);
}

void Watches::arm(std::uint64_t id, Watch& watch) const {
  watch.is_armed = poller_.watch(watch.descriptor, event_of(id), watch.interest);
}

void Watches::disarm(Watch& watch) const {
  if (!std::exchange(watch.is_armed, false)) return;
  poller_.watch(watch.descriptor, 0, system::Poller::nothing);
}

void Watches::end_call(std::uint64_t id, Watch& watch) {
  watch.caller = {};
  if (watch.is_over) {
    call_ended_.notify_all();
  } else if (!watch.is_armed && watch.interest != system::Poller::nothing) {
    arm(id, watch);
  }
}

void Watches::wait_for_call(MutexLock& lock, const Watch& watch) {
  call_ended_.wait(lock, [&] { return !watch.is_called(); });
}

}  // namespace toolwire::engine
