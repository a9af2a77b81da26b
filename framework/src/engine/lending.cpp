// Inputs of others, read by the driver.
#include "engine/engine.hpp"

namespace toolwire::engine {
namespace {

constexpr unsigned max_plain_reads = 8;  // while there are guests of whom nothing is expected

}  // namespace

void Engine::open_to_guests() {
  if (settings_.threads == 0 || only_ == nullptr || !only_->pollable_) return;
  has_room_for_guests_ = Host::of_process().open(shared_from_this());
}

/// The lock is let go meanwhile.
void Engine::close_to_guests() {
  if (!has_room_for_guests_) return;
  has_room_for_guests_ = false;
  guests_.give_all_back();
  leave_guests_alone(false);
  const MutexUnlock unlock(mutex_);
  Host::of_process().close(*this);
}

void Engine::lend(Guest& guest, const Guest::Awaited& awaited) {
  MutexLock lock(mutex_);
  if (!has_room_for_guests_ || quiet_) return;
  if (plain_ != nullptr) {
    leave_guests_alone(true);
    if (guest.expects_something()) return;
  }
  if (const auto lent = guests_.take(guest, awaited, ++last_id_)) guests_.wait_until_back(lock, *lent);
}

void Engine::recall(const Guest& guest) {
  const MutexLock lock(mutex_);
  guests_.give_back(guest);
}

/// Whether the next wait may be a plain read, which is cheaper: nothing is expected of any guest. What comes
/// unexpectedly waits for the next wait for all, which is due after some turns in any case, or until all is quiet.
/// Whoever expects something first says so and then looks at `reads_plainly_`; here the order is reversed, so that at
/// least one of the two sees the other.
bool Engine::may_leave_guests_alone() {
  if (++plain_reads_ > max_plain_reads) return false;
  leave_guests_alone(true);
  if (!guests_.any_expects_something()) return true;
  leave_guests_alone(false);
  return false;
}

void Engine::leave_guests_alone(bool alone) {
  guests_left_alone_ = alone;
  Host::of_process().reads_plainly_ = alone;
}

/// What a guest brings may take its time: somebody else becomes the driver then, and this returns false.
bool Engine::read_guest(std::uint64_t id, std::uint64_t mine) {
  const auto lent = guests_.find(id);
  if (lent == nullptr) return true;
  if (lent->is_read) {  // an earlier reader is stuck in it: only its own thread waits for that
    guests_.give_back(*lent);
    return true;
  }
  lent->is_read = true;
  ++running_;
  driver_ = Driver::outside;
  bool well = false;
  {
    const MutexUnlock unlock(mutex_);
    well = lent->guest.read_along();
  }
  --running_;
  guests_.done_reading(*lent, well);
  if (epoch_ != mine) return false;
  driver_ = Driver::handling;
  return true;
}

}  // namespace toolwire::engine
