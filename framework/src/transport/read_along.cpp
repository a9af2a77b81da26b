#include "transport/read_along.hpp"

#include <sys/epoll.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace toolwire::transport {
namespace {

constexpr std::uint64_t own_id = 0;
constexpr std::uint64_t wake_id = 1;
constexpr unsigned max_turns_alone = 8;

system::FileDescriptor new_epoll() {
  system::FileDescriptor epoll{::epoll_create1(EPOLL_CLOEXEC)};
  if (!epoll.is_open()) throw std::system_error(errno, std::generic_category(), "epoll_create1");
  return epoll;
}

}  // namespace

/// Never destroyed: threads may wait in it when the process ends.
ReadAlong& ReadAlong::of_process() {
  // NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
  static auto* const the_one = new ReadAlong;
  return *the_one;
}

ReadAlong::ReadAlong() : awaited_{new_epoll()}, last_id_{wake_id} { watch(wake_.descriptor(), wake_id); }

void ReadAlong::lend(Input& input, const ReadableAtOnce::Awaited& awaited) {
  if (!on_.load(std::memory_order_relaxed)) return;
  std::unique_lock lock{mutex_};
  if (!on_ || quiet_ || (alone_ && input.expects_something())) return;
  const auto lent = std::make_shared<Lent>(input, awaited, ++last_id_);
  if (!watch(*lent)) return;
  lent_.push_back(lent);
  given_back_.wait(lock, [&] { return !lent->out; });
  lock.unlock();
  const std::lock_guard nobody_reads_it{lent->reading};
}

void ReadAlong::recall(const Input& input) {
  const std::lock_guard lock{mutex_};
  const auto found = std::find_if(lent_.begin(), lent_.end(), [&](const auto& one) { return &one->input == &input; });
  if (found != lent_.end()) give_back(**found);
}

bool ReadAlong::begin(int own) {
  const std::lock_guard lock{mutex_};
  if (on_ || !watch(own, own_id)) return false;
  own_ = own;
  on_ = true;
  quiet_ = false;
  return true;
}

void ReadAlong::end() {
  const std::lock_guard lock{mutex_};
  on_ = false;
  alone_ = false;
  forget(own_);
  give_all_back();
  if (waits_) wake_.set();  // what it waits for is no longer watched
}

/// Whoever expects something first says so and then checks whether the wait is for the own input alone; here the order
/// is reversed, so that at least one of the two sees the other.
bool ReadAlong::may_wait_alone() {
  if (++turns_alone_ > max_turns_alone) return false;
  const std::lock_guard lock{mutex_};
  alone_ = true;
  alone_ = std::none_of(lent_.begin(), lent_.end(), [](const auto& one) { return one->input.expects_something(); });
  return alone_;
}

void ReadAlong::not_alone() {
  alone_ = false;
  quiet_ = false;
}

void ReadAlong::quiet() {
  const std::lock_guard lock{mutex_};
  quiet_ = true;
  give_all_back();
}

ReadAlong::Ready ReadAlong::wait() {
  turns_alone_ = 0;
  epoll_event event{};
  // Here one flag is written and then the other read; `end` does the same the other way round, so that at least one of
  // the two sees the other.
  waits_ = true;
  // One event at a time: an input cannot be given back between its event and the reading, and inputs take turns.
  const int count = on_ ? ::epoll_wait(awaited_.get(), &event, 1, -1) : 0;
  waits_ = false;
  if (count <= 0) return {};
  if (event.data.u64 == own_id) return {Ready::What::own};
  if (event.data.u64 != wake_id) return {Ready::What::other, event.data.u64};
  wake_.clear();
  return {};
}

void ReadAlong::read(std::uint64_t which) {
  std::shared_ptr<Lent> lent;
  {
    const std::lock_guard lock{mutex_};
    const auto found = std::find_if(lent_.begin(), lent_.end(), [&](const auto& one) { return one->id == which; });
    if (found == lent_.end()) return;
    lent = *found;
  }
  {
    // If it is locked, an earlier reader is stuck in it. Only its own thread waits for that.
    const std::unique_lock reading{lent->reading, std::try_to_lock};
    if (reading && lent->input.read_along()) return;
  }
  const std::lock_guard lock{mutex_};
  give_back(*lent);
}

bool ReadAlong::watch(int descriptor, std::uint64_t id) const {
  epoll_event event{.events = EPOLLIN, .data = {.u64 = id}};
  return ::epoll_ctl(awaited_.get(), EPOLL_CTL_ADD, descriptor, &event) == 0;
}

void ReadAlong::forget(int descriptor) const {
  if (descriptor >= 0) ::epoll_ctl(awaited_.get(), EPOLL_CTL_DEL, descriptor, nullptr);
}

bool ReadAlong::watch(const Lent& lent) const {
  for (const int descriptor : lent.awaited) {
    if (descriptor < 0 || watch(descriptor, lent.id)) continue;
    for (const int watched : lent.awaited) forget(watched);
    return false;
  }
  return true;
}

/// With mutex_ held, as the next function.
void ReadAlong::give_all_back() {
  while (!lent_.empty()) give_back(*lent_.back());
}

void ReadAlong::give_back(Lent& lent) {
  if (!lent.out) return;
  lent.out = false;
  for (const int descriptor : lent.awaited) forget(descriptor);
  std::erase_if(lent_, [&](const auto& one) { return one.get() == &lent; });
  given_back_.notify_all();
}

}  // namespace toolwire::transport
