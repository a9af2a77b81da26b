// The time by which nonces have to have expired to be forgotten. Independent of where they are remembered.
#pragma once

#include <chrono>
#include <functional>
#include <utility>

namespace toolwire::features {

/// By when a nonce has to have expired to be forgotten, where the system's clock says `told` and by a clock that nobody
/// sets it would be `passed`. A clock that was set forward may be set back, and what it has let expire counts again
/// then; after a day it is believed.
std::chrono::system_clock::time_point forgetting_time(std::chrono::system_clock::time_point told,
                                                      std::chrono::system_clock::time_point passed);

/// Begins to count with its construction. As thread-safe as `told` is.
class ForgettingClock {
 public:
  using Told = std::function<std::chrono::system_clock::time_point()>;

  /// `told`: what the system's clock says.
  explicit ForgettingClock(Told told = std::chrono::system_clock::now) : told_(std::move(told)) {}

  /// The `forgetting_time` of this moment.
  std::chrono::system_clock::time_point now() const;

 private:
  Told told_;
  std::chrono::system_clock::time_point begun_ = told_();
  std::chrono::steady_clock::time_point steady_ = std::chrono::steady_clock::now();
};

}  // namespace toolwire::features
