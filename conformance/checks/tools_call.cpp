// What a tool's result is made of.
#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

#include "checks/tools.hpp"

namespace toolwire::conformance {
namespace {

struct Kind {
  std::string_view fixture;
  std::string_view type;   // of the content block
  std::string_view since;  // the first revision that has it
};

constexpr std::array kinds{Kind{"tool:text", "text", "2024-11-05"}, Kind{"tool:image", "image", "2024-11-05"},
                           Kind{"tool:audio", "audio", "2025-03-26"},
                           Kind{"tool:resource-link", "resource_link", "2025-06-18"},
                           Kind{"tool:embedded-resource", "resource", "2024-11-05"}};

Json result_of(Probe& probe, const Callable& tool) {
  const Answer answer = probe.session().request_with_inputs("tools/call", tool.params());
  probe.expect_result(answer, "tools/call of " + tool.name);
  return answer.result;
}

const JsonArray& tools_content_of(Probe& probe, const Json& result) {
  const JsonArray* content = get(result, "content").if_array();
  if (content == nullptr) probe.fail("an array \"content\"", shown(result));
  return *content;
}

/// The first block of a type in the result of a fixture.
Json block_of(Probe& probe, std::string_view fixture, std::string_view type) {
  const Json result = result_of(probe, probe.need_tool(fixture));
  for (const Json& block : tools_content_of(probe, result)) {
    if (text_of(get(block, "type")) == type) return block;
  }
  probe.fail("a block of the type " + std::string(type), shown(result));
}

void call_content_array(Probe& probe) {
  const Json result = result_of(probe, probe.any_tool());
  tools_content_of(probe, result);
}

void expect_known_block(Probe& probe, const Json& block) {
  const std::string_view type = text_of(get(block, "type"));
  const auto* known = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& it) { return it.type == type; });
  probe.expect(known != kinds.end(), "content of a known type", shown(block));
  probe.expect(probe.since(known->since), "no content newer than the revision", shown(block));
}

/// Calls `judge` with each block of the results of all fixtures, or of another tool.
void each_block(Probe& probe, void (*judge)(Probe&, const Json& block)) {
  std::vector<Callable> tools;
  for (std::string_view kind : {"tool:text", "tool:image", "tool:audio", "tool:resource-link", "tool:embedded-resource",
                                "tool:mixed-content", "tool:error", "tool:structured"}) {
    if (probe.find(kind)) tools.push_back(probe.need_tool(kind));
  }
  if (tools.empty()) tools.push_back(probe.any_tool());
  for (const Callable& tool : tools) {
    const Json result = result_of(probe, tool);
    for (const Json& block : tools_content_of(probe, result)) judge(probe, block);
  }
}

void call_content_valid(Probe& probe) { each_block(probe, expect_known_block); }

void call_text(Probe& probe) {
  const Json block = block_of(probe, "tool:text", "text");
  probe.expect(get(block, "text").is_string(), "a string \"text\"", shown(block));
}

/// How the base64 of some types begins, whatever comes then.
constexpr std::pair<std::string_view, std::string_view> beginnings[] = {
    {"image/png", "iVBORw0KGgo"}, {"image/jpeg", "/9j/"}, {"image/gif", "R0lGOD"},
    {"image/webp", "UklGR"},      {"audio/wav", "UklGR"}, {"audio/ogg", "T2dnU"}};

void tools_expect_binary(Probe& probe, const Json& block) {
  probe.expect(is_base64(text_of(get(block, "data"))), "\"data\" in base64", shown(block));
  probe.expect(get(block, "mimeType").is_string(), "a string \"mimeType\"", shown(block));
  const std::string_view type = text_of(get(block, "mimeType"));
  if (!is_mime_type(type)) probe.warn("a MIME type, as image/png", shown(get(block, "mimeType")));
  for (const auto& [name, beginning] : beginnings) {
    if (type == name && !text_of(get(block, "data")).starts_with(beginning))
      probe.warn("data that begins as " + std::string(type) + " does", shown(block));
  }
}

void call_image(Probe& probe) { tools_expect_binary(probe, block_of(probe, "tool:image", "image")); }
void call_audio(Probe& probe) { tools_expect_binary(probe, block_of(probe, "tool:audio", "audio")); }

void call_resource_link(Probe& probe) {
  const Json block = block_of(probe, "tool:resource-link", "resource_link");
  probe.expect(has_scheme(text_of(get(block, "uri"))), "a URI \"uri\", with a scheme", shown(block));
  probe.expect(get(block, "name").is_string(), "a string \"name\"", shown(block));
}

void call_embedded_resource(Probe& probe) {
  const Json block = block_of(probe, "tool:embedded-resource", "resource");
  const Json& resource = get(block, "resource");
  probe.expect(has_scheme(text_of(get(resource, "uri"))), "a resource with a URI \"uri\", with a scheme", shown(block));
  probe.expect(get(resource, "text").is_string() != is_base64(text_of(get(resource, "blob"))),
               "either \"text\" or \"blob\" in base64", shown(block));
}

void embedded_implies_resources(Probe& probe) {
  block_of(probe, "tool:embedded-resource", "resource");
  probe.expect(probe.offer().has("resources"), "the capability \"resources\"", shown(Json(probe.offer().capabilities)));
}

void call_iserror_boolean(Probe& probe) {
  const Json result = result_of(probe, probe.find("tool:error") ? probe.need_tool("tool:error") : probe.any_tool());
  const Json* flag = result.as_object().if_contains("isError");
  probe.expect(flag == nullptr || flag->is_bool(), "a boolean isError, or none", shown(result));
}

void exec_error_in_result(Probe& probe) {
  for (std::string_view kind : {"tool:error", "tool:throws"}) {
    if (!probe.find(kind)) continue;
    const Answer answer = probe.session().request("tools/call", probe.need_tool(kind).params());
    probe.expect_answer(answer, "tools/call of a tool that fails");
    probe.expect(answer.ok() && get(answer.result, "isError") == Json(true), "a result with isError true",
                 answer.text());
    probe.expect(!text_in(answer.result).empty(), "a text that says why", shown(answer.result));
  }
  if (!probe.find("tool:error") && !probe.find("tool:throws")) probe.need("tool:error");
}

void expect_annotations(Probe& probe, const Json& block) {
  const Json& annotations = get(block, "annotations");
  const Json& priority = get(annotations, "priority");
  const double value = priority.is_number() ? priority.to_number<double>() : 0;
  probe.expect((priority.is_null() || priority.is_number()) && value >= 0 && value <= 1, "a priority from 0 to 1",
               shown(block));
  const Json& modified = get(annotations, "lastModified");
  probe.expect(modified.is_null() || !probe.since("2025-06-18") || is_date_time(text_of(modified)),
               "lastModified in ISO 8601", shown(block));
  const JsonArray* audience = get(annotations, "audience").if_array();
  for (const Json& role : audience != nullptr ? *audience : JsonArray{})
    probe.expect(text_of(role) == "user" || text_of(role) == "assistant", "an audience of user or assistant",
                 shown(block));
}

void content_annotations(Probe& probe) { each_block(probe, expect_annotations); }

void params_task_ignored(Probe& probe) {
  const Callable tool = probe.any_tool();
  JsonObject params = tool.params();
  params["task"] = JsonObject{{"ttl", 1000}};
  const Answer answer = probe.opened().request("tools/call", params);
  probe.expect_result(answer, "tools/call with a member \"task\"");
  probe.expect(text_of(get(answer.result, "resultType")) != "task", "an ordinary result", shown(answer.result));
}

}  // namespace

std::span<const Check> tools_call_checks() {
  static constexpr Check checks[] = {
      {"tools-call-content-array", call_content_array},
      {"tools-call-content-valid", call_content_valid},
      {"tools-call-text", call_text},
      {"tools-call-image", call_image},
      {"tools-call-audio", call_audio},
      {"tools-call-resource-link", call_resource_link},
      {"tools-call-embedded-resource", call_embedded_resource},
      {"tools-embedded-implies-resources", embedded_implies_resources},
      {"tools-call-iserror-boolean", call_iserror_boolean},
      {"tools-exec-error-in-result", exec_error_in_result},
      {"tools-content-annotations", content_annotations},
      {"tools-params-task-ignored", params_task_ignored},
  };
  return checks;
}

}  // namespace toolwire::conformance
