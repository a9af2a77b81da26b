#include "listening/mcp_endpoint.hpp"

#include <algorithm>
#include <exception>
#include <string_view>
#include <utility>

#include "admission.hpp"
#include "front.hpp"
#include "listening/port_listener.hpp"
#include "log/log.hpp"
#include "toolwire/detail/what_of.hpp"
#include "well_known.hpp"

namespace toolwire::http {
namespace {

std::optional<Refusal> refused_for_page(const Request& head, const HandlerOptions& options) {
  if (head.method != "GET" && head.method != "HEAD")
    return refusal(405, "this can only be read", {{"Allow", "GET, HEAD"}});
  return refused_for_origin(head, options);
}

Reply reply_with(const Page& page) {
  try {
    return {
        .status = 200,
        .fields = {{"Content-Type", page.type}, {"Cache-Control", "no-store"}, {"X-Content-Type-Options", "nosniff"}},
        .body = page.text()};
  } catch (...) {
    process::log(LogLevel::error, page.path + ": " + detail::what_of(std::current_exception()));
    return reply_of(refusal(500, "this cannot be read now; the log of the server says why"));
  }
}

}  // namespace

McpEndpoint::McpEndpoint(const std::shared_ptr<Server::State>& state, const Port& port)
    : state_(state), options_(port.handler), health_(port.health), resource_(port.resource), pages_(port.pages) {}

void McpEndpoint::begin(PortListener& listener, std::function<void()> over) {
  listener_ = &listener;
  const Front::Times times{options_.keep_alive, options_.stream_after};
  const auto front = std::make_shared<Front>(state_.lock(), times, listener.shared_engine());
  handler_.reset(new Handler(front, options_));
  front->begin(std::move(over));
}

std::optional<Reply> McpEndpoint::answer_to_head(const Request& head) {
  const std::string_view path = path_of(head.target);
  if (!health_.empty() && path == health_) return health_for(head.method);
  if (is_metadata(path)) return metadata_reply(*resource_, head.method);
  const auto refused =
      page_at(head.target) != nullptr ? refused_for_page(head, options_) : refused_at_the_door(head, options_);
  return refused ? std::optional(reply_of(*refused)) : std::nullopt;
}

const Page* McpEndpoint::page_at(std::string_view target) const {
  const auto found = std::ranges::find(pages_, path_of(target), &Page::path);
  return found == pages_.end() ? nullptr : &*found;
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
  if (const Page* const page = page_at(request.target)) return send(reply_with(*page), *exchange);
  handler_->handle(std::move(request), std::move(exchange));
}

}  // namespace toolwire::http
