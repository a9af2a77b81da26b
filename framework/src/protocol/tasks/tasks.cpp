#include "protocol/tasks/tasks.hpp"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <utility>

#include "json/fast.hpp"
#include "protocol/tasks/finished_task.hpp"
#include "protocol/tasks/task.hpp"
#include "protocol/tasks/task_text.hpp"
#include "toolwire/detail/asking.hpp"
#include "toolwire/detail/task_work.hpp"
#include "toolwire/detail/what_of.hpp"
#include "toolwire/system/log_line.hpp"
#include "types/random_id.hpp"

namespace toolwire::protocol {
namespace {

TaskOptions with_store(TaskOptions options) {
  if (!options.store) options.store = memory_task_store();
  return options;
}

/// What the id of a task ends with whose caller has a name. It does not show the name (a guess can be checked against
/// it), nor which other tasks are the same caller's: the random part of the id goes into it.
std::string mark_of(std::string_view random, std::string_view caller) {
  if (caller.empty()) return {};
  constexpr std::size_t size = 16;
  const std::string whose = std::string(random) + "\n" + std::string(caller);
  std::array<unsigned char, size> digest{};
  std::array<char, 2 * size + 1> text{};
  crypto_generichash(digest.data(), digest.size(), reinterpret_cast<const unsigned char*>(whose.data()), whose.size(),
                     nullptr, 0);
  return "." + std::string(sodium_bin2hex(text.data(), text.size(), digest.data(), digest.size()));
}

std::string new_id(std::string_view caller) {
  std::string id = types::random_id();
  return id += mark_of(id, caller);
}

bool is_of(std::string_view id, std::string_view caller) {
  const std::string_view random = id.substr(0, id.find('.'));
  return id.substr(random.size()) == mark_of(random, caller);
}

TaskState interrupted(const TaskState& before, TaskTime now) {
  TaskState state = before;
  state.status = TaskStatus::failed;
  state.message =
      "Interrupted: the server process that ran this task ended before the task did; how far it came is not known.";
  state.payload = interruption_text(state.message);
  state.updated = now;
  return state;
}

ProtocolError unusable_store() {
  return ProtocolError(error_code::internal_error, "Internal error: the server's task store cannot be used",
                       JsonObject{{"code", "task_store"}, {"retryable", true}});
}

}  // namespace

/// Of a process that neither can be seen from here nor is known to the store this is certain once the time is up for
/// which the task was promised.
bool is_abandoned(const TaskRecord& task, TaskTime now) {
  std::optional<bool> alive = task.owner.is_alive();
  if (!alive) alive = task.owner_runs;
  return alive ? !*alive : task.state.ttl && now - task.created >= *task.state.ttl;
}

TaskTime time_now() { return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()); }

std::chrono::milliseconds left_for_questions(std::chrono::milliseconds ttl, TaskTime created, TaskTime now,
                                             std::chrono::milliseconds least) {
  const auto passed = std::max(now - created, std::chrono::milliseconds::zero());
  return std::max(ttl - passed, least);
}

Tasks::Tasks(const TaskOptions& options) : shared_(std::make_shared<const Shared>(with_store(options))) {}

/// Looked up when the first task asks for it: a server should not read files about itself before its first message.
const TaskOwner& Tasks::Shared::self() const {
  std::call_once(self_known, [this] { self_looked_up = TaskOwner::here(); });
  return self_looked_up;
}

bool Tasks::Shared::is_outdated(const TaskRecord& task, TaskTime now) const {
  return !is_over(task.state.status) && task.owner != self() && is_abandoned(task, now);
}

TaskRecord Tasks::make(std::string tool, std::optional<std::chrono::milliseconds> ttl, std::string_view caller) const {
  const TaskTime now = time_now();
  TaskRecord record{
      .id = new_id(caller), .tool = std::move(tool), .owner = shared_->self(), .created = now, .state = {}};
  record.state.updated = now;
  record.state.ttl = std::min(ttl.value_or(options().ttl), options().max_ttl);
  return record;
}

void Tasks::forget(const std::string& id) {
  const MutexLock lock(mutex_);
  running_.erase(id);
}

std::shared_ptr<Task> Tasks::running(std::string_view id) const {
  const MutexLock lock(mutex_);
  auto found = running_.find(id);
  return found != running_.end() ? found->second.lock() : nullptr;
}

void Tasks::wake(std::string_view id) const {
  if (const auto task = running(id)) task->look_now();
}

/// Looks up one task. If its process is gone, and no work on it goes on elsewhere, the first process that notices
/// records that it was interrupted. Its steps are short, so they continue on whichever thread the store answers.
class Tasks::Search : public std::enable_shared_from_this<Search> {
 public:
  Search(std::shared_ptr<const Shared> tasks, Done<std::optional<TaskRecord>> done)
      : tasks_(std::move(tasks)), done_(std::move(done)) {}

  static std::shared_ptr<Search> begin(std::shared_ptr<const Shared> tasks, Done<std::optional<TaskRecord>> done) {
    return std::allocate_shared<Search>(json::Recycled<Search>(), std::move(tasks), std::move(done));
  }

  void find(std::string_view id) { tasks_->store().find(id, time_now(), to<&Search::found>()); }

  /// With a record that was found already.
  void judge(TaskRecord task) {
    task_ = std::move(task);
    if (!tasks_->is_outdated(*task_, time_now())) return done_(std::move(task_));
    detail::TaskWork* const work = detail::task_work_of(tasks_->store());
    if (work == nullptr) return interrupt();
    work->look(task_->id, Done<detail::TaskWork::Found>::to<&Search::looked>(shared_from_this()));
  }

 private:
  using Found = Done<std::optional<TaskRecord>>::Result;

  template <void (Search::*step)(Found&&)>
  Done<std::optional<TaskRecord>> to() {
    return Done<std::optional<TaskRecord>>::to<step>(shared_from_this());
  }

  void found(Found&& found) {
    auto* task = std::get_if<0>(&found);
    task != nullptr&&* task ? judge(std::move(**task)) : finish(std::move(found));
  }

  /// What cannot be looked at may still be going on.
  void looked(Done<detail::TaskWork::Found>::Result&& looked) {
    const auto* const work = std::get_if<detail::TaskWork::Found>(&looked);
    if (work != nullptr && work->stage == detail::TaskWork::Stage::none) return interrupt();
    done_(std::move(task_));
  }

  void interrupt() {
    state_ = interrupted(task_->state, time_now());
    tasks_->store().change(task_->id, state_, Done<bool>::to<&Search::changed>(shared_from_this()));
  }

  void changed(Done<bool>::Result&& changed) {
    if (auto* why = std::get_if<std::exception_ptr>(&changed)) return done_.fail(std::move(*why));
    if (!std::get<bool>(changed)) return tasks_->store().find(task_->id, time_now(), to<&Search::finish>());
    task_->state = std::move(state_);
    done_(std::move(task_));
  }

  void finish(Found&& found) {
    if (auto* why = std::get_if<std::exception_ptr>(&found)) return done_.fail(std::move(*why));
    auto& task = std::get<0>(found);
    done_(task ? std::move(task) : std::move(task_));
  }

  const std::shared_ptr<const Shared> tasks_;
  Done<std::optional<TaskRecord>> done_;
  std::optional<TaskRecord> task_;
  TaskState state_;  // the state it is changed to
};

void Tasks::find(std::string_view id, std::string_view caller, Done<std::optional<TaskRecord>> done) {
  if (!is_of(id, caller)) return done(std::nullopt);
  if (auto task = running(id); task && task->is_unsaved()) {
    return task->when_certain([done = std::make_shared<Done<std::optional<TaskRecord>>>(std::move(done))](
                                  const TaskRecord& now) { (*done)(now); });
  }
  Search::begin(shared_, std::move(done))->find(id);
}

/// The same for a page of them: of everybody's, or of one caller's, which may be spread over several of the store.
class Tasks::Listing : public std::enable_shared_from_this<Listing>,
                       public detail::Asking<Listing, std::vector<TaskRecord>, std::optional<TaskRecord>> {
 public:
  using Caller = std::optional<std::string>;  // nothing: everybody
  Listing(std::shared_ptr<const Shared> tasks, std::uint64_t after, std::size_t count, Caller caller,
          Done<std::vector<TaskRecord>> done)
      : tasks_(std::move(tasks)), after_(after), count_(count), caller_(std::move(caller)), done_(std::move(done)) {}

  void answered_later() { go_on(); }

  void go_on() {
    while (!is_complete()) {
      if (!page_ && !next_page()) return;
      if (!judge_page()) return;
      is_last_ = page_->size() < count_;
      if (!page_->empty()) after_ = page_->back().serial;
      page_.reset();
    }
    done_(std::move(found_));
  }

 private:
  bool is_complete() const { return is_last_ || found_.size() >= count_; }

  // Each returns false if that takes longer, or cannot be done.

  bool next_page() {
    auto page = asked<std::vector<TaskRecord>>(
        [this](auto done) { tasks_->store().list(after_, count_, time_now(), std::move(done)); });
    if (!page) return false;
    if (auto* why = std::get_if<std::exception_ptr>(&*page)) return done_.fail(std::move(*why)), false;
    page_ = std::get<0>(std::move(*page));
    looked_at_ = 0;
    return true;
  }

  bool judge_page() {
    for (; looked_at_ < page_->size() && found_.size() < count_; ++looked_at_) {
      const TaskRecord& record = (*page_)[looked_at_];
      if (caller_ && !is_of(record.id, *caller_)) continue;
      auto now =
          asked<std::optional<TaskRecord>>([&](auto done) { Search::begin(tasks_, std::move(done))->judge(record); });
      if (!now) return false;
      if (auto* why = std::get_if<std::exception_ptr>(&*now)) return done_.fail(std::move(*why)), false;
      found_.push_back(*std::get<0>(std::move(*now)));
    }
    return true;
  }

  const std::shared_ptr<const Shared> tasks_;
  std::uint64_t after_;
  const std::size_t count_;
  const Caller caller_;
  Done<std::vector<TaskRecord>> done_;
  std::vector<TaskRecord> found_;
  std::optional<std::vector<TaskRecord>> page_;  // of the store
  std::size_t looked_at_ = 0;                    // of it
  bool is_last_ = false;
};

void Tasks::list(std::uint64_t after, std::size_t count, std::string_view caller, Done<std::vector<TaskRecord>> done) {
  std::make_shared<Listing>(shared_, after, count, std::string(caller), std::move(done))->go_on();
}

/// Adds a task. A full store may be full of tasks whose processes have ended, so it is tried again after all of its
/// tasks have been looked up.
class Tasks::Addition : public std::enable_shared_from_this<Addition>,
                        public detail::Asking<Addition, bool, std::vector<TaskRecord>> {
 public:
  Addition(std::shared_ptr<const Shared> tasks, TaskRecord task, Done<bool> done)
      : tasks_(std::move(tasks)), task_(std::move(task)), done_(std::move(done)) {}

  void answered_later() { go_on(); }

  void go_on() {
    for (; tries_ < 2; ++tries_) {
      if (tries_ == 1 && !look_at_all()) return;
      const auto kept = asked<bool>(
          [this](auto done) { tasks_->store().insert(task_, tasks_->options.bound, time_now(), std::move(done)); });
      if (!kept) return;
      if (const auto* why = std::get_if<std::exception_ptr>(&*kept)) return done_.fail(*why);
      if (std::get<bool>(*kept)) return done_(true);
    }
    done_(false);
  }

 private:
  /// False if an answer is awaited, or it failed.
  bool look_at_all() {
    if (looked_at_all_) return true;
    const auto all = asked<std::vector<TaskRecord>>([this](auto done) {
      std::make_shared<Listing>(tasks_, 0, tasks_->options.bound, std::nullopt, std::move(done))->go_on();
    });
    if (!all) return false;
    if (const auto* why = std::get_if<std::exception_ptr>(&*all)) return done_.fail(*why), false;
    return looked_at_all_ = true;
  }

  const std::shared_ptr<const Shared> tasks_;
  const TaskRecord task_;
  Done<bool> done_;
  int tries_ = 0;
  bool looked_at_all_ = false;
};

void Tasks::add(const std::shared_ptr<Task>& task, Done<bool> done) {
  {
    const MutexLock lock(mutex_);
    running_.emplace(task->id(), task);
  }
  std::make_shared<Addition>(shared_, task->record(), std::move(done))->go_on();
}

void Tasks::cancel(const TaskRecord& task, Done<bool> done) {
  TaskState state = task.state;
  state.status = TaskStatus::cancelled;
  state.message = "The task was cancelled by request.";
  state.payload.clear();
  state.updated = time_now();
  // Its work is stopped once that is stored: what the work says of its end would be taken for the task's otherwise.
  store().change(
      task.id, state,
      Done<bool>([shared = shared_, id = task.id, done = std::move(done)](Done<bool>::Result&& stored) mutable {
        if (auto* why = std::get_if<std::exception_ptr>(&stored)) return done.fail(std::move(*why));
        if (detail::TaskWork* const work = detail::task_work_of(shared->store())) work->stop(id);
        done(std::get<bool>(stored));
      }));
}

void refuse_for_store(const std::exception_ptr& why) {
  log_rarely(LogLevel::error, "the task store failed: " + detail::what_of(why));
  throw unusable_store();
}

ProtocolError store_is_late() {
  log_rarely(LogLevel::error, "the task store failed: it has not answered in time");
  return unusable_store();
}

}  // namespace toolwire::protocol
