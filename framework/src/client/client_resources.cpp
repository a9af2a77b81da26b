#include "toolwire/client.hpp"

#include <sodium.h>

#include <utility>

#include <toolwire/json_members.hpp>

#include "client/listing.hpp"

namespace toolwire {
namespace {

[[noreturn]] void refuse(const std::string& what) { throw ProtocolError(error_code::internal_error, what); }

std::vector<ListedResource> listed(Client& client, std::string_view method, std::string_view list,
                                   std::string_view uri) {
  std::vector<ListedResource> all;
  for (const Json& item : client::list_all(client, method, list)) {
    all.push_back({.uri = text_or(item, uri),
                   .name = text_or(item, "name"),
                   .title = text_or(item, "title"),
                   .description = text_or(item, "description"),
                   .mime_type = text_or(item, "mimeType"),
                   .raw = item});
  }
  return all;
}

std::string bytes_of(const std::string& base64) {
  std::string bytes(base64.size(), '\0');
  std::size_t size = 0;
  const int failed = sodium_base642bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), base64.data(),
                                       base64.size(), nullptr, &size, nullptr, sodium_base64_VARIANT_ORIGINAL);
  if (failed != 0) refuse("a \"blob\" of \"resources/read\" is not base64");
  bytes.resize(size);
  return bytes;
}

ReadContents contents_of(const Json& piece) {
  const bool binary = find_member(piece, "blob") != nullptr;
  return {.uri = text_or(piece, "uri"),
          .contents = binary ? bytes_of(text_or(piece, "blob")) : text_or(piece, "text"),
          .mime_type = text_or(piece, "mimeType"),
          .binary = binary};
}

Suggestions complete(Client& client, JsonObject reference, std::string_view argument, std::string_view value,
                     const std::map<std::string, std::string>& context) {
  JsonObject params{{"ref", std::move(reference)}, {"argument", JsonObject{{"name", argument}, {"value", value}}}};
  if (!context.empty()) {
    JsonObject arguments;
    for (const auto& [name, text] : context) arguments[name] = text;
    params["context"] = JsonObject{{"arguments", std::move(arguments)}};
  }
  const Json result = client.request("completion/complete", params);
  const Json* completion = find_member(result, "completion");
  const Json* values = completion != nullptr ? find_member(*completion, "values") : nullptr;
  if (values == nullptr || !values->is_array()) refuse("the result of \"completion/complete\" has no values");
  Suggestions suggestions{.raw = *completion};
  for (const Json& one : values->get_array()) {
    if (one.is_string()) suggestions.values.emplace_back(std::string_view(one.get_string()));
  }
  const Json* more = find_member(*completion, "hasMore");
  suggestions.has_more = more != nullptr && more->is_bool() && more->get_bool();
  return suggestions;
}

}  // namespace

std::vector<ListedResource> list_resources(Client& client) {
  return listed(client, "resources/list", "resources", "uri");
}

std::vector<ListedResource> list_resource_templates(Client& client) {
  return listed(client, "resources/templates/list", "resourceTemplates", "uriTemplate");
}

std::vector<ReadContents> read_resource(Client& client, std::string_view uri) {
  const Json result = client.request_with_questions("resources/read", {{"uri", uri}});
  const Json* contents = find_member(result, "contents");
  if (contents == nullptr || !contents->is_array()) {
    refuse("the result of \"resources/read\" has no contents");
  }
  std::vector<ReadContents> read;
  for (const Json& piece : contents->get_array()) read.push_back(contents_of(piece));
  return read;
}

Suggestions complete_prompt(Client& client, std::string_view prompt, std::string_view argument, std::string_view value,
                            const std::map<std::string, std::string>& context) {
  return complete(client, {{"type", "ref/prompt"}, {"name", prompt}}, argument, value, context);
}

Suggestions complete_template(Client& client, std::string_view uri_template, std::string_view variable,
                              std::string_view value, const std::map<std::string, std::string>& context) {
  return complete(client, {{"type", "ref/resource"}, {"uri", uri_template}}, variable, value, context);
}

}  // namespace toolwire
