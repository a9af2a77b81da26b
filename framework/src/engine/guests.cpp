#include "engine/guests.hpp"

#include <algorithm>
#include <utility>

#include "engine/engine.hpp"

namespace toolwire::engine {

Host& Host::of_process() {
  // NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
  static auto* const the_one = new Host;
  return *the_one;
}

bool Host::open(std::shared_ptr<Engine> engine) {
  const MutexLock lock(mutex_);
  if (engine_) return false;
  engine_ = std::move(engine);
  return true;
}

void Host::close(const Engine& engine) {
  std::shared_ptr<Engine> closed;  // destroyed outside of the lock
  const MutexLock lock(mutex_);
  if (engine_.get() == &engine) closed.swap(engine_);
}

std::shared_ptr<Engine> Host::engine() {
  const MutexLock lock(mutex_);
  return engine_;
}

void Host::lend(Guest& guest, const Guest::Awaited& awaited) {
  if (const auto found = engine()) found->lend(guest, awaited);
}

void Host::recall(const Guest& guest) {
  if (const auto found = engine()) found->recall(guest);
}

bool Guests::any_expects_something() const {
  return std::ranges::any_of(lent_, [](const auto& one) { return one->guest.expects_something(); });
}

std::shared_ptr<Guests::Lent> Guests::take(Guest& guest, const Guest::Awaited& awaited, std::uint64_t id) {
  auto lent = std::make_shared<Lent>(Lent{guest, awaited, id});
  if (!watch(*lent)) return nullptr;
  lent_.push_back(lent);
  return lent;
}

std::shared_ptr<Guests::Lent> Guests::find(std::uint64_t id) const {
  const auto found = std::ranges::find_if(lent_, [&](const auto& one) { return one->id == id; });
  return found == lent_.end() ? nullptr : *found;
}

void Guests::give_back(const Guest& guest) {
  const auto found = std::ranges::find_if(lent_, [&](const auto& one) { return &one->guest == &guest; });
  if (found != lent_.end()) give_back(**found);
}

void Guests::give_back(Lent& lent) {
  if (!std::exchange(lent.is_here, false)) return;
  forget(lent);
  std::erase_if(lent_, [&](const auto& one) { return one.get() == &lent; });
  given_back_.notify_all();
}

void Guests::give_all_back() {
  while (!lent_.empty()) {
    const auto last = lent_.back();
    give_back(*last);
  }
}

void Guests::wait_until_back(MutexLock& lock, const Lent& lent) {
  given_back_.wait(lock, [&] { return !lent.is_here && !lent.is_read; });
}

void Guests::done_reading(Lent& lent, bool well) {
  lent.is_read = false;
  if (!well) give_back(lent);
  if (!lent.is_here) given_back_.notify_all();
}

bool Guests::watch(const Lent& lent) const {
  for (const int descriptor : lent.awaited) {
    if (descriptor < 0 || poller_.watch(descriptor, lent.id << 1, system::Poller::input)) continue;
    forget(lent);
    return false;
  }
  return true;
}

void Guests::forget(const Lent& lent) const {
  for (const int descriptor : lent.awaited) poller_.watch(descriptor, lent.id << 1, system::Poller::nothing);
}

}  // namespace toolwire::engine
