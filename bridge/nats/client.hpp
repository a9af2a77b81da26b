// Messages to and from one NATS, from any thread, over one connection that is made again whenever it broke. Independent
// of what the messages are.
//
// A message is sent once or not at all: what cannot be sent now is refused, and nothing waits for the next connection,
// so that whoever sends knows what may have arrived. Subscriptions stay, whatever becomes of connections.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <toolwire/detail/event_loop.hpp>
#include <toolwire/nats.hpp>

#include "library/connection.hpp"
#include "sealed/sealing.hpp"
#include "streams/way.hpp"

namespace toolwire::nats {

using bridge::Sealing;

/// Thread-safe. What is called back is called on one loop, one after the other, and must not wait. Lives in a
/// shared_ptr; not to be destroyed on the loop.
class Client final : public std::enable_shared_from_this<Client> {
 public:
  Client(Options options, const std::shared_ptr<Engine>& engine);
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client();

  /// Sends it, soon. `refused` is called with the reason if it was certainly not sent; what was sent may be lost.
  using Refused = std::function<void(const std::string& why)>;
  void publish(std::string subject, std::string payload, std::string reply = {}, Refused refused = {},
               Headers headers = {});

  using Taken = std::function<void(Message&& message)>;
  /// Until `unsubscribe`; a message that came before may still be taken then.
  std::uint64_t subscribe(std::string subject, std::string queue, Taken taken);
  void unsubscribe(std::uint64_t subscription);

  /// What becomes of the connection.
  struct Watcher {
    std::function<void()> ready = {};                           ///< The server has the subscriptions.
    std::function<void(const std::string& why)> lost = {};      ///< After `ready`, or the first time that it is not.
    std::function<void(const std::string& what)> refused = {};  ///< The server's words on what it does not allow.
    std::function<void()> missed = {};                          ///< Messages were dropped: too many came at once.
  };
  std::uint64_t watch(Watcher watcher);
  void forget(std::uint64_t watcher);

  /// A line for the operator about what this NATS does.
  void log(const std::string& what) const { say(what); }

  /// Runs a job on the loop.
  void post(EventLoop::Job job) { loop_.post(std::move(job)); }
  EventLoop& loop() { return loop_; }  // for timers, on the loop only

  const Sealing& sealing() const { return sealing_; }
  /// What is none of ours is nothing; that others have another key, or another time, is logged once. On the loop.
  std::optional<std::string> opened(const std::string& subject, const std::string& payload);
  const std::shared_ptr<Engine>& engine() const { return engine_; }
  const std::string& prefix() const { return options_.prefix; }
  /// The subject with this name below the prefix.
  std::string subject(std::string_view name) const { return options_.prefix + "." + std::string(name); }
  /// How long a message may be; 0 while there is no connection.
  std::size_t max_payload() const { return max_payload_; }

 private:
  struct Subscribed {
    std::string subject;
    std::string queue;
    Taken taken;
  };
  enum class Phase { idle, connecting, ready, waiting };
  class Gate;

  void need_connection();
  void connect();
  void tried(std::shared_ptr<Connection> connection, const std::string& why);
  void flushed(const std::string& why);
  void subscribe_all();
  void broke(const std::string& why);
  void send(const std::string& subject, const std::string& payload, const std::string& reply, const Refused& refused,
            const Headers& headers);
  void take(std::uint64_t subscription, Message&& message);
  void missed();
  void refused(const std::string& what);
  template <class Tell>
  void tell_watchers(const Tell& tell);
  void say(const std::string& what) const;

  const Options options_;
  const std::shared_ptr<const streams::Way> way_;
  const Sealing sealing_;
  const std::shared_ptr<Engine> engine_;
  std::atomic<std::size_t> unsent_ = 0;  // bytes
  std::atomic<std::size_t> unread_ = 0;  // bytes
  std::atomic<std::size_t> max_payload_ = 0;
  std::atomic<std::uint64_t> last_number_ = 0;

  // On the loop only.
  Phase phase_ = Phase::idle;
  std::size_t attempts_ = 0;  // since it was ready last
  std::string last_failure_;
  std::set<std::string> refusals_;  // that were logged, as the next ones
  std::set<Sealing::Refusal> sealed_otherwise_;
  std::shared_ptr<Gate> gate_;  // of the connection, or of the attempt to make one
  std::shared_ptr<Connection> connection_;
  std::map<std::uint64_t, Subscribed> subscribed_;
  std::map<std::uint64_t, Watcher> watchers_;
  EventLoop loop_;  // the last member: its jobs use the others
};

}  // namespace toolwire::nats
