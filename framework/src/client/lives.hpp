// The lives of a server, one after the other: a server that was lost is started again for the next call, unless it
// fails so often that it has to wait. Independent of what is called.
#pragma once

#include <toolwire/client.hpp>

#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "client/life.hpp"
#include "toolwire/detail/back_off.hpp"
#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::client {

/// Thread-safe, but for its destruction. Starts on a thread of its own, from the first time on: whoever needs the
/// server may be on a thread of the connection that is to be closed then.
class Lives {
 public:
  using Begin = std::function<std::unique_ptr<Life>(const ClientOptions&)>;

  /// The only one.
  explicit Lives(std::unique_ptr<Life> only);
  /// The first one begins now; throws as `begin`.
  Lives(Begin begin, ClientOptions options, const BackOffOptions& back_off);
  Lives(const Lives&) = delete;
  Lives& operator=(const Lives&) = delete;
  ~Lives();

  /// The connection of a server that runs. If it was lost, it is started, and waited for, so long at most (else
  /// ClientOptions::timeout). Throws ConnectionError if it does not start, or must not yet.
  std::shared_ptr<Connection> connection(std::optional<std::chrono::milliseconds> patience = {});
  /// The same for callers that must not wait: throws ConnectionError while it starts.
  std::shared_ptr<Connection> connection_at_once();

  /// Of this life and, as far as the server says the same of itself, of later ones; stays what it is.
  const ServerDescription& server() const;
  /// Of this life; null if the client has not started it.
  ChildProcess* process();
  /// In this life and in later ones. Throws as Client::request.
  void hear_log(LogLevel level);

 private:
  std::shared_ptr<Connection> running_or_begun() TOOLWIRE_REQUIRES(mutex_);
  void start_thread() TOOLWIRE_REQUIRES(mutex_);
  void note_failure(std::string why, Clock::time_point when) TOOLWIRE_REQUIRES(mutex_);
  std::string failure() const TOOLWIRE_REQUIRES(mutex_);
  void run();
  void begin_next() TOOLWIRE_REQUIRES(mutex_);
  std::unique_ptr<Life> next_life(std::string& why, std::optional<LogLevel> level) const;
  void take(std::unique_ptr<Life>& next) TOOLWIRE_REQUIRES(mutex_);

  const Begin begin_;  // empty: there is one life only
  ClientOptions options_;
  std::stop_source ending_;
  std::optional<std::stop_callback<std::function<void()>>> given_up_;
  mutable Mutex mutex_;
  ConditionVariable changed_;
  std::unique_ptr<Life> life_ TOOLWIRE_GUARDED_BY(mutex_);
  std::list<ServerDescription> descriptions_ TOOLWIRE_GUARDED_BY(mutex_);  // those that differ
  BackOff back_off_ TOOLWIRE_GUARDED_BY(mutex_);
  std::optional<LogLevel> log_level_ TOOLWIRE_GUARDED_BY(mutex_);
  std::string why_ TOOLWIRE_GUARDED_BY(mutex_);  // it failed last
  Clock::time_point not_before_ TOOLWIRE_GUARDED_BY(mutex_) = {};
  bool is_down_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  bool begins_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  bool ends_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::thread thread_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace toolwire::client
