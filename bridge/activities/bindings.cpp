#include "activities/bindings.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <toolwire/json_members.hpp>
#include <toolwire/schema.hpp>
#include <toolwire/system/file_text.hpp>

#include "activities/bindings_schema.hpp"
#include "manifest/findings.hpp"

namespace toolwire::bridge {
namespace {

const Schema& bindings_schema() {
  static const Schema schema = Schema::compile(parse_json(bindings_schema_text()));
  return schema;
}

std::optional<Json> parse(std::string_view text, Findings& findings) {
  if (text.size() > max_bindings) {
    findings.problem("", "expected at most " + std::to_string(max_bindings) + " bytes");
    return std::nullopt;
  }
  try {
    return parse_json(text, {.duplicate_keys = DuplicateKeys::refuse});
  } catch (const JsonError& error) {
    findings.problem("", std::string("expected JSON: ") + error.what());
    return std::nullopt;
  }
}

std::string names(const std::vector<std::string>& list) {
  std::string all;
  for (const std::string& name : list) all += (all.empty() ? "" : ", ") + bridge::in_quotes(name);
  return all.empty() ? "none" : all;
}

/// Entries of one level replace those of the levels before; `null` removes one.
void take_named(const JsonObject& level, std::string_view kind, std::map<std::string, Json, std::less<>>& into) {
  const JsonObject* const entries = object_member(level, kind);
  if (entries == nullptr) return;
  for (const auto& [name, entry] : *entries) {
    into.erase(std::string(name));
    if (!entry.is_null()) into.emplace(name, entry);
  }
}

/// Reads one level: the file itself, then the profile over it.
void take_entries(const JsonObject& level, const std::string& pointer, Bindings& bindings) {
  if (const JsonObject* entries = object_member(level, "bindings")) {
    for (const auto& [name, entry] : *entries) {
      bindings.by_name.erase(std::string(name));
      if (entry.is_null()) {
        bindings.removed.emplace(name);
        continue;
      }
      const auto& [kind, settings] = *entry.get_object().begin();
      bindings.by_name.emplace(name, Binding{kind, settings, below(below(below(pointer, "bindings"), name), kind)});
    }
  }
  take_named(level, "servers", bindings.servers);
  take_named(level, "runtimes", bindings.runtimes);
  if (const Json* latent = level.if_contains("latent"))
    bindings.latent = *latent == "inline" ? Latent::inlined : *latent == "sampling" ? Latent::sampling : Latent::hidden;
  if (const Json* dangling = level.if_contains("dangling"))
    bindings.dangling = *dangling == "latent" ? Dangling::latent : Dangling::fail;
}

void take_document(const JsonObject& document, const std::string& profile, Bindings& bindings, Findings& findings) {
  take_entries(document, "", bindings);
  const JsonObject* profiles = object_member(document, "profiles");
  const JsonObject* chosen = nullptr;
  if (profiles != nullptr) {
    for (const auto& [name, entries] : *profiles) {
      bindings.profiles.emplace_back(name);
      if (std::string_view(name) == profile) chosen = &entries.get_object();
    }
  }
  if (chosen != nullptr) {
    take_entries(*chosen, below("/profiles", profile), bindings);
  } else if (!profile.empty()) {
    findings.problem("/profiles", "expected a profile called " + bridge::in_quotes(profile) + "; there are " +
                                      names(bindings.profiles));
  }
}

}  // namespace

BindingsReading read_bindings(std::string_view text, const std::string& profile, const std::string& name,
                              const std::string& directory) {
  Findings findings(name);
  Bindings bindings{.file = name, .directory = directory};
  if (const auto document = parse(text, findings)) {
    for (const SchemaViolation& violation : bindings_schema().validate(*document))
      findings.problem(violation.instance_path, violation.message);
    if (!findings.has_problems()) take_document(document->get_object(), profile, bindings, findings);
  }
  if (findings.has_problems()) return {.problems = findings.take_problems(text)};
  return {.bindings = std::move(bindings)};
}

std::optional<Bindings> read_bindings_part(const Json& part, const std::string& name, const std::string& directory,
                                           const std::function<std::string(const std::string&)>& place,
                                           Findings& findings) {
  const auto violations = bindings_schema().validate(part);
  for (const SchemaViolation& violation : violations)
    findings.problem(place(violation.instance_path), violation.message);
  if (!violations.empty()) return std::nullopt;
  Bindings bindings{.file = name, .directory = directory, .base = place("")};
  take_entries(part.get_object(), "", bindings);
  for (auto& [activity, binding] : bindings.by_name) binding.pointer = place(binding.pointer);
  return bindings;
}

BindingsReading read_bindings_file(const std::string& path, const std::string& profile) {
  try {
    return read_bindings(system::text_of_file(path, max_bindings), profile, path,
                         std::filesystem::path(path).parent_path().string());
  } catch (const std::system_error& error) {
    return {.problems = {{.file = path,
                          .text = error.code() == std::errc::file_too_large
                                      ? "expected at most " + std::to_string(max_bindings) + " bytes"
                                      : "expected a readable file: " + error.code().message()}}};
  }
}

std::string bindings_path_of(const std::string& manifest_path) {
  return std::filesystem::path(manifest_path).replace_extension(".bindings.json").string();
}

}  // namespace toolwire::bridge
