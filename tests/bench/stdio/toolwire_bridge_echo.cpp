// The tools of toolwire-echo as native tools with C++ Activities behind a bridge: what its registries and checks cost.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>

#include <toolwire/bridge/bridge.hpp>

namespace {

using namespace toolwire;
using namespace toolwire::bridge;

const char* const echo_schema = R"({"type": "object", "description": "Return the text unchanged", "properties": {
  "_tool": {"const": "echo"}, "text": {"type": "string", "description": "Text to return"}},
  "required": ["text"], "additionalProperties": false})";

const char* const add_schema = R"({"type": "object", "description": "Add two numbers", "properties": {
  "_tool": {"const": "add"}, "a": {"type": "number"}, "b": {"type": "number"}},
  "required": ["a", "b"], "additionalProperties": false})";

const char* const sleep_schema = R"({"type": "object", "properties": {"_tool": {"const": "sleep"},
  "ms": {"type": "number", "minimum": 0, "maximum": 3600000, "default": 300}},
  "description": "Sleep, or return early when the call is cancelled", "additionalProperties": false})";

Json sleep_until_stopped(const Json& parameters, ActivityContext& context) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any never_notified;  // but by the stop token
  const Json* const ms = parameters.get_object().if_contains("ms");
  const std::chrono::duration<double, std::milli> span(ms == nullptr ? 300 : ms->to_number<double>());
  never_notified.wait_for(lock, context.stop_token(), span, [] { return false; });
  return context.stop_requested() ? "stopped" : "slept";
}

}  // namespace

int main(int argc, char** argv) {
  Bridge bridge{{.name = "toolwire-bridge-echo", .version = "1.0.0"}};
  for (const char* const schema : {echo_schema, add_schema, sleep_schema}) bridge.tool(parse_json(schema));
  bridge.activities().add("echo", [](const Json& parameters) { return parameters.at("text"); });
  bridge.activities().add("add", [](const Json& parameters) {
    return Json(parameters.at("a").to_number<double>() + parameters.at("b").to_number<double>());
  });
  bridge.activities().add("sleep", sleep_until_stopped);
  return bridge.serve_stdio(argc, argv);
}
