// Structured results (server/tools, structured content).
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

void text_fallback(Probe& probe) {
  const Json result = structured_result(probe);
  const JsonArray* content = get(result, "content").if_array();
  bool found = false;
  for (const Json& block : content != nullptr ? *content : JsonArray{}) {
    try {
      found |= parse_json(text_of(get(block, "text"))) == get(result, "structuredContent");
    } catch (const JsonError&) {
      continue;  // a text of another kind
    }
  }
  probe.expect(found, "a text block with the same JSON", shown(result));
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
