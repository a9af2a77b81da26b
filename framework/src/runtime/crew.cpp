#include "runtime/crew.hpp"

#include <system_error>
#include <utility>

#include "log/log.hpp"

namespace toolwire::runtime {
namespace {
thread_local bool inside_crew = false;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): of a thread

class Posted final : public Job {
 public:
  explicit Posted(std::function<void()> work) : work_(std::move(work)) {}
  void run() override { work_(); }

 private:
  std::function<void()> work_;
};

/// After so many calls in a row their answers are written: one write for all is cheapest, but a client on another
/// processor would wait for the whole batch, and we then for the client.
constexpr unsigned calls_a_write = 32;
}  // namespace

Crew::Crew(Output& output, Steps steps, Settings settings)
    : output_(output),
      steps_(std::move(steps)),
      settings_(settings),
      max_members_(settings.threads + 2u),  // beyond the work: one that reads, one that may be stuck in a write
      wake_up_(settings.take_signals) {}

Crew::~Crew() = default;

void Crew::run() {
  Lock lock(mutex_);
  if (settings_.threads > 0) monitor_thread_ = std::thread([this] { monitor(); });
  inside_crew = true;
  work(lock);
  inside_crew = false;
  wake_all();
  wake_up_.wake();
  lock.unlock();
  if (monitor_thread_.joinable()) monitor_thread_.join();
  for (std::thread& member : members_) member.join();
  std::deque<Work> left;  // what nobody will run may hold on to this object
  lock.lock();            // others may still write, post or cancel
  left.swap(queue_);
  lock.unlock();
  left.clear();
  timers_.close();
}

void Crew::member() {
  inside_crew = true;
  Lock lock(mutex_);
  work(lock);
}

void Crew::work(Lock& lock) {
  while (!finished_) {
    if (driver_ == Driver::none && !input_over_ && phase_ == Phase::serving) {
      drive(lock);
    } else if (may_take_work()) {
      run_next(lock);
      if (!output_.empty()) flush(lock);
    } else if (std::exchange(flush_wanted_, false)) {
      flush(lock);
    } else if (settings_.threads == 0) {
      wait_without_monitor(lock);
    } else {
      ++waiting_;
      changed_.wait(lock);
      --waiting_;
      if (waking_ > 0) --waking_;
    }
  }
}

void Crew::drive(Lock& lock) {
  const std::uint64_t mine = ++epoch_;
  driver_ = Driver::handling;
  turn_tick_ = ticks_;
  while (drive_once(lock, mine)) {
  }
  if (epoch_ == mine) driver_ = Driver::none;
  if (!output_.empty()) flush(lock);  // answers of a driver that was replaced
}

/// One turn: run what is queued, write what is ready, read. Returns false when this thread is no longer the driver.
bool Crew::drive_once(Lock& lock, std::uint64_t mine) {
  for (unsigned ran = 0; !handed_off_ && may_take_work() && has_spare();) {
    driver_ = Driver::outside;
    run_next(lock);
    if (epoch_ == mine && ++ran % calls_a_write == 0) flush(lock);
    if (epoch_ != mine) return false;
    driver_ = Driver::handling;
  }
  if (!output_.empty()) {
    driver_ = Driver::outside;
    flush(lock);
    if (epoch_ != mine) return false;
    driver_ = Driver::handling;
  }
  if (phase_ != Phase::serving) return false;
  if (!queue_.empty()) wake_one();
  if (output_.above_hard() && !hung_up_) {
    driver_ = Driver::paused;
    if (steps_.reading_pauses) steps_.reading_pauses();
    may_read_.wait(lock);
    driver_ = Driver::handling;
    return true;
  }
  return read_once(lock, mine);
}

bool Crew::read_once(Lock& lock, std::uint64_t mine) {
  driver_ = Driver::reading;
  lock.unlock();
  Turn turn = steps_.read();
  lock.lock();
  if (turn == Turn::other) --running_;
  if (epoch_ != mine) return false;
  if (turn == Turn::interrupted) begin_turn();  // no bytes, so `read` has not said it; what was posted may run now
  driver_ = Driver::handling;
  if (turn == Turn::ended) input_ended();
  if (phase_ == Phase::stopping) cancel_all(lock);  // what began in the turn in which the stop came
  return turn != Turn::ended;
}

void Crew::input_ended() {
  input_over_ = true;
  if (phase_ != Phase::serving) return;
  phase_ = Phase::draining;
  phase_ends_ = Timers::Clock::now() + settings_.drain;
  if (monitor_sleeps_) wake_up_.wake();
}

void Crew::turn_begins() {
  std::lock_guard lock(mutex_);
  begin_turn();
}

void Crew::other_turn_begins() {
  std::lock_guard lock(mutex_);
  ++running_;
  begin_turn();
  driver_ = Driver::outside;
}

void Crew::begin_turn() {
  driver_ = Driver::handling;
  turn_tick_ = ticks_;
  if (monitor_sleeps_) {
    monitor_sleeps_ = false;
    wake_up_.wake();
  }
}

bool Crew::may_take_work() const {
  if (queue_.empty() || (output_.above_soft() && phase_ != Phase::stopping)) return false;
  return settings_.threads == 0 || running_ < settings_.threads;
}

void Crew::run_next(Lock& lock) {
  Work work = std::move(queue_.front());
  queue_.pop_front();
  change_queued_bytes(-work.bytes);
  if (queue_.empty()) handed_off_ = false;
  if (handed_off_ && may_take_work()) wake_one();
  ++running_;
  lock.unlock();
  work.job->run();
  work.job.reset();  // what it held goes before the lock is taken
  lock.lock();
  --running_;
}

void Crew::flush(Lock& lock) {
  lock.unlock();
  output_.flush(Transport::Blocking::yes);
  lock.lock();
  if (output_.peer_gone()) begin_stop(lock);
}

void Crew::output_caught_up() {
  std::lock_guard lock(mutex_);
  if (!queue_.empty()) changed_.notify_all();
  if (driver_ == Driver::paused) may_read_.notify_all();
}

void Crew::wake_one() {
  if (finished_) return;
  if (waiting_ > waking_) {
    ++waking_;
    changed_.notify_one();
  } else if (settings_.threads > 0 && members_.size() + 1 < max_members_) {
    try {
      members_.emplace_back([this] { member(); });
    } catch (const std::system_error& error) {
      process::log(std::string("cannot start a thread: ") + error.what());
    }
  }
}

void Crew::wake_all() {
  changed_.notify_all();
  may_read_.notify_all();
}

void Crew::enqueue(std::shared_ptr<Job> job, std::size_t bytes) {
  std::lock_guard lock(mutex_);
  queue_.push_back({std::move(job), bytes});
  change_queued_bytes(bytes);
}

void Crew::post(std::function<void()> work) {
  auto posted = std::make_shared<Posted>(std::move(work));
  std::lock_guard lock(mutex_);
  if (finished_) return;
  queue_.push_back({std::move(posted), 0});
  if (driver_ != Driver::handling) wake_one();
}

void Crew::job_over() {
  std::deque<Work> swept;  // destroyed outside of the lock
  std::lock_guard lock(mutex_);
  if (++over_ * 2 <= queue_.size()) return;
  over_ = 0;
  std::deque<Work> kept;
  for (Work& work : queue_) {
    const bool over = work.job->is_over();
    if (over) change_queued_bytes(-work.bytes);
    (over ? swept : kept).push_back(std::move(work));
  }
  queue_.swap(kept);
}

void Crew::flush_from_outside() {
  if (!inside_crew) output_.flush(Transport::Blocking::no);
}

void Crew::flush_soon() {
  std::lock_guard lock(mutex_);
  flush_wanted_ = true;
  if (driver_ == Driver::paused) may_read_.notify_all();
  wake_one();
}

Timers::Handle Crew::at(Timers::Clock::time_point when, std::function<void()> what) {
  auto [handle, earliest] = timers_.add(when, std::move(what));
  if (earliest) {
    std::lock_guard lock(mutex_);
    if (monitor_sleeps_) wake_up_.wake();
  }
  return handle;
}

void Crew::stop() {
  Lock lock(mutex_);
  hurried_ = true;
  begin_stop(lock);
}

}  // namespace toolwire::runtime
