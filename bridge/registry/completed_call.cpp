#include <toolwire/bridge/registry.hpp>

#include "registry/call_fields.hpp"
#include "registry/outcome_code.hpp"

namespace toolwire::bridge {
namespace {

std::string text_of(const ToolResult& result) {
  std::string text;
  for (const Content& block : result.content) {
    if (const auto one = text_in(block)) text.append(text.empty() ? "" : "\n").append(*one);
  }
  return text;
}

}  // namespace

Json CompletedCall::output() const { return result.structured ? *result.structured : Json(text_of(result)); }

std::string CompletedCall::error() const { return failed() ? text_of(result) : std::string(); }

Json CompletedCall::to_json() const {
  JsonObject json{{"call", filled(call)}};
  if (failed()) {
    json["error"] = JsonObject{{"code", code_of(AnyOutcome(result))}, {"message", error()}};
  } else {
    json["output"] = output();
  }
  return json;
}

}  // namespace toolwire::bridge
