// A running engine with one source for a test: its input is a list of turns, its output a transport that the test
// controls.
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

#include "engine/engine.hpp"
#include "gates.hpp"
#include "script_transport.hpp"

namespace toolwire_test {

/// A function as a job; `over` says whether it need not run any more.
class FunctionJob final : public toolwire::engine::Job {
 public:
  explicit FunctionJob(std::function<void()> work, std::function<bool()> over = {})
      : work_(std::move(work)), over_(std::move(over)) {}
  void run() override { work_(); }
  bool is_over() const override { return over_ && over_(); }

 private:
  std::function<void()> work_;
  std::function<bool()> over_;
};

/// Thread-safe; `engine->run()` on the thread of the test.
class EngineBench : public toolwire::engine::Source {
 public:
  explicit EngineBench(unsigned threads, std::chrono::milliseconds drain = std::chrono::minutes(10),
                       std::chrono::milliseconds grace = std::chrono::minutes(10))
      : EngineBench(threads, nullptr, drain, grace) {}
  /// Writes to another transport; `transport` is left alone.
  EngineBench(unsigned threads, toolwire::Transport& other, std::chrono::milliseconds drain = std::chrono::minutes(10),
              std::chrono::milliseconds grace = std::chrono::minutes(10))
      : EngineBench(threads, &other, drain, grace) {}

  /// Adds a turn; `end` adds the end of input.
  void turn(std::function<void()> what) {
    add([what = std::move(what)] { return what(), Outcome::more; });
  }
  void end() {
    add([] { return Outcome::ended; });
  }
  /// Adds a large message; `what` is done when it is parsed.
  void large(std::function<void()> what) {
    add([this, what = std::move(what)] {
      large_ = what;
      return Outcome::large;
    });
  }
  void enqueue(std::function<void()> work) { channel->enqueue(std::make_shared<FunctionJob>(std::move(work)), 0); }

  std::vector<std::string> lines() {
    transport.server_has_left();
    std::vector<std::string> all;
    while (auto line = transport.next()) all.push_back(*line);
    return all;
  }

  ScriptTransport transport;
  toolwire::engine::SendQueue output;
  Gates gates;
  std::atomic<bool> cancelled{false};
  std::atomic<bool> abandoned{false};
  std::atomic<bool> hung_up{false};                      // the client has closed its end; turns may be left
  std::function<bool()> answered = [] { return true; };  // set before the engine runs
  const std::shared_ptr<toolwire::engine::Engine> engine;
  const std::shared_ptr<toolwire::engine::Channel> channel;

 private:
  EngineBench(unsigned threads, toolwire::Transport* other, std::chrono::milliseconds drain,
              std::chrono::milliseconds grace)
      : output(
            other == nullptr ? transport : *other, limits(), [this] { channel->output_stalled(); },
            [this] { channel->output_caught_up(); }),
        engine(toolwire::engine::Engine::make({.threads = threads,
                                               .drain = drain,
                                               .grace = grace,
                                               .on_stuck =
                                                   [this] {
                                                     abandoned = true;
                                                     gates.open("abandoned");
                                                   }})),
        channel(std::make_shared<toolwire::engine::Channel>(engine, *this, output)) {
    engine->attach(channel);
  }

  static toolwire::Limits limits() {
    toolwire::Limits limits;
    limits.line = 1;
    limits.output_soft = 1000;
    limits.output_hard = 2000;
    return limits;
  }

  void add(std::function<Outcome()> what) {
    std::lock_guard lock(mutex_);
    turns_.push_back(std::move(what));
    changed_.notify_all();
  }

  Outcome wait_and_read() override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return interrupted_ || !turns_.empty(); });
    if (interrupted_) return Outcome::nothing;
    std::function<Outcome()> what = std::move(turns_.front());
    turns_.pop_front();
    lock.unlock();
    channel->turn_begins();
    return what();
  }
  Outcome read_at_once() override { return Outcome::nothing; }
  Outcome go_on() override { return std::exchange(large_, nullptr)(), Outcome::more; }
  int input_descriptor() const override { return -1; }
  int output_descriptor() const override { return -1; }
  void interrupt() override {
    std::lock_guard lock(mutex_);
    interrupted_ = true;
    changed_.notify_all();
  }
  bool input_closed() override { return hung_up; }
  bool all_answered() override { return answered(); }
  void cancel_all() override {
    cancelled = true;
    gates.open("cancelled");
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<Outcome()>> turns_;
  std::function<void()> large_;
  bool interrupted_ = false;
};

}  // namespace toolwire_test
