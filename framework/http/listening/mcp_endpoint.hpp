// MCP behind a port: the handler, and the health of the server.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "listening/endpoint.hpp"
#include "server/state.hpp"
#include "toolwire/http/handler.hpp"
#include "toolwire/http/protected_resource.hpp"

namespace toolwire::http {

class McpEndpoint final : public Endpoint {
 public:
  /// The options are those that count: with hosts. `health`: its path, or empty.
  McpEndpoint(const std::shared_ptr<Server::State>& state, HandlerOptions options, std::string health,
              std::optional<ProtectedResource> resource);

  void begin(PortListener& listener, std::function<void()> over) override;
  std::optional<Reply> answer_to_head(const Request& head) override;
  void handle(Request request, std::shared_ptr<Exchange> exchange) override;
  Reply worded(const Refusal& refusal) const override { return reply_of(refusal); }

 private:
  Reply health_for(const std::string& method) const;
  bool is_metadata(std::string_view path) const;

  const std::weak_ptr<Server::State> state_;  // which holds this until it serves
  const HandlerOptions options_;
  const std::string health_;
  const std::optional<ProtectedResource> resource_;
  const PortListener* listener_ = nullptr;  // which holds this
  std::unique_ptr<Handler> handler_;
};

}  // namespace toolwire::http
