#include "system/engine_timers.hpp"

#include <cstddef>
#include <map>
#include <utility>

#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {
namespace {

thread_local const void* runs = nullptr;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): of a thread

}  // namespace

/// What is to be done, and how much of it is being done.
struct EngineTimers::Due {
  struct Entry {
    std::function<void()> what;
    Engine::Timer timer;
  };
  using Entries = std::map<Handle, Entry>;

  void run(const Handle& handle);

  Mutex mutex;
  ConditionVariable ended;
  Entries entries TOOLWIRE_GUARDED_BY(mutex);
  std::uint64_t serial TOOLWIRE_GUARDED_BY(mutex) = 0;
  std::size_t running TOOLWIRE_GUARDED_BY(mutex) = 0;
  bool is_over TOOLWIRE_GUARDED_BY(mutex) = false;
};

void EngineTimers::Due::run(const Handle& handle) {
  Entries::node_type entry;
  {
    const MutexLock lock(mutex);
    entry = entries.extract(handle);
    if (entry.empty()) return;
    ++running;
  }
  const void* const outer = std::exchange(runs, this);
  entry.mapped().what();
  entry = {};
  runs = outer;
  const MutexLock lock(mutex);
  --running;
  ended.notify_all();
}

EngineTimers::EngineTimers(std::shared_ptr<Engine> engine)
    : due_(std::make_shared<Due>()), engine_(std::move(engine)) {}

EngineTimers::~EngineTimers() { stop(); }

void EngineTimers::stop() {
  Due::Entries dropped;
  {
    const MutexLock lock(due_->mutex);
    due_->is_over = true;
    dropped.swap(due_->entries);
  }
  for (const auto& [handle, entry] : dropped) engine_->cancel(entry.timer);
  dropped.clear();  // may answer waiting calls, so not under the lock
  const std::size_t own = runs == due_.get() ? 1 : 0;
  MutexLock lock(due_->mutex);
  due_->ended.wait(lock, [&]() TOOLWIRE_REQUIRES(due_->mutex) { return due_->running == own; });
}

Timers::Handle EngineTimers::at(Clock::time_point when, std::function<void()> what) {
  const MutexLock lock(due_->mutex);
  const Handle handle{when, ++due_->serial};
  if (due_->is_over) return handle;
  Due::Entry entry{std::move(what), engine_->at(when, [due = due_, handle] { due->run(handle); })};
  due_->entries.emplace(handle, std::move(entry));
  return handle;
}

void EngineTimers::cancel(const Handle& handle) {
  Due::Entries::node_type forgotten;  // destroyed outside of the lock
  {
    const MutexLock lock(due_->mutex);
    forgotten = due_->entries.extract(handle);
  }
  if (!forgotten.empty()) engine_->cancel(forgotten.mapped().timer);
}

}  // namespace toolwire::bridge
