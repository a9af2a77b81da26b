#include "protocol/revision.hpp"

#include <array>
#include <string>

#include "toolwire/detail/log_level.hpp"
#include "toolwire/error.hpp"

namespace toolwire::protocol {
namespace {

constexpr std::array all_revisions{
    Revision{.name = "2024-11-05"},
    Revision{
        .name = "2025-03-26", .batches = true, .tool_annotations = true, .progress_message = true, .completions = true},
    Revision{.name = "2025-06-18",
             .tool_annotations = true,
             .progress_message = true,
             .completions = true,
             .structured_output = true,
             .resource_links = true,
             .titles = true,
             .elicitation = true},
    Revision{.name = "2025-11-25",
             .tool_annotations = true,
             .progress_message = true,
             .completions = true,
             .structured_output = true,
             .resource_links = true,
             .titles = true,
             .elicitation = true,
             .elicitation_mode = true,
             .elicitation_ids = true,
             .sampling_tools = true,
             .tasks = true,
             .requested_tasks = true,
             .icons = true},
    Revision{.name = "2026-07-28",
             .modern = true,
             .tool_annotations = true,
             .progress_message = true,
             .completions = true,
             .structured_output = true,
             .any_structured_root = true,
             .resource_links = true,
             .titles = true,
             .elicitation = true,
             .elicitation_mode = true,
             .sampling_tools = true,
             .tasks = true,
             .extensions = true,
             .icons = true},
};

[[noreturn]] void refuse(const std::string& why) {
  throw ProtocolError(error_code::invalid_params, "Invalid params: " + why);
}

[[noreturn]] void refuse_version(const std::string& requested) {
  throw ProtocolError(
      error_code::unsupported_protocol_version,
      "Unsupported protocol version; in _meta use one of data.supported, or begin with initialize for 2025-11-25, "
      "2025-06-18, 2025-03-26 or 2024-11-05",
      JsonObject{{"supported", modern_names()}, {"requested", requested}});
}

/// 2026-07-28 server/utilities/logging, error handling.
void check_log_level(const JsonObject& meta) {
  const Json* level = meta.if_contains(meta_key::log_level);
  if (level == nullptr || (level->is_string() && log_level_named(level->get_string()))) return;
  refuse(
      "_meta[\"io.modelcontextprotocol/logLevel\"] must be one of debug, info, notice, warning, error, critical, "
      "alert, "
      "emergency");
}

const Revision& modern_revision(const JsonObject& meta, const Json& version) {
  if (!version.is_string()) refuse("_meta[\"io.modelcontextprotocol/protocolVersion\"] must be a string");
  std::string requested(version.get_string());
  const Revision* revision = find_revision(requested);
  if (revision == nullptr || !revision->modern) refuse_version(requested);
  const Json* capabilities = meta.if_contains(meta_key::client_capabilities);
  if (capabilities == nullptr || !capabilities->is_object()) {
    refuse("_meta[\"io.modelcontextprotocol/clientCapabilities\"] must be an object");
  }
  check_log_level(meta);
  return *revision;
}

bool has_modern_key(const JsonObject& meta) {
  return meta.contains(meta_key::client_capabilities) || meta.contains(meta_key::client_info) ||
         meta.contains(meta_key::log_level);
}

}  // namespace

std::span<const Revision> revisions() { return all_revisions; }

const Revision* find_revision(std::string_view name) {
  for (const Revision& revision : all_revisions) {
    if (revision.name == name) return &revision;
  }
  return nullptr;
}

const Revision& newest_legacy() {
  const Revision* newest = &all_revisions.front();
  for (const Revision& revision : all_revisions) {
    if (!revision.modern) newest = &revision;
  }
  return *newest;
}

JsonArray modern_names() {
  JsonArray names;
  for (const Revision& revision : all_revisions) {
    if (revision.modern) names.emplace_back(revision.name);
  }
  return names;
}

const Revision* revision_of(std::string_view method, const Json* meta, const Revision* negotiated) {
  if (meta != nullptr) {
    if (!meta->is_object()) refuse("_meta must be an object");
    if (const Json* version = meta->get_object().if_contains(meta_key::protocol_version)) {
      return &modern_revision(meta->get_object(), *version);
    }
    if (has_modern_key(meta->get_object())) refuse("_meta lacks \"io.modelcontextprotocol/protocolVersion\"");
  }
  if (negotiated != nullptr || method == "initialize" || method == "ping") return negotiated;
  refuse("begin with initialize, or send io.modelcontextprotocol/protocolVersion and clientCapabilities in _meta");
}

}  // namespace toolwire::protocol
