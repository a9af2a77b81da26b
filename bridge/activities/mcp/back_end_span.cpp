// What the span of a request to another server says of it.
#include <string>

#include <toolwire/json_members.hpp>

#include "activities/mcp/back_end.hpp"

namespace toolwire::bridge::mcp {

std::shared_ptr<traces::OpenSpan> BackEnd::begin_span(std::string_view method, const JsonObject& params,
                                                      const JsonObject& meta, std::string_view revision) const {
  if (!options_.tracing) return nullptr;
  const std::string origin = options_.remote ? http_origin_of(options_.remote->url).value_or("") : "";
  const bool is_reached = static_cast<bool>(options_.reach);
  return options_.tracing->begin_request(
      trace_in(meta), {.method = method,
                       .subject = text_member(params, method.starts_with("resources/") ? "uri" : "name"),
                       .revision = revision,
                       .server = options_.name,
                       .transport = options_.remote || is_reached ? "tcp" : "pipe",
                       .protocol = options_.remote ? std::string_view("http")
                                   : is_reached    ? options_.kind
                                                   : std::string_view(),
                       .origin = origin});
}

}  // namespace toolwire::bridge::mcp
