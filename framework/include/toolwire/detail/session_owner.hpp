// What a Session belongs to. Between the framework and the session; programs ask their Session.
#pragma once

namespace toolwire::detail {

/// Thread-safe.
class SessionOwner {
 public:
  virtual void visibility_changed() = 0;

 protected:
  ~SessionOwner() = default;
};

}  // namespace toolwire::detail
