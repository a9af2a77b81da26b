// One connection of a client: writes requests, reads answers, and calls the program's functions beside that, so that
// reading never waits for anybody. Independent of tools and how revisions are negotiated.
#pragma once

#include <toolwire/client.hpp>
#include <toolwire/transport.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "client/deadlines.hpp"
#include "client/dialect.hpp"
#include "client/incoming.hpp"
#include "client/line_reader.hpp"
#include "client/pending.hpp"
#include "client/send_queue.hpp"
#include "client/serial_queue.hpp"
#include "client/watched_resources.hpp"
#include "json/fast.hpp"
#include "jsonrpc/message.hpp"

namespace toolwire::client {

/// The point in time that many milliseconds from now, or the end of time.
Clock::time_point deadline_after(std::chrono::milliseconds timeout);
/// What is left until then, as CallClock has it: never nothing, which is what the end of time stands for.
std::chrono::nanoseconds time_until(Clock::time_point deadline);
/// The failure of a request that had no answer within this time.
Failure timed_out(std::string_view what, std::chrono::milliseconds timeout);

/// How a connection has ended, where somebody knows.
struct Ending {
  std::function<std::string()> text;  // after the end of input: what became of the server
  std::function<bool()> is_known;     // else `text` may wait; empty: always
};

/// Thread-safe. After `close` it sends nothing and calls nobody, and may live on in handles of calls.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  /// The transport is used until `close`.
  Connection(Transport& transport, ClientOptions options, Ending ending);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { close(); }

  /// Set once, by the handshake, before other threads use the connection.
  void speak(Dialect dialect) {
    request_meta_ = dialect.request_meta();
    dialect_ = std::move(dialect);
  }
  /// Modern: every later request asks for log messages of this level on.
  void hear_log(LogLevel level) { log_level_ = static_cast<unsigned char>(level); }
  [[nodiscard]] const Dialect& dialect() const { return dialect_; }
  [[nodiscard]] const ClientOptions& options() const { return options_; }

  /// Sends a request; waits for room, `until` at most. Throws ConnectionError.
  std::shared_ptr<Pending> send(std::string_view method, const JsonObject& params, Clock::time_point until);
  /// The same with functions set in `pending`; also to send it again under a new id. `token`: ask for progress.
  void send(const std::shared_ptr<Pending>& pending, std::string_view method, const JsonObject& params,
            bool token = false, Clock::time_point until = Clock::time_point::max());
  /// The same for callers that must not wait: also throws ConnectionError where `send` would wait for room. `meta`,
  /// unless it is empty, takes the place of `_meta` in the params.
  void send_at_once(const std::shared_ptr<Pending>& pending, std::string_view method, const JsonObject& params,
                    bool token, const JsonObject& meta = {});
  /// Sends a request and waits. Throws as CallHandle::wait.
  Json request(std::string_view method, const JsonObject& params, std::chrono::milliseconds timeout);
  void notify(std::string_view method, const JsonObject& params);

  /// Gives up on a request: ends it with this, and tells the server unless it is done.
  void abandon(Pending& pending, Failure failure, const std::string& reason);

  /// The same where the server is not working on it and need not be told.
  void forget(Pending& pending, Failure failure);

  /// Ends a request whose result was intercepted.
  void settle(const std::shared_ptr<Pending>& pending, Pending::Outcome outcome);

  /// Runs a function that may ask the user.
  void ask(std::function<void()> task) { questions_.post(std::move(task)); }
  /// Runs a function of the program, after those before it.
  void call_back(std::function<void()> task) { callbacks_.post(std::move(task)); }

  /// Receives unsolicited notifications of the server, without a request on the wire. Throws ConnectionError.
  void listen(const std::shared_ptr<Pending>& pending) {
    pending->awaits_no_answer = true;
    pending_.add(pending);
  }

  /// Of all legacy subscriptions together.
  WatchedResources& watched_resources() { return watched_resources_; }

  /// For requests without a waiting thread.
  Deadlines& deadlines() { return deadlines_; }

  /// Why and when the server was lost; nothing while it is there.
  [[nodiscard]] std::optional<PendingTable::Closed> loss() const { return pending_.closed(); }

  /// Ends everything. Not from inside a function of the client.
  void close();

 private:
  void take(const LineReader::Line& line);
  void take(jsonrpc::Message&& message, std::string_view line);
  void take(jsonrpc::Response&& response, std::string_view line);
  void take_as_meant(std::string_view line);
  void take_nameless(MeantAnswer&& answer, std::string_view line);
  void take_outcome(std::int64_t id, Pending::Outcome outcome);
  void take(jsonrpc::Request&& request);
  void hand_over(jsonrpc::Request&& request);
  void take(jsonrpc::Notification&& notification);
  void take(jsonrpc::Malformed&& malformed, std::string_view line);
  void tell_malformed(std::string_view line, const std::string& reason);
  void tell_strange_answer(std::string_view line, const std::string& reason);
  void take_progress(const Json& params);
  bool take_of_subscription(const std::string& method, const Json& params);
  void finish(const std::shared_ptr<Pending>& pending, Pending::Outcome outcome);
  void answer(const jsonrpc::Request& request);
  void server_reads_no_more();
  void lose_once_explained(const std::string& failure, Clock::time_point until);
  void lose(const std::string& reason);
  void write(const std::shared_ptr<Pending>& pending, std::string_view method, const JsonObject& params,
             const JsonObject& meta, bool token, SendQueue::Full full,
             Clock::time_point until = Clock::time_point::max());
  jsonrpc::Bounds bounds() const { return {{options_.max_depth, options_.max_values}}; }
  void write_other(std::string_view line, SendQueue::Full full);
  std::string why_it_ended(const std::string& failure) const;

  const ClientOptions options_;
  const Ending ending_;
  static constexpr unsigned char hears_nothing = 0xff;
  std::atomic<unsigned char> log_level_{hears_nothing};
  Dialect dialect_;
  MetaText request_meta_;  // of the dialect
  PendingTable pending_;
  PendingTable finishing_;  // whose outcome is here and waits for the reports of progress before it
  std::atomic<bool> closing_ = false;
  std::atomic<bool> lost_ = false;
  json::KeptMember kept_meta_{json::KeptMember::Of::results};  // of whoever reads
  std::string malformed_;               // the first such line and what is wrong with it; used by whoever reads
  std::set<std::string> told_reasons_;  // what was wrong with answers; as above
  SerialQueue callbacks_;               // progress, notifications
  SerialQueue questions_;               // may wait for the user, hence always on a thread of its own
  WatchedResources watched_resources_;
  Deadlines deadlines_;
  SendQueue send_queue_;
  LineReader reader_;  // reads with all of the above
};

}  // namespace toolwire::client
