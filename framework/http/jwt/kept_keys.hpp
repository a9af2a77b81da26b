// The keys of an issuer, fetched when they are needed and kept for those who come later. Independent of tokens.
#pragma once

#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <toolwire/stores.hpp>
#include <vector>

#include "jwt/key_set.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::http::jwt {

/// Thread-safe.
class KeptKeys : public std::enable_shared_from_this<KeptKeys> {
 public:
  using Clock = std::chrono::steady_clock;
  using Keys = std::shared_ptr<const KeySet>;
  using Fetch = std::function<void(Done<std::string>)>;
  using Use = std::function<void(const Keys&)>;

  /// How often something is fetched.
  static constexpr std::chrono::seconds usual_age{3600};  // of a set, until it is fetched again
  static constexpr std::chrono::seconds pause{60};        // between two attempts
  static constexpr std::chrono::seconds first_pause{5};   // the same while there was no set yet
  static constexpr std::size_t max_waiting = 1'000;       // for what is being fetched

  /// `issuer` is for the log.
  KeptKeys(std::string issuer, std::vector<const Algorithm*> algorithms, Fetch fetch,
           std::function<Clock::time_point()> now = Clock::now);

  /// Calls `use` with the keys, at once, or later and on another thread if they have to be fetched first: those that
  /// have one that is named so, if the issuer has it. Null: there are none.
  void with(const std::optional<std::string>& id, const Algorithm& algorithm, Use use);

 private:
  bool may_fetch() const TOOLWIRE_REQUIRES(mutex_);
  bool has(const std::optional<std::string>& id, const Algorithm& algorithm) const TOOLWIRE_REQUIRES(mutex_);
  void begin_fetch();
  void on_fetched(Done<std::string>::Result&& result);
  Keys read(Done<std::string>::Result&& result) const;

  const std::string issuer_;
  const std::vector<const Algorithm*> algorithms_;
  const Fetch fetch_;
  const std::function<Clock::time_point()> now_;
  Mutex mutex_;
  Keys keys_ TOOLWIRE_GUARDED_BY(mutex_);
  Clock::time_point fetched_at_ TOOLWIRE_GUARDED_BY(mutex_) = {};
  std::optional<Clock::time_point> tried_at_ TOOLWIRE_GUARDED_BY(mutex_);
  bool is_fetching_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::vector<Use> waiting_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace toolwire::http::jwt
