// That whoever began tasks still runs: a name in Redis that ends by itself unless it is renewed. Independent of what a
// task is.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include <toolwire/detail/mutex.hpp>

#include "client.hpp"
#include "system/engine_timers.hpp"

namespace toolwire::redis {

/// The lease of one store, renewed three times in its length for as long as tasks need it. Thread-safe; lives in a
/// shared_ptr.
class Lease : public std::enable_shared_from_this<Lease> {
 public:
  /// Removes a task; answers when it is not there any more.
  using Forget = std::function<void(const std::string& task, Done<bool> done)>;

  Lease(std::shared_ptr<Client> client, std::chrono::milliseconds length, Forget forget);
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  ~Lease() { timers_.stop(); }

  const std::string& name() const { return name_; }
  std::chrono::milliseconds length() const { return length_; }

  /// A task is begun: until `has_ended` it needs the lease.
  void has_begun(const std::string& task);
  void has_ended(const std::string& task);
  /// Nobody knows whether it was stored, and nobody will run it: it is removed as soon as that can be done.
  void is_uncertain(const std::string& task);

 private:
  void renew();
  void forget_uncertain();
  void renew_later() TOOLWIRE_REQUIRES(mutex_);

  const std::shared_ptr<Client> client_;
  const std::chrono::milliseconds length_;
  const std::string name_;
  const Forget forget_;

  Mutex mutex_;
  std::set<std::string> tasks_ TOOLWIRE_GUARDED_BY(mutex_);
  std::map<std::string, int> uncertain_ TOOLWIRE_GUARDED_BY(mutex_);  // and how often they were removed
  bool planned_ TOOLWIRE_GUARDED_BY(mutex_) = false;

  bridge::EngineTimers timers_;  // the last member: what it runs uses the others
};

/// Which leases have ended. One that is missing may be renewed in a moment, when Redis itself was away: it has ended if
/// it is still missing after half its length. Thread-safe.
class MissingLeases {
 public:
  using Clock = std::chrono::steady_clock;

  explicit MissingLeases(std::chrono::milliseconds length) : patience_(length / 2) {}

  /// Whether its owner still runs, from what was seen just now; nothing as long as that is open.
  std::optional<bool> judge(const std::string& lease, bool is_there, Clock::time_point now = Clock::now());

 private:
  const std::chrono::milliseconds patience_;
  Mutex mutex_;
  std::map<std::string, Clock::time_point> missing_ TOOLWIRE_GUARDED_BY(mutex_);  // since when
};

}  // namespace toolwire::redis
