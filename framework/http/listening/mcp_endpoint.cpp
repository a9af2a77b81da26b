#include "listening/mcp_endpoint.hpp"

#include <string_view>
#include <utility>

#include "admission.hpp"
#include "front.hpp"
#include "listening/port_listener.hpp"
#include "well_known.hpp"

namespace toolwire::http {

McpEndpoint::McpEndpoint(const std::shared_ptr<Server::State>& state, HandlerOptions options, std::string health,
                         std::optional<ProtectedResource> resource)
    : state_(state), options_(std::move(options)), health_(std::move(health)), resource_(std::move(resource)) {}

void McpEndpoint::begin(PortListener& listener, std::function<void()> over) {
  listener_ = &listener;
  const Front::Times times{options_.keep_alive, options_.stream_after};
  const auto front = std::make_shared<Front>(state_.lock(), times, listener.shared_engine());
  handler_.reset(new Handler(front, options_));
  front->begin(std::move(over));
}

std::optional<Reply> McpEndpoint::answer_to_head(const Request& head) {
  const std::string_view path = std::string_view(head.target).substr(0, head.target.find('?'));
  if (!health_.empty() && path == health_) return health_for(head.method);
  if (is_metadata(path)) return metadata_reply(*resource_, head.method);
  if (const auto refused = refused_at_the_door(head, options_)) return reply_of(*refused);
  return std::nullopt;
}

/// A proxy may have clients call another path than the one that is served here.
bool McpEndpoint::is_metadata(std::string_view path) const {
  return resource_ && path.starts_with(well_known_path) &&
         (path == well_known_path || path == metadata_path_of(*resource_) || path == metadata_path(options_.path));
}

/// Whoever asks is told; a server that stops is no place to send clients to.
Reply McpEndpoint::health_for(const std::string& method) const {
  if (method != "GET" && method != "HEAD")
    return reply_of(refusal(405, "the health of the server can only be asked for", {{"Allow", "GET, HEAD"}}));
  if (listener_->is_ending()) return reply_of({.status = 503, .body = R"({"status":"stopping"})"});
  return reply_of({.status = 200, .body = R"({"status":"ok"})"});
}

void McpEndpoint::handle(Request request, std::shared_ptr<Exchange> exchange) {
  handler_->handle(std::move(request), std::move(exchange));
}

}  // namespace toolwire::http
