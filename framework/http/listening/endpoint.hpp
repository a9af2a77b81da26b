// What answers the requests of a port, as its connections see it.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "refusal.hpp"
#include "toolwire/http/exchange.hpp"

namespace toolwire::http {

class PortListener;

/// Thread-safe, after `begin`.
class Endpoint {
 public:
  Endpoint() = default;
  Endpoint(const Endpoint&) = delete;
  Endpoint& operator=(const Endpoint&) = delete;
  virtual ~Endpoint() = default;

  /// Once, before the listener lets anybody in. `over` is called once what this does beside the listener's channel is
  /// over, at once where there is nothing.
  virtual void begin(PortListener& listener, std::function<void()> over) = 0;
  /// The answer to a request by its head alone, without its body and without who calls; nothing: it is handed over,
  /// once both are known.
  virtual std::optional<Reply> answer_to_head(const Request& head) = 0;
  virtual void handle(Request request, std::shared_ptr<Exchange> exchange) = 0;
  /// What a connection has to refuse, as this says such things.
  virtual Reply worded(const Refusal& refusal) const = 0;
};

}  // namespace toolwire::http
