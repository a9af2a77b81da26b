#include "toolwire/result.hpp"

namespace toolwire {

ToolResult ToolResult::text(std::string text) {
  ToolResult result;
  result.add_text(std::move(text));
  return result;
}

ToolResult ToolResult::error(std::string text) {
  ToolResult result = ToolResult::text(std::move(text));
  result.is_error = true;
  return result;
}

ToolResult ToolResult::of(Json structured) {
  ToolResult result = ToolResult::text(to_json_text(structured));
  result.structured = std::move(structured);
  return result;
}

ToolResult detail::result_holding(Json value) { return ToolResult::of(JsonObject{{"result", std::move(value)}}); }

ToolResult detail::result_of_scalar(Json value) {
  ToolResult result = ToolResult::text(value.is_string() ? std::string(value.get_string()) : to_json_text(value));
  result.structured = JsonObject{{"result", std::move(value)}};
  return result;
}

ToolResult detail::error_holding(Json error) {
  ToolResult result = ToolResult::error(error.is_string() ? std::string(error.get_string()) : to_json_text(error));
  if (error.is_object()) result.structured = std::move(error);
  return result;
}

Json detail::schema_holding(Json schema, bool required) {
  // What is referred to stands at the root.
  Json definitions;
  if (JsonObject* held = schema.if_object(); held != nullptr && held->contains("$defs")) {
    definitions = std::move(held->at("$defs"));
    held->stable_erase("$defs");
  }
  JsonObject holding{{"type", "object"}, {"properties", JsonObject{{"result", std::move(schema)}}}};
  if (required) holding["required"] = JsonArray{"result"};
  holding["additionalProperties"] = false;
  if (!definitions.is_null()) holding["$defs"] = std::move(definitions);
  return holding;
}

ToolResult& ToolResult::add(Content item) {
  content.push_back(std::move(item));
  return *this;
}

ToolResult& ToolResult::add_text(std::string text) {
  std::get<TextContent>(content.emplace_back().item).text = std::move(text);
  return *this;
}

ToolResult& ToolResult::add_detail(std::string_view name, Json value) {
  Json& details = meta["dev.toolwire/details"];
  if (!details.is_object()) details = JsonObject{};
  details.get_object()[name] = std::move(value);
  return *this;
}

ToolResult failure(std::string_view code, std::string text, bool retryable,
                   std::optional<std::int64_t> retry_after_ms) {
  ToolResult result = ToolResult::error(std::move(text));
  JsonObject details{{"code", code}, {"retryable", retryable}};
  if (retry_after_ms) details["retryAfterMs"] = *retry_after_ms;
  result.meta["dev.toolwire/error"] = std::move(details);
  return result;
}

ToolResult unknown_outcome(std::string_view code, std::string text) {
  ToolResult result = failure(code, std::move(text), false);
  result.meta["dev.toolwire/error"].get_object()["outcome"] = "unknown";
  return result;
}

Question form_question(std::string key, std::string_view message, Json requested_schema) {
  Json params = JsonObject{{"mode", "form"}, {"message", message}, {"requestedSchema", std::move(requested_schema)}};
  return {std::move(key), "elicitation/create", std::move(params)};
}

}  // namespace toolwire
