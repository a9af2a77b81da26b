// MCP behind a port: the handler, the health of the server, and its pages.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "listening/endpoint.hpp"
#include "server/state.hpp"
#include "toolwire/http/listen.hpp"

namespace toolwire::http {

class McpEndpoint final : public Endpoint {
 public:
  /// What of a port is answered here; its handler's options are those that count: with hosts.
  McpEndpoint(const std::shared_ptr<Server::State>& state, const Port& port);

  void begin(PortListener& listener, std::function<void()> over) override;
  std::optional<Reply> answer_to_head(const Request& head) override;
  void handle(Request request, std::shared_ptr<Exchange> exchange) override;
  Reply worded(const Refusal& refusal) const override { return reply_of(refusal); }

 private:
  Reply health_for(const std::string& method) const;
  const Page* page_at(std::string_view target) const;
  bool is_metadata(std::string_view path) const;

  const std::weak_ptr<Server::State> state_;  // which holds this until it serves
  const HandlerOptions options_;
  const std::string health_;
  const std::optional<ProtectedResource> resource_;
  const std::vector<Page> pages_;
  const PortListener* listener_ = nullptr;  // which holds this
  std::unique_ptr<Handler> handler_;
};

}  // namespace toolwire::http
