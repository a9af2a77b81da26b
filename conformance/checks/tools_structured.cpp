// Structured results (server/tools, structured content).
#include <algorithm>
#include <optional>
#include <string>

#include <toolwire/schema.hpp>

#include "checks/tools.hpp"

namespace toolwire::conformance {
namespace {

Json structured_result(Probe& probe, std::string_view fixture = "tool:structured") {
  const Callable tool = probe.need_tool(fixture);
  const Answer answer = probe.session().request("tools/call", tool.params());
  probe.expect_result(answer, "tools/call of " + tool.name);
  return answer.result;
}

void present(Probe& probe) {
  const Json result = structured_result(probe);
  const bool there = result.as_object().contains("structuredContent");
  probe.expect(there || get(result, "isError") == Json(true), "structuredContent of a tool with outputSchema",
               shown(result));
}

void expect_conforming(Probe& probe, std::string_view fixture) {
  const Json* tool = probe.offer().tool(probe.need(fixture).name);
  const Json& schema = get(*tool, "outputSchema");
  if (schema.is_null()) probe.skip("the tool has no outputSchema");
  const Json result = structured_result(probe, fixture);
  if (get(result, "isError") == Json(true)) return;
  try {
    const auto violations = Schema::compile(schema).validate(get(result, "structuredContent"));
    if (!violations.empty()) probe.fail("structuredContent that fits outputSchema", violations.front().text());
  } catch (const SchemaError& error) {
    probe.skip(std::string("the outputSchema cannot be compiled: ") + error.what());
  }
}

void conforms(Probe& probe) { expect_conforming(probe, "tool:structured"); }

void type(Probe& probe) {
  const Json result = structured_result(probe);
  probe.expect(get(result, "structuredContent").is_object(), "structuredContent that is an object", shown(result));
}

void any(Probe& probe) {
  const Json result = structured_result(probe, "tool:structured-array");
  probe.expect(get(result, "structuredContent").is_array(), "structuredContent that is an array", shown(result));
  expect_conforming(probe, "tool:structured-array");
}

bool is_text_of(const Json& json, std::string_view text) {
  try {
    return parse_json(text) == json;
  } catch (const JsonError&) {
    return false;  // a text of another kind
  }
}

/// Nothing where the value is no word and no number: nobody can tell whether a text says it.
std::optional<bool> is_named(const Json& value, std::string_view texts) {
  if (!value.is_string() && !value.is_number()) return std::nullopt;
  return texts.find(value.is_string() ? text_of(value) : to_json_text(value)) != std::string_view::npos;
}

/// Whether a reader of the texts knows of all there is: of every member of a list, and of each object by one of its
/// values.
bool tells_of(const Json& structured, std::string_view texts) {
  if (const JsonArray* list = structured.if_array()) {
    return std::ranges::all_of(
        *list, [&](const Json& item) { return is_named(item, texts).value_or(true) && tells_of(item, texts); });
  }
  const JsonObject* object = structured.if_object();
  if (object == nullptr) return true;
  bool can_be_named = false;
  bool named = false;
  for (const auto& [name, value] : *object) {
    const std::optional<bool> is = is_named(value, texts);
    can_be_named |= is.has_value();
    named |= is.value_or(false);
    if (!tells_of(value, texts)) return false;
  }
  return named || !can_be_named;
}

void text_fallback(Probe& probe) {
  const Json result = structured_result(probe);
  const Json& structured = get(result, "structuredContent");
  const JsonArray* content = get(result, "content").if_array();
  std::string texts;
  for (const Json& block : content != nullptr ? *content : JsonArray{}) {
    const std::string_view text = text_of(get(block, "text"));
    if (is_text_of(structured, text)) return;
    texts.append(text).append("\n");
  }
  const bool is_told = !structured.is_null() && texts.size() > 1 && tells_of(structured, texts);
  probe.expect(is_told, "a text block with the same JSON", shown(result));
  probe.info("the text says it in another form than the serialized JSON that SHOULD be there");
}

}  // namespace

std::span<const Check> tools_structured_checks() {
  static constexpr Check checks[] = {
      {"tools-structured-present", present},
      {"tools-structured-conforms", conforms},
      {"tools-structured-type", type},
      {"tools-structured-any", any},
      {"tools-structured-text-fallback", text_fallback},
  };
  return checks;
}

}  // namespace toolwire::conformance
