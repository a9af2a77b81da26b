// How a Context learns that its call is to stop. Between the framework and the context; tools ask their Context.
#pragma once

#include <stop_token>

namespace toolwire::detail {

/// Thread-safe. Lives as long as the context it is given to.
class StopSignal {
 public:
  /// Made when it is first asked for: most calls end without.
  virtual std::stop_token stop_token() const = 0;
  virtual bool stop_requested() const noexcept = 0;

 protected:
  ~StopSignal() = default;
};

}  // namespace toolwire::detail
