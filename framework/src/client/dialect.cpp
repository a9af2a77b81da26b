#include "client/dialect.hpp"

#include <utility>

#include "json/writer.hpp"

namespace toolwire::client {

void MetaText::add(std::string_view key, std::string text) {
  if (!all.empty()) all += ',';
  json::write_string(all, key);
  all.append(":").append(text);
  members.push_back({key, std::move(text)});
}

MetaText Dialect::request_meta() const {
  MetaText meta;
  if (!modern()) return meta;
  // 2026-07-28 basic/index: every request names revision, client and capabilities.
  meta.add(protocol::meta_key::protocol_version, to_json_text(Json(JsonString{revision->name})));
  meta.add(protocol::meta_key::client_info, to_json_text(client_info));
  meta.add(protocol::meta_key::client_capabilities, to_json_text(capabilities));
  return meta;
}

Dialect dialect_of(const ClientOptions& options) {
  Dialect dialect{.client_info = {{"name", options.name}, {"version", options.version}},
                  .capabilities = options.capabilities};
  const auto declare = [&](const char* capability, bool is_there) {
    if (is_there && !dialect.capabilities.contains(capability)) dialect.capabilities[capability] = JsonObject{};
  };
  // An empty object means forms, and means it in every revision that has elicitation.
  declare("elicitation", static_cast<bool>(options.on_elicitation));
  declare("sampling", static_cast<bool>(options.on_sampling));
  declare("roots", static_cast<bool>(options.on_roots));
  if (options.tasks) {
    Json& extensions = dialect.capabilities["extensions"];
    if (!extensions.is_object()) extensions.emplace_object();
    extensions.get_object().insert({{"io.modelcontextprotocol/tasks", JsonObject{}}});
  }
  return dialect;
}

}  // namespace toolwire::client
