#include "play/served.hpp"

#include <utility>

#include <toolwire/error.hpp>

namespace toolwire::conformance {
namespace {

const JsonObject server_info{{"name", "toolwire-played-server"}, {"version", "1"}};

Json the_tool() {
  return JsonObject{
      {"name", played_tool},
      {"description", "Says the text again. " + std::string(listed_marker)},
      {"inputSchema",
       {{"type", "object"}, {"properties", {{"text", {{"type", "string"}}}}}, {"required", JsonArray{Json("text")}}}},
      {"annotations", {{"readOnlyHint", true}}}};
}

JsonObject all_capabilities(const Revision& revision) {
  JsonObject all{{"tools", {{"listChanged", true}}},
                 {"resources", {{"subscribe", true}, {"listChanged", true}}},
                 {"prompts", {{"listChanged", true}}},
                 {"logging", JsonObject{}}};
  if (revision.name >= "2025-03-26") all["completions"] = JsonObject{};
  return all;
}

bool is_cacheable(const std::string& method) {
  return method.ends_with("/list") || method == "resources/read" || method == "server/discover";
}

}  // namespace

Json response(const Json& id, JsonObject result) {
  return JsonObject{{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

Json error_response(const Json& id, int code, std::string_view text, const Json& data) {
  JsonObject error{{"code", code}, {"message", text}};
  if (!data.is_null()) error["data"] = data;
  return JsonObject{{"jsonrpc", "2.0"}, {"id", id}, {"error", std::move(error)}};
}

Json request(const Json& id, std::string_view method, JsonObject params) {
  JsonObject message{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}};
  if (!params.empty()) message["params"] = std::move(params);
  return message;
}

Json notification(std::string_view method, JsonObject params) {
  JsonObject message{{"jsonrpc", "2.0"}, {"method", method}};
  if (!params.empty()) message["params"] = std::move(params);
  return message;
}

JsonObject text_content(std::string_view text) {
  return {{"content", JsonArray{JsonObject{{"type", "text"}, {"text", text}}}}};
}

Served::Served(const Revision& spoken)
    : revision(spoken),
      capabilities(all_capabilities(spoken)),
      tools{the_tool()},
      resources{JsonObject{{"uri", "toolwire://text"}, {"name", "text"}}},
      prompts{JsonObject{{"name", "toolwire_prompt"}}} {}

JsonObject Served::result(JsonObject members, bool cacheable) const {
  if (!revision.modern) return members;
  members.emplace("resultType", "complete");
  members.emplace("_meta", JsonObject{{std::string(meta_prefix) + "serverInfo", server_info}});
  if (cacheable) {
    members.emplace("ttlMs", 0);
    members.emplace("cacheScope", "private");
  }
  return members;
}

JsonObject Served::opening_result() const {
  JsonObject members;
  if (revision.modern)
    members = {{"supportedVersions", JsonArray{Json(revision.name)}}, {"capabilities", capabilities}};
  else
    members = {{"protocolVersion", revision.name}, {"capabilities", capabilities}, {"serverInfo", server_info}};
  for (const auto& [name, value] : opening) members[name] = value;
  return result(std::move(members), true);
}

Json Served::response_to(const Message& request) const {
  const Json id = request.id().value_or(nullptr);
  const std::string method = request.method();
  if (method == (revision.modern ? "server/discover" : "initialize")) return response(id, opening_result());
  const Json asked = get(request.member("params"), "_meta", std::string(meta_prefix) + "protocolVersion");
  if (revision.modern && method != "initialize" && asked.is_string() && text_of(asked) != revision.name)
    return error_response(id, error_code::unsupported_protocol_version, "Unsupported protocol version",
                          JsonObject{{"supported", JsonArray{Json(revision.name)}}, {"requested", asked}});
  const Json members = result_of(method, request);
  if (members.is_null())
    return error_response(id, error_code::method_not_found,
                          "Method not found: " + method + "; this server speaks " + std::string(revision.name));
  if (members.is_string()) return error_response(id, error_code::invalid_params, text_of(members));
  return response(id, result(members.as_object(), is_cacheable(method)));
}

/// Null: there is no such method; a string: what is wrong with the request.
Json Served::result_of(const std::string& method, const Message& request) const {
  if (Json list = list_of(method); !list.is_null()) return list;
  const Json& params = request.member("params");
  if (method == "tools/call" && text_of(get(params, "name")) != played_tool) return "unknown tool";
  if (method == "tools/call") return text_content(answer_marker);
  if (method == "resources/read")
    return JsonObject{
        {"contents",
         JsonArray{JsonObject{{"uri", get(params, "uri")}, {"mimeType", "text/plain"}, {"text", answer_marker}}}}};
  if (method == "prompts/get")
    return JsonObject{
        {"messages",
         JsonArray{JsonObject{{"role", "user"}, {"content", JsonObject{{"type", "text"}, {"text", answer_marker}}}}}}};
  if (method == "completion/complete") return JsonObject{{"completion", JsonObject{{"values", JsonArray{}}}}};
  const bool is_empty = method == "logging/setLevel" || method == "ping" || method == "resources/subscribe" ||
                        method == "resources/unsubscribe";
  return is_empty && !revision.modern ? Json(JsonObject{}) : Json(nullptr);
}

Json Served::list_of(const std::string& method) const {
  const auto list = [&](const char* capability, std::string_view name, const JsonArray& items) -> Json {
    if (!capabilities.contains(capability)) return nullptr;
    return JsonObject{{name, items}};
  };
  if (method == "tools/list") return list("tools", "tools", tools);
  if (method == "resources/list") return list("resources", "resources", resources);
  if (method == "resources/templates/list") return list("resources", "resourceTemplates", JsonArray{});
  if (method == "prompts/list") return list("prompts", "prompts", prompts);
  return nullptr;
}

}  // namespace toolwire::conformance
