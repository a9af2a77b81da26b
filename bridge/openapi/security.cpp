#include "openapi/security.hpp"

#include <string_view>
#include <utility>

#include <toolwire/json_members.hpp>

#include <toolwire/http/detail/header_text.hpp>

namespace toolwire::bridge::openapi {
namespace {

constexpr std::size_t max_prefix = 32;

/// "Pet store (v1)" → "PET_STORE_V1".
std::string as_variable(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const bool small = c >= 'a' && c <= 'z';
    const bool plain = (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (small || plain) {
      name += small ? static_cast<char>(c - 'a' + 'A') : c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  if (name.size() > max_prefix) name.resize(max_prefix);
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name.empty() || (name.front() >= '0' && name.front() <= '9') ? "API_" + name : name;
}

}  // namespace

SecurityImport::SecurityImport(const Document& document, Findings& notes)
    : document_(document),
      notes_(notes),
      prefix_(as_variable(text_member(member_or_null(document.whole(), "info"), "title"))) {}

JsonObject SecurityImport::headers_for(const JsonObject& operation, const std::string& place) {
  const JsonArray* alternatives = array_member(operation, "security");
  const bool own = alternatives != nullptr;
  if (!own) alternatives = array_member(document_.whole(), "security");
  if (alternatives == nullptr || alternatives->empty()) return {};
  for (const Json& alternative : *alternatives) {
    if (!alternative.is_object()) continue;
    if (auto headers = headers_of(alternative.get_object())) return *std::move(headers);
  }
  notes_.hint(own ? below(place, "security") : "/security",
              "not carried over: expected a scheme that is sent in a header; add it to the binding of the tool");
  return {};
}

std::optional<JsonObject> SecurityImport::headers_of(const JsonObject& alternative) {
  JsonObject headers;
  for (const auto& [scheme, scopes] : alternative) {
    const auto header = header_of(std::string(scheme));
    if (!header || headers.contains(header->name)) return std::nullopt;
    headers[header->name] = header->value;
    variables_.emplace(header->variable, header->meaning);
  }
  return headers;
}

std::optional<SecurityImport::Header> SecurityImport::header_of(const std::string& scheme) const {
  const Json& stated = member_or_null(document_.whole(), "components", "securitySchemes", scheme);
  const JsonObject* const object = document_.object(stated);
  if (object == nullptr) return std::nullopt;
  const std::string variable = prefix_ + "_" + as_variable(scheme);
  const std::string place = "${env:" + variable + "}";
  const std::string type = text_or(*object, "type");
  const std::string in = text_or(*object, "in");
  const std::string name = text_or(*object, "name");
  if (type == "apiKey" && !header_text::is_token(name)) return std::nullopt;  // could name another variable
  if (type == "apiKey" && in == "header") return Header{name, place, variable, "the header " + name};
  if (type == "apiKey" && in == "cookie") return Header{"Cookie", name + "=" + place, variable, "the cookie " + name};
  if (type == "oauth2" || type == "openIdConnect")
    return Header{"Authorization", "Bearer " + place, variable, "an access token of " + type};
  if (type != "http") return std::nullopt;
  const std::string way = header_text::lower(text_or(*object, "scheme"));
  if (way == "bearer") return Header{"Authorization", "Bearer " + place, variable, "a bearer token"};
  if (way == "basic") return Header{"Authorization", "Basic " + place, variable, "user:password in base64"};
  return std::nullopt;
}

}  // namespace toolwire::bridge::openapi
