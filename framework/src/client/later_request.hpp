// One request whose outcome goes to a function instead of a thread that waits. Independent of methods; does not look
// into results.
#pragma once

#include <toolwire/client.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "client/connection.hpp"

namespace toolwire::client {

/// Thread-safe once it is started. Kept alive by the request itself until it is done.
class LaterRequest : public std::enable_shared_from_this<LaterRequest> {
 public:
  LaterRequest(std::shared_ptr<Connection> connection, std::string method, std::function<void(RequestOutcome&&)> done);

  /// Once. Throws ConnectionError.
  void start(const JsonObject& params, CallOptions options);
  void cancel(const std::string& reason);

 private:
  void give_up_after(std::chrono::milliseconds timeout);
  void finish();

  const std::shared_ptr<Connection> connection_;
  const std::string method_;
  std::function<void(RequestOutcome&&)> done_;
  const std::shared_ptr<Pending> pending_ = std::make_shared<Pending>();
  std::optional<Deadlines::Handle> given_up_at_;  // set before it is sent
};

}  // namespace toolwire::client
