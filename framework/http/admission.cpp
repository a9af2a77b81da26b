#include "admission.hpp"

#include <algorithm>
#include <stdexcept>
#include <toolwire/system/state_secrets.hpp>

namespace toolwire::http {
namespace {

/// The host of "host", "host:port", "[::1]:port".
std::string_view without_port(std::string_view authority) {
  const std::size_t colon = authority.rfind(':');
  const std::size_t bracket = authority.rfind(']');
  const bool has_port = colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket);
  return has_port ? authority.substr(0, colon) : authority;
}

bool is_host_allowed(std::string_view said, const std::vector<std::string>& hosts) {
  return std::ranges::any_of(hosts, [&](const std::string& allowed) {
    if (allowed == "*") return true;
    return !said.empty() && (equal_without_case(allowed, said) || equal_without_case(allowed, without_port(said)));
  });
}

/// A page of the same host may call; of others, those that are named.
bool is_origin_allowed(std::string_view said, std::string_view own, const std::vector<std::string>& origins) {
  const std::string host(own);
  if (!own.empty() && (equal_without_case(said, "http://" + host) || equal_without_case(said, "https://" + host)))
    return true;
  return std::ranges::any_of(origins, [&](const std::string& allowed) { return equal_without_case(allowed, said); });
}

std::optional<Refusal> refused_for_content(const HeaderFields& fields) {
  if (!has_media_type(fields.value_or_empty("content-type"), "application/json") || fields.count("content-type") > 1)
    return refusal(415, "Content-Type must be application/json");
  const std::string coding = fields.joined("content-encoding");
  if (!coding.empty() && !equal_without_case(coding, "identity"))
    return refusal(415, "Content-Encoding must be left out");
  const std::string accept = fields.joined("accept");
  if (!accepts(accept, "application/json") || !accepts(accept, "text/event-stream"))
    return refusal(406, "Accept must list application/json and text/event-stream");
  return std::nullopt;
}

}  // namespace

void check(const HandlerOptions& options) {
  (void)system::state_secrets();  // sessions and states are sealed
  if (!options.path.empty() && !options.path.starts_with('/'))
    throw std::invalid_argument("the path of an MCP endpoint begins with \"/\", or is empty for any");
  if (options.hosts.empty()) throw std::invalid_argument("without hosts nobody can call; \"*\" stands for any");
  if (options.max_body == 0) throw std::invalid_argument("max_body must be at least 1 byte");
  if (options.stream_after.count() < 0) throw std::invalid_argument("stream_after must not be negative");
  if (options.keep_alive.count() <= 0) throw std::invalid_argument("keep_alive must be at least 1 ms");
  if (options.session_age.count() <= 0) throw std::invalid_argument("session_age must be at least 1 hour");
  if (options.resource) check(*options.resource);
}

std::string_view path_of(std::string_view target) { return target.substr(0, target.find('?')); }

std::optional<Refusal> refused_for_origin(const Request& request, const HandlerOptions& options) {
  const HeaderFields fields(request.fields);
  if (fields.count("host") > 1 || fields.count("origin") > 1)
    return refusal(400, "Host and Origin may each occur once");
  const std::string_view host = fields.value_or_empty("host");
  if (!is_host_allowed(host, options.hosts))
    return refusal(403, "this Host is not one of those that the server is told to have");
  const auto origin = fields.find("origin");
  if (origin && !is_origin_allowed(*origin, host, options.origins))
    return refusal(403, "pages of this Origin may not call the server");
  return std::nullopt;
}

std::optional<Refusal> refused_at_the_door(const Request& request, const HandlerOptions& options) {
  const HeaderFields fields(request.fields);
  if (!options.path.empty() && path_of(request.target) != options.path)
    return refusal(404, "there is nothing at this path: send each message of MCP with POST to " + options.path +
                            " (Streamable HTTP; the older HTTP+SSE is not served)");
  if (auto refused = refused_for_origin(request, options)) return refused;
  if (request.method != "POST")
    return refusal(405,
                   "this is a Streamable HTTP endpoint of MCP: send each message with POST; there is no stream to GET, "
                   "and the older HTTP+SSE is not served",
                   {{"Allow", "POST"}});
  if (auto refused = refused_for_content(fields)) return refused;
  if (request.body.size() > options.max_body)
    return refusal(413, "a body may have " + std::to_string(options.max_body) + " bytes at most");
  return std::nullopt;
}

}  // namespace toolwire::http
