// One thread that waits for descriptors, points in time and jobs from other threads, so that thousands of waiting calls
// hold none. Knows nothing of what is waited for.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include <toolwire/system/file_descriptor.hpp>

namespace toolwire::bridge {

/// The thread begins with the constructor and ends with `stop` or the destructor. `post` and `stop` may be called from
/// any thread, the rest on the loop's own. Jobs and handlers are short and do not throw.
class EventLoop {
 public:
  using Clock = std::chrono::steady_clock;
  using Job = std::function<void()>;
  using Handler = std::function<void(std::uint32_t events)>;  // EPOLLIN, EPOLLOUT, EPOLLERR, EPOLLHUP
  using Timer = std::pair<Clock::time_point, std::uint64_t>;

  /// Throws std::system_error if descriptors or threads have run out.
  EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;
  ~EventLoop() { stop(); }

  /// Runs the job on the loop's thread, in the order of posting. Once the thread has ended: false, and `job` is still
  /// the caller's.
  bool post(Job&& job) { return take(job); }
  /// The same, but once the thread has ended the job runs here.
  void post_or_run(Job job);

  /// Runs what was posted before, and ends the thread. Not on the loop's own thread.
  void stop();

  /// Calls the handler when one of `events` is there, as long as it is (level-triggered); replaces an earlier handler
  /// of the descriptor. False if the system refuses, with errno set.
  bool watch(int descriptor, std::uint32_t events, Handler handler);
  /// To be called before the descriptor is closed.
  void unwatch(int descriptor);

  Timer at(Clock::time_point time, Job job);
  void cancel(Timer timer) { timers_.erase(timer); }

 private:
  struct Watched {
    std::shared_ptr<const Handler> handler;
    std::uint32_t generation;
  };

  bool take(Job& job);
  void run();
  int time_to_wait();
  void handle(std::uint64_t tag, std::uint32_t events);
  void run_posted();
  bool end_unless_posted();
  void run_due();

  system::FileDescriptor epoll_;
  system::FileDescriptor wake_;
  std::unordered_map<int, Watched> watched_;
  std::map<Timer, Job> timers_;
  std::uint64_t last_timer_ = 0;
  std::uint32_t last_generation_ = 0;
  std::mutex mutex_;
  std::vector<Job> posted_;  // guarded by mutex_, as the next
  bool ended_ = false;
  std::atomic<bool> stopping_ = false;
  std::mutex joining_;
  std::thread thread_;  // the last member: it uses the others
};

}  // namespace toolwire::bridge
