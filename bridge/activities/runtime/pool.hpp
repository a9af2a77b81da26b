// Processes that run tools of another language: started when calls need them, checked while they are idle, killed when
// a tool cannot be stopped, and started again. Independent of how their tools are offered.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <toolwire/engine.hpp>

#include "activities/runtime/listing.hpp"
#include "activities/runtime/options.hpp"
#include "activities/runtime/wire.hpp"

namespace toolwire::bridge::runtimes {

/// How a call ended: with trouble, or with a result as the wire has it (`{output, metadata, diagnostics,
/// structured?}`).
struct RuntimeAnswer {
  std::optional<RuntimeTrouble> trouble = {};
  Json result = {};
};

/// Called on a thread of the engine, one at a time (once the pool is closed, on the caller's): short, without throwing.
using OnAnswer = std::function<void(RuntimeAnswer&&)>;
using OnAnswers = std::function<void(std::vector<RuntimeAnswer>&&)>;
using OnProgress = std::function<void(double done, std::optional<double> total, std::string_view message)>;

/// What has happened to a pool so far.
struct PoolState {
  bool has_listed = false;     // its tools are known
  std::size_t running = 0;     // processes that can be called
  std::size_t calls = 0;       // that wait or run
  std::uint64_t starts = 0;    // attempts
  std::uint64_t failures = 0;  // starts that failed, and processes that died or had to be killed
  std::string trouble = {};    // the last of them
  std::string rejected = {};   // why the edited tools do not serve, but those before the edit; empty: they serve
};

/// Thread-safe. Its processes and calls hold no thread. Whoever owns it closes it, outside of callbacks; destruction
/// closes it too, and then must not be in one.
class RuntimePool {
 public:
  using Clock = std::chrono::steady_clock;

  /// Starts nothing yet. Works on the threads of the engine; without one, has one of its own. Throws
  /// std::invalid_argument for options that cannot be, and as EventLoop.
  explicit RuntimePool(RuntimeOptions options, std::shared_ptr<Engine> engine = {});
  RuntimePool(const RuntimePool&) = delete;
  RuntimePool& operator=(const RuntimePool&) = delete;
  ~RuntimePool();

  const RuntimeOptions& options() const;

  /// Called on a thread of the engine when its tools are known or have changed. Before the first use.
  void on_tools(std::function<void(const RuntimeListing&)> function);
  /// Has one process started, if none runs.
  void start();
  /// Starts, and waits until the tools are known, a start has failed, or `time` has passed. Nothing if they are not.
  std::optional<RuntimeListing> wait_for_tools(std::chrono::milliseconds time);

  /// Calls a tool; answers once. What is cancelled or late is answered at once; its tool is told, and if it does not
  /// end, its process is killed.
  void call(ToolCall call, std::optional<Clock::time_point> deadline, std::stop_token stop, OnAnswer answer,
            OnProgress progress = {});
  /// The same for several calls in one message, in one process. They make no progress.
  void batch(std::vector<ToolCall> calls, std::optional<Clock::time_point> deadline, std::stop_token stop,
             OnAnswers answer);

  PoolState state() const;

  /// Takes no more calls; the processes end when those under way have been answered. Does not wait.
  void retire();
  /// Answers all calls with "cancelled", ends the processes, kills what does not end, and waits for that.
  void close();

 private:
  class Loop;
  const std::unique_ptr<Loop> loop_;
};

}  // namespace toolwire::bridge::runtimes
