// A piece of work for an engine. Independent of what it does.
#pragma once

namespace toolwire::engine {

/// Queued on one thread, run once on another.
class Job {
 public:
  Job() = default;
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  virtual ~Job() = default;

  virtual void run() = 0;
  /// Whether it need not be run any more: then it may leave the queue.
  virtual bool is_over() const { return false; }
};

}  // namespace toolwire::engine
