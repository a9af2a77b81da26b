// A running crew for a test: its input is a list of turns, its output a transport that the test controls.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "gates.hpp"
#include "runtime/crew.hpp"
#include "script_transport.hpp"

namespace toolwire_test {

/// A function as a job; `over` says whether it need not run any more.
class FunctionJob final : public toolwire::runtime::Job {
 public:
  explicit FunctionJob(std::function<void()> work, std::function<bool()> over = {})
      : work_(std::move(work)), over_(std::move(over)) {}
  void run() override { work_(); }
  bool is_over() const override { return over_ && over_(); }

 private:
  std::function<void()> work_;
  std::function<bool()> over_;
};

/// Thread-safe; `crew.run()` on the thread of the test.
class CrewBench {
 public:
  using Turn = toolwire::runtime::Crew::Turn;

  explicit CrewBench(unsigned threads, std::chrono::milliseconds drain = std::chrono::minutes(10),
                     std::chrono::milliseconds grace = std::chrono::minutes(10))
      : output(
            transport, limits(), [this] { crew.flush_soon(); }, [this] { crew.output_caught_up(); }),
        crew(output, steps(), {.threads = threads, .drain = drain, .grace = grace}) {}
  /// Writes to another transport; `transport` is left alone.
  CrewBench(unsigned threads, toolwire::Transport& other, std::chrono::milliseconds drain = std::chrono::minutes(10),
            std::chrono::milliseconds grace = std::chrono::minutes(10))
      : output(
            other, limits(), [this] { crew.flush_soon(); }, [this] { crew.output_caught_up(); }),
        crew(output, steps(), {.threads = threads, .drain = drain, .grace = grace}) {}

  /// Adds a turn; `end` adds the end of input.
  void turn(std::function<void()> what) {
    add([what = std::move(what)] { return what(), Turn::more; });
  }
  void end() {
    add([] { return Turn::ended; });
  }
  void enqueue(std::function<void()> work) { crew.enqueue(std::make_shared<FunctionJob>(std::move(work)), 0); }

  std::vector<std::string> lines() {
    transport.server_has_left();
    std::vector<std::string> all;
    while (auto line = transport.next()) all.push_back(*line);
    return all;
  }

  ScriptTransport transport;
  toolwire::runtime::Output output;
  Gates gates;
  std::atomic<bool> cancelled{false};
  std::atomic<bool> abandoned{false};
  std::atomic<bool> hung_up{false};                          // the client has closed its end; turns may be left
  std::function<bool()> all_answered = [] { return true; };  // set before the crew runs
  toolwire::runtime::Crew crew;

 private:
  static toolwire::Limits limits() {
    toolwire::Limits limits;
    limits.line = 1;
    limits.output_soft = 1000;
    limits.output_hard = 2000;
    return limits;
  }

  void add(std::function<Turn()> what) {
    std::lock_guard lock(mutex_);
    turns_.push_back(std::move(what));
    changed_.notify_all();
  }

  Turn read() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return interrupted_ || !turns_.empty(); });
    if (interrupted_) return Turn::interrupted;
    std::function<Turn()> what = std::move(turns_.front());
    turns_.pop_front();
    lock.unlock();
    crew.turn_begins();
    return what();
  }

  toolwire::runtime::Crew::Steps steps() {
    return {.read = [this] { return read(); },
            .all_answered = [this] { return all_answered(); },
            .cancel_all =
                [this] {
                  cancelled = true;
                  gates.open("cancelled");
                },
            .interrupt_read =
                [this] {
                  std::lock_guard lock(mutex_);
                  interrupted_ = true;
                  changed_.notify_all();
                },
            .input_closed = [this] { return hung_up.load(); },
            .abandon =
                [this] {
                  abandoned = true;
                  gates.open("abandoned");
                }};
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<Turn()>> turns_;
  bool interrupted_ = false;
};

}  // namespace toolwire_test
