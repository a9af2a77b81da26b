#include "client/dialect.hpp"

#include <utility>

namespace toolwire::client {

JsonObject Dialect::complete(JsonObject params) const {
  if (!modern()) return params;
  Json& meta = params["_meta"];
  if (!meta.is_object()) meta.emplace_object();
  // 2026-07-28 basic/index: every request names revision, client and capabilities.
  JsonObject& members = meta.get_object();
  members.insert({{protocol::meta_key::protocol_version, JsonString{revision->name}}});
  members.insert({{protocol::meta_key::client_info, client_info}});
  members.insert({{protocol::meta_key::client_capabilities, capabilities}});
  return params;
}

Dialect dialect_of(const ClientOptions& options) {
  Dialect dialect{.client_info = {{"name", options.name}, {"version", options.version}},
                  .capabilities = options.capabilities};
  // An empty object means forms, and means it in every revision that has elicitation.
  if (options.on_elicitation && !dialect.capabilities.contains("elicitation"))
    dialect.capabilities["elicitation"] = JsonObject{};
  if (options.tasks) {
    Json& extensions = dialect.capabilities["extensions"];
    if (!extensions.is_object()) extensions.emplace_object();
    extensions.get_object().insert({{"io.modelcontextprotocol/tasks", JsonObject{}}});
  }
  return dialect;
}

}  // namespace toolwire::client
