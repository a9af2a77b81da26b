#include "protocol/capabilities.hpp"

#include <string_view>

#include "json/writer.hpp"

namespace toolwire::protocol {
namespace {

struct Capability {
  Feature feature;
  bool Revision::*known;  // null: in every revision
  std::string_view name;
  std::string_view (*value)(Features offered);
};

constexpr Capability capabilities[] = {
    {Feature::tools, nullptr, "tools", [](Features) -> std::string_view { return R"({"listChanged":true})"; }},
    {Feature::resources, nullptr, "resources",
     [](Features offered) -> std::string_view {
       return offered.has(Feature::resource_updates) ? R"({"subscribe":true,"listChanged":true})"
                                                     : R"({"listChanged":true})";
     }},
    {Feature::prompts, nullptr, "prompts", [](Features) -> std::string_view { return R"({"listChanged":true})"; }},
    {Feature::logging, nullptr, "logging", [](Features) -> std::string_view { return "{}"; }},
    {Feature::completions, &Revision::completions, "completions", [](Features) -> std::string_view { return "{}"; }},
    {Feature::tasks, &Revision::requested_tasks, "tasks",
     [](Features) -> std::string_view { return R"({"list":{},"cancel":{},"requests":{"tools":{"call":{}}}})"; }},
    {Feature::tasks, &Revision::extensions, "extensions",
     [](Features) -> std::string_view { return R"({"io.modelcontextprotocol/tasks":{}})"; }},
};

}  // namespace

std::string server_capabilities(const Revision& revision, Features offered) {
  std::string out;
  json::Writer writer(out);
  writer.begin_object();
  for (const Capability& capability : capabilities) {
    if (!offered.has(capability.feature)) continue;
    if (capability.known != nullptr && !(revision.*capability.known)) continue;
    writer.key(capability.name).raw(capability.value(offered));
  }
  writer.end_object();
  return out;
}

void append_instructions(std::string& out, const Service& service) {
  if (service.info.instructions.empty()) return;
  out.append(",\"instructions\":");
  json::write_string(out, service.info.instructions);
}

}  // namespace toolwire::protocol
