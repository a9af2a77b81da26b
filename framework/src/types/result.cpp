#include "toolwire/result.hpp"

#include <utility>
#include <variant>

#include "toolwire/json_members.hpp"
#include "types/block_text.hpp"

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

namespace detail {
namespace {

/// A text as it is, anything else as JSON.
std::string text_of(const Json& value) {
  return value.is_string() ? std::string(value.get_string()) : to_json_text(value);
}

}  // namespace

AnyOutcome outcome_of(ToolResult&& result) { return std::move(result); }

AnyOutcome nothing_to_say() { return ToolResult{}; }

/// Made in its place: it is what most tools return.
AnyOutcome text_outcome(std::string&& text) {
  AnyOutcome outcome;
  std::get_if<ToolResult>(&outcome)->add_text(std::move(text));
  return outcome;
}

AnyOutcome error_text_outcome(std::string text) { return ToolResult::error(std::move(text)); }

AnyOutcome error_outcome_of(const Shape& shape, const void* error) {
  Json json = encode(shape, error);
  ToolResult result = ToolResult::error(text_of(json));
  if (json.is_object()) result.structured = std::move(json);
  return result;
}

std::string text_of_value(const Shape& shape, const void* value) { return text_of(encode(shape, value)); }

AnyOutcome structured_outcome(const Shape& shape, const void* value) { return ToolResult::of(encode(shape, value)); }

AnyOutcome outcome_holding(const Shape& shape, const void* value) {
  JsonObject holding;
  if (value != nullptr) holding["result"] = encode(shape, value);
  return ToolResult::of(std::move(holding));
}

AnyOutcome scalar_outcome(const Shape& shape, const void* value) {
  Json json = encode(shape, value);
  ToolResult result = ToolResult::text(text_of(json));
  result.structured = JsonObject{{"result", std::move(json)}};
  return result;
}

Json schema_holding(Json schema, bool required) {
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

}  // namespace detail

Questions& Questions::also(Questions more) & {
  for (Question& question : more.list) list.push_back(std::move(question));
  return *this;
}

Questions&& Questions::also(Questions more) && { return std::move(also(std::move(more))); }

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

std::optional<std::string_view> text_in(const Content& content) {
  if (const auto* const text = std::get_if<TextContent>(&content.item)) return text->text;
  const auto* const verbatim = std::get_if<Json>(&content.item);
  const JsonObject* const block = verbatim != nullptr ? verbatim->if_object() : nullptr;
  if (block == nullptr || text_or(*block, "type") != "text") return std::nullopt;
  const Json* const text = block->if_contains("text");
  if (text == nullptr || !text->is_string()) return std::nullopt;
  return std::string_view(text->get_string());
}

std::string detail::text_at(const char* text) {
  if (text == nullptr) throw std::logic_error("the text that was returned is a null pointer");
  return text;
}

void types::set_text(Content& content, std::string text) {
  if (auto* const own = std::get_if<TextContent>(&content.item)) {
    own->text = std::move(text);
  } else {
    std::get<Json>(content.item).get_object()["text"] = text;
  }
}

}  // namespace toolwire
