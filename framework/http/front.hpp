// What all requests of a handler share: one channel of an engine, which gives them threads, and the end. Each has a
// connection of its own (post.hpp). Knows nothing of HTTP.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.hpp"
#include "engine/source.hpp"
#include "server/state.hpp"
#include "system/poller.hpp"
#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"
#include "toolwire/system/wake_event.hpp"

namespace toolwire::http {

class Post;

/// A source that nothing is read from: requests come by calls. Thread-safe.
class Front final : public engine::Source, public protocol::Service::Relay, public std::enable_shared_from_this<Front> {
 public:
  struct Times {
    std::chrono::milliseconds keep_alive;
    std::chrono::milliseconds stream_after;  // what is not answered by then becomes a stream
  };

  /// Works on `serving`, an engine that serves the server already and ends this with it; without one, on that of the
  /// server's options or on one of its own, until `end`.
  Front(std::shared_ptr<Server::State> state, Times times, std::shared_ptr<engine::Engine> serving = nullptr);

  /// Once. Throws std::system_error if threads have run out. `when_over`: called when nobody is answered any more.
  void begin(std::function<void()> when_over = {});
  /// Cancels everything, and waits for what runs, unless that is what calls this.
  void end();

  protocol::Service& service() const { return *state_; }
  engine::Engine& engine() const { return *engine_; }
  const std::shared_ptr<engine::Channel>& channel() const { return channel_; }

  /// Keeps a post until it leaves. Returns its number; 0 after a stop, or if there are too many.
  std::uint64_t enter(const std::shared_ptr<Post>& post);
  /// It has been answered.
  void leave(std::uint64_t id);
  /// It is destroyed.
  void forget(std::uint64_t id);
  /// Has that post begin a stream if it is not answered in time.
  void await_answer(std::uint64_t id);
  /// Has become a stream, which is kept alive from now on.
  void stream_began();
  bool is_stopping() const { return stopping_.load(std::memory_order_acquire); }

  /// Those that have not been answered.
  std::vector<std::shared_ptr<Post>> open_posts() const;
  /// The one that asks questions with this prefix.
  std::shared_ptr<Post> asked_with(std::string_view prefix) const;

  void on_client_message(const Event& event) override;

 private:
  Outcome wait_and_read() override;
  Outcome read_at_once() override { return Outcome::nothing; }
  Outcome go_on() override { return Outcome::more; }
  int input_descriptor() const override { return silent_.descriptor(); }
  int output_descriptor() const override { return silent_.descriptor(); }
  void interrupt() override { poller_.wake(); }
  bool input_closed() override { return false; }
  bool all_answered() override;
  void stop_reading() override;
  void cancel_all() override;
  void over() override;

  struct Entry {
    std::weak_ptr<Post> post;
    std::shared_ptr<Post> open;  // until it is answered
  };
  using Clock = std::chrono::steady_clock;
  struct Waiting {
    std::uint64_t id;
    Clock::time_point until;
  };

  std::vector<std::shared_ptr<Post>> living_posts() const;
  void keep_alive();
  bool is_open(std::uint64_t id) const TOOLWIRE_REQUIRES(mutex_);
  void look_at_waiting(Clock::time_point when);
  void begin_streams();

  const std::shared_ptr<Server::State> state_;
  const Times times_;
  const std::shared_ptr<engine::Engine> serving_;
  const bool has_own_engine_;
  const system::WakeEvent silent_;
  const system::Poller poller_;
  std::unique_ptr<Transport> nowhere_;
  std::unique_ptr<engine::SendQueue> no_output_;
  std::shared_ptr<engine::Engine> engine_;
  std::shared_ptr<engine::Channel> channel_;
  std::optional<server::Serving::Stopped> when_stopped_;
  std::function<void()> when_over_;
  std::optional<std::list<protocol::Service::Relay*>::iterator> relayed_;
  std::atomic<bool> stopping_{false};
  mutable Mutex mutex_;
  std::map<std::uint64_t, Entry> posts_ TOOLWIRE_GUARDED_BY(mutex_);
  ConditionVariable ended_;
  bool is_over_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::uint64_t last_id_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  std::deque<Waiting> waiting_ TOOLWIRE_GUARDED_BY(mutex_);    // for their answers, but not as streams yet
  bool looks_at_waiting_ TOOLWIRE_GUARDED_BY(mutex_) = false;  // a timer is set
  bool keeps_alive_ TOOLWIRE_GUARDED_BY(mutex_) = false;       // a timer is set
};

}  // namespace toolwire::http
