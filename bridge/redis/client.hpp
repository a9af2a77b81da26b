// Commands for one Redis, from any thread: pipelined over one connection that is made when it is needed, each with a
// deadline, as many at once as there is room for. Independent of what is asked.
//
// A command waits for the connection until its deadline, so that a Redis that is started again is hardly noticed. Once
// it was sent it is never sent again: when the connection breaks, nobody knows whether it was done, and it fails. A
// command without an answer at its deadline ends the connection, since Redis answers in order.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/detail/mutex.hpp>
#include <toolwire/redis.hpp>

#include "connection.hpp"
#include "sealed/sealing.hpp"
#include "streams/way.hpp"
#include "system/awake_clock.hpp"

namespace toolwire::redis {

using bridge::Sealing;

/// Thread-safe. Answers come as jobs of the engine. Lives in a shared_ptr; not to be destroyed on the loop, on which
/// nobody else's code runs.
class Client final : public std::enable_shared_from_this<Client>, private Connection::Events {
 public:
  Client(Options options, const std::shared_ptr<Engine>& engine);
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() { loop_.stop(); }

  /// Sends a command: its name and its arguments. What Redis refuses is a reply of the kind error; without any reply it
  /// fails with a std::runtime_error that says why.
  void ask(std::span<const std::string_view> command, Done<Reply> done);

  const Sealing& sealing() const { return sealing_; }
  const std::shared_ptr<Engine>& engine() const { return engine_; }

 private:
  using Clock = EventLoop::Clock;
  struct Command {
    std::string text;
    std::size_t size;              // of the text, which goes when it was sent
    Clock::time_point until = {};  // once it waits on the loop, as all times there by clock_
    Done<Reply> done;
  };
  using Commands = std::deque<Command>;
  enum class Taken { not_at_all, as_first, behind_others };
  enum class Phase { closed, resolving, connecting, greeting, ready };

  Taken take(std::string text, Done<Reply>& done);
  void answer(Command&& command, Reply&& reply);
  void fail(Command&& command, const std::string& why);
  void fail_all(Commands& commands, const std::string& why);
  void let_go(const Command& command);

  void turn();
  void take_new();
  void end_overdue(Clock::time_point now);
  void connect_if_needed(Clock::time_point now);
  void resolve();
  void resolved(std::vector<streams::SocketAddress> addresses, const std::string& why);
  void send_waiting();
  void set_timer();
  std::optional<Clock::time_point> next_time() const;

  void opened() override;
  void replied(Reply&& reply) override;
  void broke(const std::string& why) override;
  void untrusted(const std::string& why) override;
  void handled() override { turn(); }
  void greet();
  void greeted(const Reply& reply);
  void refused(const std::string& text);
  void back_off(const std::string& why);
  void leave_replica();
  std::string cannot_be_used(const std::string& why) const;

  const Options options_;
  const Sealing sealing_;
  const streams::Way way_;
  const std::shared_ptr<Engine> engine_;

  Mutex mutex_;
  std::vector<Command> new_ TOOLWIRE_GUARDED_BY(mutex_);
  std::size_t count_ TOOLWIRE_GUARDED_BY(mutex_) = 0;  // of all that have no answer yet
  std::size_t bytes_ TOOLWIRE_GUARDED_BY(mutex_) = 0;

  // On the loop only.
  bridge::AwakeClock clock_;
  Phase phase_ = Phase::closed;
  std::size_t greetings_ = 0;  // without a reply yet
  Commands waiting_;
  Commands sent_;
  std::vector<streams::SocketAddress> addresses_;
  std::size_t attempts_ = 0;  // since it was ready last
  Clock::time_point next_attempt_ = {};
  Clock::time_point ready_until_ = {};  // or the attempt has failed
  std::string last_failure_;
  bool only_reads_ = false;  // this Redis has become the replica of another
  std::optional<EventLoop::Timer> timer_;
  EventLoop loop_;  // before what is on it, after what its jobs use
  Connection connection_;
};

}  // namespace toolwire::redis
