#include "protocol/resources/read_result.hpp"

#include "features/percent.hpp"
#include "json/writer.hpp"
#include "types/base64.hpp"
#include "types/echo.hpp"

namespace toolwire::protocol {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw ProtocolError(error_code::invalid_params, "Invalid params: " + why);
}

void append_piece(json::Writer& writer, const Revision& revision, const std::string& uri, const std::string& mime_type,
                  const ResourceContents& piece) {
  writer.begin_object();
  writer.key("uri").string(piece.uri.empty() ? uri : piece.uri);
  const std::string& type = piece.mime_type.empty() ? mime_type : piece.mime_type;
  if (!type.empty()) writer.key("mimeType").string(type);
  if (piece.binary) {
    writer.key("blob").string(types::base64(piece.contents));
  } else {
    writer.key("text").string(piece.contents);
  }
  if (revision.titles && !piece.meta.empty()) writer.key("_meta").value(piece.meta);
  writer.end_object();
}

/// What was read with the help of answers must not be kept (2026-07-28 server/utilities/caching, cache key).
bool may_be_kept(const Exchange& exchange) {
  return !exchange.arguments().contains("requestState") && !exchange.arguments().contains("inputResponses");
}

void append_caching(std::string& out, const Exchange& exchange, const features::FoundResource& found) {
  const bool kept = may_be_kept(exchange);
  const auto age = kept && found.fresh_for().count() > 0 ? found.fresh_for().count() : 0;
  out.append(",\"ttlMs\":").append(std::to_string(age));
  out.append(",\"cacheScope\":").append(kept && found.same_for_everyone() ? "\"public\"" : "\"private\"");
}

}  // namespace

std::string uri_in(const Exchange& exchange) {
  const Json* uri = exchange.arguments().if_contains("uri");
  if (uri == nullptr || !uri->is_string()) refuse("\"uri\" must be a string, the URI of a resource");
  const std::string_view text = uri->get_string();
  const std::size_t bound = exchange.connection->service.options.limits.uri;
  if (text.size() > bound) refuse("\"uri\" may have " + std::to_string(bound) + " bytes at most");
  if (!features::is_usable_uri(text))
    refuse("\"uri\" must be an absolute URI (RFC 3986), not \"" + types::echo(text) + "\"");
  return std::string(text);
}

ProtocolError not_found(const Revision& revision, const std::string& uri, const std::string& why) {
  return ProtocolError(revision.modern ? error_code::invalid_params : error_code::resource_not_found, why,
                       JsonObject{{"uri", uri}});
}

ProtocolError unusable_parameters(const std::string& uri, const std::string& violations) {
  return ProtocolError(error_code::invalid_params, "Invalid params: uri: " + violations, JsonObject{{"uri", uri}});
}

void answer_with_contents(const Exchange& exchange, const std::string& uri, const features::FoundResource& found,
                          const ResourceResult& result) {
  const Revision& revision = *exchange.revision;
  exchange.complete(
      [&](std::string& out) {
        out.append("\"contents\":");
        json::Writer writer(out);
        writer.begin_array();
        for (const ResourceContents& piece : result.contents)
          append_piece(writer, revision, uri, found.mime_type(), piece);
        writer.end_array();
        if (revision.modern) append_caching(out, exchange, found);
      },
      result.meta);
}

}  // namespace toolwire::protocol
