// Tools for tests that look for races: they take random times, answer later from other threads, forget to answer,
// throw, produce much output, report progress, and wait until they are cancelled. A witness records which thread runs
// what.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "toolwire/error.hpp"
#include "toolwire/server.hpp"

namespace toolwire_test {

/// Thread-safe. Observes the functions of tools.
class Witness {
 public:
  class Visit {
   public:
    explicit Visit(Witness& witness) : witness_(witness) { witness_.enter(); }
    ~Visit() { --witness_.inside_; }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

   private:
    Witness& witness_;
  };

  /// A tool was told to stop before it answered: its call is over, and what it returns must not be sent.
  void saw_stop(std::uint64_t id) {
    const std::lock_guard lock(mutex_);
    stopped_.insert(id);
  }
  bool was_stopped(std::uint64_t id) const {
    const std::lock_guard lock(mutex_);
    return stopped_.contains(id);
  }
  unsigned inside() const { return inside_; }
  unsigned peak_concurrency() const { return peak_; }
  std::size_t threads() const {
    const std::lock_guard lock(mutex_);
    return threads_.size();
  }

 private:
  void enter() {
    const unsigned now = ++inside_;
    const std::lock_guard lock(mutex_);
    peak_ = std::max(peak_, now);
    threads_.insert(std::this_thread::get_id());
  }

  std::atomic<unsigned> inside_{0};
  mutable std::mutex mutex_;
  unsigned peak_ = 0;
  std::set<std::thread::id> threads_;
  std::set<std::uint64_t> stopped_;
};

/// Threads that belong to no engine. The destructor returns when they have done all their work.
class Outsiders {
 public:
  Outsiders() : threads_{std::thread([this] { work(); }), std::thread([this] { work(); })} {}
  ~Outsiders() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  void run(std::function<void()> what) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(what));
    changed_.notify_one();
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return over_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      std::function<void()> what = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      what();
      what = nullptr;
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool over_ = false;
  std::thread threads_[2];
};

/// The arguments of these tools: `id` is that of the request, `micros` how long it takes.
struct Strain {
  std::uint64_t id = 0;
  std::uint64_t micros = 0;
  std::uint64_t bytes = 0;
  static constexpr auto describe() {
    return toolwire::fields(toolwire::field<&Strain::id>("Of the request"),
                            toolwire::field<&Strain::micros>("How long"), toolwire::field<&Strain::bytes>("How much"));
  }
};

/// Takes time: this is the load. Nothing waits for it.
inline void pass(std::uint64_t micros) {
  if (micros > 0) std::this_thread::sleep_for(std::chrono::microseconds(micros));
}

inline std::string strain_text(const Strain& strain) {
  return std::to_string(strain.id) + ":" + std::string(strain.bytes, 'x');
}

inline void add_tools_that_answer_themselves(toolwire::Server& server, Witness& witness) {
  using toolwire::Context;
  server.tool("work", "Takes its time, then answers", [&](const Strain& strain, Context& context) {
    const Witness::Visit visit(witness);
    pass(strain.micros);
    if (context.stop_token().stop_requested()) witness.saw_stop(strain.id);
    return strain_text(strain);
  });
  server.tool("hold", "Ends when it is told to stop, not before", [&](const Strain& strain, Context& context) {
    const Witness::Visit visit(witness);
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any never;
    never.wait(lock, context.stop_token(), [] { return false; });
    witness.saw_stop(strain.id);
    return strain_text(strain);
  });
  server.tool("failing", "Throws", [&](const Strain& strain) -> std::string {
    const Witness::Visit visit(witness);
    pass(strain.micros);
    throw toolwire::ToolError("as it should");
  });
  server.tool("report", "Reports progress all the time", [&](const Strain& strain, Context& context) {
    const Witness::Visit visit(witness);
    for (int step = 1; step <= 5; ++step) {
      context.progress(step, 5, std::string(strain.bytes, 'p'));
      pass(strain.micros / 5);
    }
    if (context.stop_token().stop_requested()) witness.saw_stop(strain.id);
    return strain_text(strain);
  });
}

inline void add_tools_answered_by_outsiders(toolwire::Server& server, Witness& witness, Outsiders& outsiders) {
  using toolwire::Context;
  using toolwire::Reply;
  server.tool("later", "Is answered by another thread", [&](const Strain& strain, Context& context, Reply reply) {
    const Witness::Visit visit(witness);
    auto shared = std::make_shared<Reply>(std::move(reply));
    outsiders.run([&witness, strain, shared, stop = context.stop_token()] {
      pass(strain.micros);
      if (stop.stop_requested()) witness.saw_stop(strain.id);
      (*shared)(strain_text(strain));
    });
  });
  server.tool("dropped", "Is given up by another thread", [&](const Strain& strain, Context&, Reply reply) {
    const Witness::Visit visit(witness);
    auto shared = std::make_shared<Reply>(std::move(reply));
    outsiders.run([strain, shared] { pass(strain.micros); });
  });
}

/// Adds the tools `work`, `hold`, `failing`, `report`, `later` and `dropped`. Witness and outsiders outlive the
/// server's calls.
inline void add_stress_tools(toolwire::Server& server, Witness& witness, Outsiders& outsiders) {
  add_tools_that_answer_themselves(server, witness);
  add_tools_answered_by_outsiders(server, witness, outsiders);
}

}  // namespace toolwire_test
