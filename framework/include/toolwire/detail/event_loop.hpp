// Waits for descriptors, points in time and jobs from other threads, and handles one after the other, so that thousands
// of waiting calls hold no thread. Knows nothing of what is waited for.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include <toolwire/engine.hpp>
#include <toolwire/system/ready_set.hpp>
#include <toolwire/system/timer_event.hpp>
#include <toolwire/system/wake_event.hpp>

namespace toolwire {

/// Has no thread: the engine calls it, on whichever of its threads, once at a time. "On the loop" means: in a job or
/// handler of it. Works from the constructor to `stop` or the destructor. `post` and `stop` may be called from any
/// thread, the rest on the loop only. Jobs and handlers do not throw.
class EventLoop {
 public:
  using Clock = std::chrono::steady_clock;
  using Job = std::function<void()>;
  using Handler = std::function<void(std::uint32_t ready)>;  // bits of system::ready
  using Timer = std::pair<Clock::time_point, std::uint64_t>;

  /// Without an engine: has one of its own. Throws std::system_error if descriptors or threads have run out.
  explicit EventLoop(std::shared_ptr<Engine> engine = {});
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;
  ~EventLoop() { stop(); }

  /// Runs the job on the loop, in the order of posting. Once the loop has been stopped: false, and `job` is still the
  /// caller's.
  bool post(Job&& job) { return take(job); }
  /// The same, but once the loop has been stopped the job runs here.
  void post_or_run(Job job);

  /// Waits for what is being handled, runs what was posted before, here, and lets the engine go. Not on the loop.
  void stop();

  /// Calls the handler when one of `wanted` is there, as long as it is (level-triggered); replaces an earlier handler
  /// of the descriptor. False if the system refuses, with errno set.
  bool watch(int descriptor, std::uint32_t wanted, Handler handler);
  /// To be called before the descriptor is closed.
  void unwatch(int descriptor);
  /// The same for one whose owner closes it when it likes and says so afterwards, by `forget`, when the number may be
  /// another thread's already: the system is told nothing of it then.
  bool watch_borrowed(int descriptor, std::uint32_t wanted, Handler handler);
  void forget(int descriptor) { watched_.erase(descriptor); }

  Timer at(Clock::time_point time, Job job);
  void cancel(Timer timer) { timers_.erase(timer); }

 private:
  using Again = system::ReadySet::Again;

  struct Watched {
    std::shared_ptr<const Handler> handler;
    std::uint32_t generation;
    std::uint32_t once;  // what is wanted of a borrowed one, which is asked for anew after each event; 0: not borrowed
  };

  bool watch(int descriptor, std::uint32_t wanted, Handler handler, Again again);
  void ask_again(int descriptor, std::uint32_t generation) const;
  bool take(Job& job);
  void handle_ready();
  void handle(const system::ReadySet::Event& event);
  void run_posted();
  bool end_unless_posted();
  void run_due();
  void set_timer();

  system::ReadySet set_;
  system::WakeEvent wake_;
  system::TimerEvent timer_;
  std::optional<Clock::time_point> timer_set_for_;
  bool timer_rings_ = false;
  std::unordered_map<int, Watched> watched_;
  std::map<Timer, Job> timers_;
  std::uint64_t last_timer_ = 0;
  std::uint32_t last_generation_ = 0;
  std::mutex mutex_;
  std::vector<Job> posted_;  // guarded by mutex_, as the next
  bool ended_ = false;
  std::mutex stopping_;
  std::shared_ptr<Engine> engine_;
  Engine::Watch ready_;  // the last member: its calls use the others
};

}  // namespace toolwire
