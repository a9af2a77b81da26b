// The threads and the jobs.
#include "engine/engine.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "log/log.hpp"
#include "toolwire/system/signals_blocked.hpp"

namespace toolwire::engine {
namespace {

thread_local const Engine* inside = nullptr;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): of a thread

/// After so many jobs in a row their answers are written: one write for all is cheapest, but a client on another
/// processor would wait for the whole batch, and we then for the client.
constexpr unsigned jobs_a_write = 32;

/// Jobs of no channel, so that deadlines do not wait until the tools that they are for make room for them.
constexpr unsigned apart_at_once = 4;

/// Of jobs, before it is the next channel's turn; and how many of these one that has had more is made to wait.
constexpr std::int64_t quantum = 500'000;  // nanoseconds
constexpr std::int64_t max_debt = 10 * quantum;

}  // namespace

std::shared_ptr<Engine> Engine::make(Settings settings) { return std::make_shared<Engine>(std::move(settings)); }

Engine::Engine(Settings settings)
    : settings_(std::move(settings)),
      max_apart_(settings_.stands ? std::min(settings_.threads, apart_at_once) : 1),
      // Beyond the jobs: one that reads, one that may be stuck in a write.
      max_members_(settings_.threads + 2u + (settings_.stands ? max_apart_ : 0)),
      wake_up_(settings_.take_signals),
      guests_(poller_),
      watches_(poller_),
      serving_{.drain = settings_.drain,
               .notice = settings_.notice,
               .on_stuck = settings_.on_stuck,
               .leaves_stuck = settings_.leaves_stuck} {}

Engine::~Engine() = default;

bool Engine::is_inside() const { return inside == this; }

/// Returns what `leave` needs: a tool may pump another server.
const Engine* Engine::enter() const { return std::exchange(inside, this); }

void Engine::leave(const Engine* outside) { inside = outside; }

void Engine::run() {
  if (settings_.stands) return wait_until_served();
  {
    MutexLock lock(mutex_);
    if (settings_.threads > 0) monitor_thread_ = std::thread([this] { monitor(); });
    open_to_guests();
    inside = this;
    if (channels_.empty()) finish();
    while (!finished_ && (work() || wait_for_work(lock, false))) {
    }
    inside = nullptr;
    close_to_guests();
  }
  end_threads();
}

void Engine::end_threads() {
  std::vector<std::thread> members;
  std::thread left;
  {
    const MutexLock lock(mutex_);
    changed_.notify_all();
    wake_up_.wake();
    members.swap(members_);
    left.swap(left_);
  }
  if (monitor_thread_.joinable()) monitor_thread_.join();
  if (left.joinable()) left.join();
  for (std::thread& member : members) {
    if (member.joinable()) member.join();
  }
  timers_.close();
}

void Engine::member() {
  inside = this;
  std::thread left_before;
  {
    MutexLock lock(mutex_);
    while (!finished_ && (work() || wait_for_work(lock, true))) {
    }
    const auto me = std::ranges::find(members_, std::this_thread::get_id(), &std::thread::get_id);
    if (me == members_.end()) return;  // the engine ends, and waits for this thread
    left_before = std::exchange(left_, std::move(*me));
    members_.erase(me);
  }
  if (left_before.joinable()) left_before.join();
}

/// False if there is nothing to do for this thread.
bool Engine::work() {
  if (driver_ == Driver::none) {
    drive();
  } else if (may_parse() || may_take_job()) {
    run_next();
    flush_ready();
  } else if (std::exchange(flush_wanted_, false)) {
    flush_ready();
  } else {
    return false;
  }
  return true;
}

void Engine::start_member() {
  if (!settings_.stands) return void(members_.emplace_back([this] { member(); }));
  const system::SignalsBlocked inherited_by_the_thread;  // whoever posts may take signals
  members_.emplace_back([this] { member(); });
}

/// False if a member was not needed for a long time.
bool Engine::wait_for_work(MutexLock& lock, bool is_member) {
  ++waiting_;
  bool is_needed = true;
  if (is_member) {
    is_needed = changed_.wait_for(lock, settings_.idle) == std::cv_status::no_timeout;
  } else {
    changed_.wait(lock);
  }
  --waiting_;
  if (waking_ == 0) return is_needed;
  --waking_;
  return true;
}

void Engine::drive() {
  const std::uint64_t mine = ++epoch_;
  driver_ = Driver::handling;
  turn_tick_ = idle_tick_ = ticks_;
  while (drive_once(mine)) {
  }
  if (epoch_ == mine) {
    driver_ = Driver::none;
  } else {
    flush_ready();  // answers of a driver that was replaced
  }
}

/// One turn: run what is queued, write what is ready, read. Returns false when this thread is no longer the driver.
bool Engine::drive_once(std::uint64_t mine) {
  if (has_work() && !run_jobs(mine)) return false;
  if (only_ != nullptr ? only_->wants_flush() : is_anything_to_flush()) {
    driver_ = Driver::outside;
    only_ != nullptr ? flush(*only_) : flush_ready();
    if (epoch_ != mine) return false;
    driver_ = Driver::handling;
  }
  if (peers_have_left_ && !remove_those_who_left(mine)) return false;
  if (finished_) return false;
  // Where no other thread could be made, the rest is this one's after all.
  if (has_work() && !wake_for_work() && may_drive_jobs()) return true;
  if (only_ == nullptr || only_->output_.above_hard()) pause_those_behind();
  if (!may_read_plain()) return wait_for_all(mine);
  read_plain(*only_);
  return true;
}

bool Engine::run_jobs(std::uint64_t mine) {
  for (unsigned ran = 0; may_drive_jobs();) {
    driver_ = Driver::outside;
    run_next();
    if (epoch_ == mine && ++ran % jobs_a_write == 0) flush_ready();
    if (epoch_ != mine) return false;
    driver_ = Driver::handling;
    // Without a monitor nobody takes over: all others are looked at after each job.
    if (settings_.threads == 0 && only_ == nullptr) break;
  }
  return true;
}

bool Engine::may_drive_jobs() const {
  if (finished_) return false;
  return may_parse() || (!handed_off_ && may_take_job() && has_spare());
}

bool Engine::may_take_job_of_any() const {
  return std::ranges::any_of(channels_, [this](const auto& one) TOOLWIRE_REQUIRES(mutex_) { return may_take(*one); });
}

/// While there are others, one channel does not hold all threads.
bool Engine::may_take(const Channel& channel) const {
  const std::uint64_t quota = settings_.threads > 3 ? settings_.threads - 2 : 1;
  return channel.may_begin_jobs() && (channel.busy_ < quota || only_ == &channel);
}

void Engine::run_next() {
  if (may_parse()) return parse_next();
  if (is_turn_of_unowned()) return run_unowned();
  run_job(only_ != nullptr ? *only_ : take_turn());
}

/// Deficit round robin (Shreedhar and Varghese 1995), in time instead of bytes.
Channel& Engine::take_turn() {
  while (true) {
    if (turn_of_ >= channels_.size()) turn_of_ = 0;
    Channel& channel = *channels_[turn_of_];
    if (may_take(channel) && channel.credit_ > 0) return channel;
    channel.credit_ = may_take(channel) ? channel.credit_ + quantum : 0;
    ++turn_of_;
  }
}

void Engine::run_job(Channel& channel) {
  Channel::Work work = std::move(channel.queue_.front());
  channel.queue_.pop_front();
  channel.change_queued_bytes(-work.bytes);
  took_job();
  ++running_;
  ++channel.busy_;
  const bool is_timed = only_ == nullptr;
  const auto began = is_timed ? Clock::now() : Clock::time_point();
  {
    const MutexUnlock unlock(mutex_);
    work.job->run();
    work.job.reset();  // what it held goes before the lock is taken
  }
  --running_;
  --channel.busy_;
  if (is_timed) channel.credit_ = std::max<std::int64_t>(channel.credit_ - (Clock::now() - began).count(), -max_debt);
  if (channel.phase_ == Channel::Phase::over) let_go_if_unused(channel);
}

void Engine::took_job() {
  --queued_;
  if (!has_work()) handed_off_ = false;
  if (handed_off_ && may_take_job()) wake_one();
}

/// A large message is parsed before any job begins: what was read after it may be a cancellation.
void Engine::parse_next() {
  Channel& channel = *to_parse_.front();
  to_parse_.pop_front();
  if (!has_work()) handed_off_ = false;
  ++parsers_;
  Source::Outcome outcome{};
  {
    const MutexUnlock unlock(mutex_);
    outcome = channel.source_->go_on();
  }
  --parsers_;
  channel.is_parsed_ = false;
  finish_reading(channel, outcome);
  if (has_work()) wake_for_work();
}

bool Engine::is_anything_to_flush() const {
  return std::ranges::any_of(channels_, [](const auto& one) { return one->wants_flush(); });
}

void Engine::flush_ready() {
  if (only_ != nullptr) {
    // A peer that is gone has nothing to be written, but is to be noticed.
    if (only_->wants_flush() || only_->output_.peer_gone()) flush(*only_);
    return;
  }
  std::vector<Channel*> ready;
  for (const auto& channel : channels_) {
    if (!channel->wants_flush() && !channel->output_.peer_gone()) continue;
    ++channel->users_;  // from now on it stays
    ready.push_back(channel.get());
  }
  for (Channel* channel : ready) {
    flush(*channel);
    --channel->users_;
    let_go_if_unused(*channel);
  }
}

void Engine::flush(Channel& channel) {
  const bool may_wait = (only_ == &channel && !is_pumped()) || channel.must_wait_to_write_;
  const auto blocking = may_wait ? Transport::Blocking::yes : Transport::Blocking::no;
  ++channel.users_;
  {
    const MutexUnlock unlock(mutex_);
    channel.output_.flush(blocking);
  }
  --channel.users_;
  if (channel.phase_ == Channel::Phase::over) {
    let_go_if_unused(channel);
  } else if (channel.output_.peer_gone()) {
    begin_stop(channel);
  }
}

bool Engine::wake_for_work() { return (only_ == nullptr && !may_parse() && !may_take_job()) || wake_one(); }

/// False if there is nobody to be woken, and the system gives no further thread: then jobs are the driver's again.
bool Engine::wake_one() {
  if (finished_) return true;
  if (waiting_ > waking_) {
    ++waking_;
    changed_.notify_one();
  } else if (settings_.threads == 0) {
    interrupt_wait();
  } else if (members_.size() + 1 < max_members_) {
    try {
      start_member();
      lacks_threads_ = false;
    } catch (const std::exception&) {  // no thread, or no memory for one
      if (!std::exchange(lacks_threads_, true))
        process::log(LogLevel::error, "cannot start a thread; jobs wait for one another");
      handed_off_ = false;
      return false;
    }
  }
  return true;
}

}  // namespace toolwire::engine
