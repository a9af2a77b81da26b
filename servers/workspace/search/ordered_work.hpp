// Work in batches by several threads whose results are taken in the order in which the batches were given. Independent
// of the kind of work.
#pragma once

#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"

namespace workspace {

/// The owner submits and takes, on one thread, and works along while it would have to wait. Threads are started once
/// there is enough to do, and joined by the destructor, which drops batches that have not begun. An exception of a
/// batch is thrown to the owner when it comes to that batch.
template <class Batch>
class OrderedWork {
 public:
  using Work = std::function<void(Batch&)>;

  /// `make_worker` is called once for each thread that works. At most `ahead` batches are under way.
  OrderedWork(unsigned threads, std::size_t ahead, std::function<Work()> make_worker)
      : max_threads_(threads), ahead_(ahead), make_worker_(std::move(make_worker)), own_worker_(make_worker_()) {}
  OrderedWork(const OrderedWork&) = delete;
  OrderedWork& operator=(const OrderedWork&) = delete;
  ~OrderedWork() {
    {
      const toolwire::MutexLock lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
  }

  /// Then calls `take` with each batch that is done and next in order; it returns whether it wants more.
  template <class Take>
  bool submit(Batch batch, Take take) {
    add(std::move(batch));
    while (true) {
      while (std::unique_ptr<Slot> slot = next_done()) {
        if (!take(slot->batch)) return false;
      }
      if (slots_under_way() < ahead_) return true;
      work_or_wait();
    }
  }

  /// The same with all that is left.
  template <class Take>
  bool finish(Take take) {
    while (slots_under_way() > 0) {
      while (std::unique_ptr<Slot> slot = next_done()) {
        if (!take(slot->batch)) return false;
      }
      if (slots_under_way() > 0) work_or_wait();
    }
    return true;
  }

 private:
  struct Slot {
    Batch batch;
    bool done = false;
    std::exception_ptr error = nullptr;
  };

  static constexpr std::size_t enough_for_a_thread = 2;

  void add(Batch batch) {
    bool start = false;
    {
      const toolwire::MutexLock lock(mutex_);
      slots_.push_back(std::make_unique<Slot>(Slot{std::move(batch)}));
      waiting_.push_back(slots_.back().get());
      start = waiting_.size() > enough_for_a_thread && threads_.size() < max_threads_;
    }
    changed_.notify_one();
    if (start) threads_.emplace_back([this] { run(); });
  }

  std::size_t slots_under_way() {
    const toolwire::MutexLock lock(mutex_);
    return slots_.size();
  }

  std::unique_ptr<Slot> next_done() {
    const toolwire::MutexLock lock(mutex_);
    if (slots_.empty() || !slots_.front()->done) return nullptr;
    std::unique_ptr<Slot> slot = std::move(slots_.front());
    slots_.pop_front();
    if (slot->error) std::rethrow_exception(slot->error);
    return slot;
  }

  void work_or_wait() {
    Slot* slot = nullptr;
    {
      toolwire::MutexLock lock(mutex_);
      changed_.wait(lock, [this]() TOOLWIRE_REQUIRES(mutex_) { return !waiting_.empty() || slots_.front()->done; });
      if (slots_.front()->done) return;
      slot = waiting_.front();
      waiting_.pop_front();
    }
    carry_out(*slot, own_worker_);
  }

  void carry_out(Slot& slot, const Work& work) {
    try {
      work(slot.batch);
    } catch (...) {
      slot.error = std::current_exception();
    }
    {
      const toolwire::MutexLock lock(mutex_);
      slot.done = true;
    }
    changed_.notify_all();
  }

  void run() {
    const Work work = make_worker_();
    while (true) {
      Slot* slot = nullptr;
      {
        toolwire::MutexLock lock(mutex_);
        changed_.wait(lock, [this]() TOOLWIRE_REQUIRES(mutex_) { return ended_ || !waiting_.empty(); });
        if (ended_) return;
        slot = waiting_.front();
        waiting_.pop_front();
      }
      carry_out(*slot, work);
    }
  }

  unsigned max_threads_;
  std::size_t ahead_;
  std::function<Work()> make_worker_;
  Work own_worker_;
  toolwire::Mutex mutex_;
  toolwire::ConditionVariable changed_;
  std::deque<std::unique_ptr<Slot>> slots_ TOOLWIRE_GUARDED_BY(mutex_);  // in order
  std::deque<Slot*> waiting_ TOOLWIRE_GUARDED_BY(mutex_);                // of these, the ones not begun
  bool ended_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::vector<std::jthread> threads_;  // last, so that they end before what they use is destroyed
};

}  // namespace workspace
