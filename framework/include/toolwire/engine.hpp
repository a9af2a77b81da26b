// One set of threads for all that a program waits for: servers, descriptors, points in time, and work of its own. A
// program that has several of these needs no thread for each.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

namespace toolwire {

namespace engine {
class Engine;
}
namespace server {
class Serving;
}

struct EngineOptions {
  unsigned threads = 8;  // jobs that can run at once, of servers too; at least 1
};

/// Thread-safe. Its threads work from the constructor to the destructor, with all signals blocked; idle, it does not
/// wake up. What it calls must not throw. It may take its time, for others go on meanwhile, on other threads; what is
/// always quick needs no second thread.
///
/// A server whose options name it (ServerOptions::engine) is served by the same threads.
class Engine {
 public:
  using Clock = std::chrono::steady_clock;
  using Job = std::function<void()>;
  using Timer = std::pair<Clock::time_point, std::uint64_t>;

  /// What a descriptor is ready for; one of them or both. Errors and hang-ups are told as what is waited for.
  static constexpr unsigned readable = 1;
  static constexpr unsigned writable = 2;
  using Ready = std::function<void(unsigned ready_for)>;

  /// That a descriptor is waited for; ends with this object. May outlive the engine.
  class [[nodiscard]] Watch {
   public:
    Watch() = default;
    Watch(Watch&& other) noexcept;
    Watch& operator=(Watch&& other) noexcept;
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    ~Watch() { end(); }

    /// Ends it: a call that is going on is waited for, unless this is called in it, and there is no further one. To be
    /// done before the descriptor is closed.
    void end();

   private:
    friend class Engine;
    Watch(std::shared_ptr<engine::Engine> engine, std::uint64_t id) : engine_{std::move(engine)}, id_{id} {}

    std::shared_ptr<engine::Engine> engine_ = {};
    std::uint64_t id_ = 0;
  };

  /// Throws std::invalid_argument for 0 threads, std::system_error if descriptors or threads have run out.
  explicit Engine(EngineOptions options = {});
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  /// Waits for what runs, and drops what waits; on one of its own threads it does not wait.
  ~Engine();

  /// Calls `ready` when the descriptor is ready for one of `what`, again and again as long as it is, one call at a
  /// time. Throws std::invalid_argument if the descriptor cannot be waited for (as a file), or is watched already.
  Watch watch(int descriptor, unsigned what, Ready ready);

  /// Runs a job, soon.
  void post(Job job);
  /// Runs a job at `when`, or soon if that is over.
  Timer at(Clock::time_point when, Job job);
  Timer after(Clock::duration time, Job job);
  /// Forgets the job, unless it is due: then it may run yet.
  void cancel(const Timer& timer);

 private:
  friend class server::Serving;
  const std::shared_ptr<engine::Engine> engine_;
};

}  // namespace toolwire
