#include "commands/shared_bridge.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <toolwire/system/log_line.hpp>

#include "attach/own_folder.hpp"
#include "commands/daemon_place.hpp"
#include "system/engine_timers.hpp"
#include "system/handed_socket.hpp"
#include "system/sandbox.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {
namespace {

/// Who is attached; calls `end` when nobody was for a while. Thread-safe.
class Attendance {
 public:
  /// `left` is called when the last connection of a process has ended; neither may wait.
  Attendance(const Listening& listening, std::shared_ptr<Engine> engine, std::function<void()> end,
             std::function<void(int)> left)
      : idle_(listening.idle), end_(std::move(end)), left_(std::move(left)), timers_(std::move(engine)) {}
  Attendance(const Attendance&) = delete;
  Attendance& operator=(const Attendance&) = delete;
  ~Attendance() { timers_.stop(); }

  /// From now on nobody being there counts.
  void begin() {
    const MutexLock lock(mutex_);
    has_begun_ = true;
    if (peers_.empty()) end_later();
  }

  void note(const Peer& peer, bool is_there) {
    if (count(peer.process, is_there)) left_(peer.process);
  }

  std::vector<int> peers() {
    const MutexLock lock(mutex_);
    return {peers_.begin(), peers_.end()};
  }

 private:
  /// Whether the process has left.
  bool count(int process, bool is_there) {
    const MutexLock lock(mutex_);
    ++changes_;
    if (is_there) {
      peers_.insert(process);
    } else if (const auto one = peers_.find(process); one != peers_.end()) {
      peers_.erase(one);
    }
    if (has_begun_ && peers_.empty()) end_later();
    return !peers_.contains(process);
  }

  void end_later() TOOLWIRE_REQUIRES(mutex_) {
    if (!idle_) return;
    timers_.after(*idle_, [this, now = changes_] {
      {
        const MutexLock lock(mutex_);
        if (changes_ != now) return;
      }
      log_line("nobody is attached any more: ending");
      end_();
    });
  }

  const std::optional<std::chrono::milliseconds> idle_;
  const std::function<void()> end_;
  const std::function<void(int)> left_;
  Mutex mutex_;
  bool has_begun_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::multiset<int> peers_ TOOLWIRE_GUARDED_BY(mutex_);  // their processes
  std::uint64_t changes_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  EngineTimers timers_;
};

/// What confines a program would be worth nothing if it could ask a bridge that is not confined.
bool let_in(const Peer& peer) {
  if (!is_more_confined(peer.process)) return true;
  log_line("process " + std::to_string(peer.process) + " is confined, and is not let in");
  return false;
}

}  // namespace

int run_shared(ServedBridge& served, const ServeOptions& options, const Listening& listening) {
  Server& server = served.bridge().server();
  const auto attendance = std::make_shared<Attendance>(
      listening, served.engine(), [&server] { server.stop(); }, [&served](int peer) { served.forget(peer); });
  const std::weak_ptr<Attendance> noted = attendance;
  // Whoever connects from now on waits to be served, and starts no other.
  server.listen(UnixSocket{.path = listening.socket,
                           .descriptor = handed_socket(listening.socket),
                           .token = secret_of_folder(attach::folder_of(listening.socket)),
                           .admits = let_in,
                           .on_peer = [noted](const Peer& peer, bool is_there) {
                             if (const auto counted = noted.lock()) counted->note(peer, is_there);
                           }});
  served.share([noted, &listening] {
    const auto counted = noted.lock();
    return SharedView{
        .where = listening.socket, .log = listening.log, .peers = counted ? counted->peers() : std::vector<int>()};
  });
  return served.run_listening({.servers = options.start_wait, .runtimes = options.start_wait}, listening.socket,
                              [&] { attendance->begin(); });
}

}  // namespace toolwire::bridge
