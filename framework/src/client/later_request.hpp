// One request whose outcome goes to a function instead of a thread that waits. Independent of methods; does not look
// into results.
#pragma once

#include <toolwire/client.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "client/connection.hpp"
#include "toolwire/detail/call_clock.hpp"

namespace toolwire::client {

/// Thread-safe once it is started. Kept alive by the request itself until it is done.
class LaterRequest : public std::enable_shared_from_this<LaterRequest> {
 public:
  LaterRequest(std::shared_ptr<Connection> connection, std::string method, std::function<void(RequestOutcome&&)> done);

  /// Once. Throws ConnectionError.
  void start(const JsonObject& params, CallOptions options);
  void cancel(const std::string& reason);
  /// Called by its clock.
  void timed_out();

 private:
  void finish();

  const std::shared_ptr<Connection> connection_;
  const std::string method_;
  std::function<void(RequestOutcome&&)> done_;
  const std::shared_ptr<Pending> pending_ = std::make_shared<Pending>();
  std::chrono::milliseconds timeout_{};
  detail::CallClock clock_;
};

}  // namespace toolwire::client
