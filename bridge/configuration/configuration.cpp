#include "configuration/configuration.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <set>
#include <system_error>

#include <toolwire/json_members.hpp>
#include <toolwire/system/file_text.hpp>
#include <toolwire/system/nearest_name.hpp>

#include "manifest/commented_json.hpp"
#include "manifest/line_of.hpp"
#include "manifest/members.hpp"
#include "system/file_writers.hpp"

namespace toolwire::bridge {
namespace {

namespace fs = std::filesystem;

/// Under which hosts keep their servers.
constexpr std::array<std::string_view, 5> keys_of_servers{"mcpServers", "servers", "context_servers", "mcp",
                                                          "mcp_servers"};
constexpr std::string_view own_key = "toolwire";
/// What a misspelt member may have meant; other members are the host's.
constexpr std::array<std::string_view, 3> near_to{"mcpServers", "context_servers", own_key};

std::string_view misspelt(std::string_view key) {
  const std::string_view nearest = system::nearest_name(key, near_to);
  return nearest == key ? std::string_view() : nearest;
}

bool has_objects(const JsonObject& object, std::string_view name) {
  const JsonObject* const member = object_member(object, name);
  return member != nullptr && std::ranges::all_of(*member, [](const auto& one) { return one.value().is_object(); });
}

bool is_configuration(const JsonObject& object) {
  if (object.contains(own_key) || object.contains("mcpServers") || object.contains("context_servers")) return true;
  if (object.contains("tools") || object.contains("bindings") || object.contains("profiles") ||
      object.contains("runtimes") || object.contains("properties"))
    return false;
  if (has_objects(object, "mcp") || has_objects(object, "servers") || has_objects(object, "mcp_servers")) return true;
  return std::ranges::any_of(object, [](const auto& member) { return !misspelt(member.key()).empty(); });
}

std::optional<std::string> content_of(const std::string& path, std::size_t max_size) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  try {
    return system::text_of_file(path, max_size);
  } catch (const std::system_error&) {
    return std::nullopt;
  }
}

class Reader {
 public:
  Reader(std::string file, const std::string& profile, ExpansionSources sources)
      : findings_(file), expansion_(std::move(sources)) {
    read_.directory = fs::absolute(fs::path(file)).parent_path().string();
    read_.file = std::move(file);
    read_.profile = profile;
  }

  ConfigurationReading read(std::string_view text) {
    const std::string plain = without_comments(text);
    try {
      const Json document = parse_json(plain, {.duplicate_keys = DuplicateKeys::refuse});
      if (const JsonObject* const object = document.if_object()) {
        read_document(*object);
      } else {
        findings_.problem("", "expected an object with \"mcpServers\", found " + std::string(kind_of(document)));
      }
    } catch (const JsonError& error) {
      return {
          .problems = {{read_.file, line_at(plain, error.offset), "", std::string("expected JSON: ") + error.what()}}};
    }
    ConfigurationReading reading{.hints = findings_.take_hints(text)};
    if (findings_.has_problems()) {
      reading.problems = findings_.take_problems(text);
    } else {
      read_.secrets = expansion_.secrets();
      for (const ServerEntry& server : read_.servers)
        read_.secrets.insert(read_.secrets.end(), server.secrets.begin(), server.secrets.end());
      std::ranges::sort(read_.secrets, std::greater<>{}, &std::string::size);  // before those they contain
      reading.configuration = std::move(read_);
    }
    return reading;
  }

 private:
  void read_document(const JsonObject& object) {
    for (const auto& [key, value] : object) {
      if (const std::string_view meant = misspelt(key); !meant.empty())
        findings_.problem(below("", key), "unknown; did you mean " + in_quotes(meant) + "?");
    }
    read_servers(object);
    const Json* const own = object.if_contains(own_key);
    if (own != nullptr && !own->is_object()) {
      findings_.problem(below("", own_key), "expected an object, found " + std::string(bridge::kind_of(*own)));
      return;
    }
    if (own != nullptr) read_.own = own->get_object();
    take_profile();
    expand_all(read_.own, "");
  }

  static std::string_view kind_of(const Json& value) { return bridge::kind_of(value); }

  void read_servers(const JsonObject& object) {
    std::string_view found;
    for (const std::string_view key : keys_of_servers) {
      const Json* const servers = object.if_contains(key);
      if (servers == nullptr) continue;
      if (!found.empty()) {
        findings_.problem(below("", key), "servers stand in " + in_quotes(found) + " too; expected one of the two");
        continue;
      }
      found = key;
      if (servers->is_object()) {
        for (const auto& [name, entry] : servers->get_object()) read_server(std::string(name), entry, below("", key));
      } else {
        findings_.problem(below("", key),
                          "expected an object of servers by name, found " + std::string(kind_of(*servers)));
      }
    }
    if (found.empty() && !object.contains(own_key) && !findings_.has_problems())
      findings_.problem("", "expected \"mcpServers\" or \"toolwire\"");
  }

  void read_server(const std::string& name, const Json& entry, const std::string& above) {
    if (entry.is_object() && is_off(entry.get_object())) return;
    auto server = read_server_entry(name, entry, below(above, name), read_.directory, expansion_, findings_);
    if (server) read_.servers.push_back(std::move(*server));
  }

  /// What is switched off may lack what it needs.
  static bool is_off(const JsonObject& entry) {
    const Json* const disabled = entry.if_contains("disabled");
    const Json* const enabled = entry.if_contains("enabled");
    return (disabled != nullptr && *disabled == true) || (enabled != nullptr && *enabled == false);
  }

  void take_profile() {
    const Json* const stated = read_.own.if_contains("profiles");
    const JsonObject* const profiles = stated == nullptr ? nullptr : stated->if_object();
    if (stated != nullptr && profiles == nullptr)
      findings_.problem("/toolwire/profiles", "expected an object, found " + std::string(kind_of(*stated)));
    const JsonObject* chosen = nullptr;
    if (profiles != nullptr) {
      for (const auto& [name, entries] : *profiles) {
        read_.profiles.emplace_back(name);
        if (!entries.is_object())
          findings_.problem(below("/toolwire/profiles", name),
                            "expected an object, found " + std::string(kind_of(entries)));
        if (std::string_view(name) == read_.profile) chosen = entries.if_object();
      }
    }
    if (!read_.profile.empty() && chosen == nullptr)
      findings_.problem("/toolwire/profiles",
                        "expected a profile called " + in_quotes(read_.profile) + "; there are " + names_of_profiles());
    if (chosen != nullptr) put_over(JsonObject(*chosen));
    put(read_.own, "profiles", nullptr);
  }

  std::string names_of_profiles() const {
    std::string all;
    for (const std::string& name : read_.profiles) all += (all.empty() ? "" : ", ") + in_quotes(name);
    return all.empty() ? "none" : all;
  }

  /// Entries of the profile take the places of those of the same name, one level deep; null takes one away.
  void put_over(const JsonObject& profile) {
    for (const auto& [key, value] : profile) {
      if (const Json* const own = read_.own.if_contains(key); value.is_object() && (own == nullptr || own->is_null())) {
        put(read_.own, key, JsonObject());
        read_.of_profile.push_back(below("", key));
      }
      JsonObject* const before = object_in_own(key);
      if (before == nullptr || !value.is_object()) {
        put(read_.own, key, value);
        read_.of_profile.push_back(below("", key));
        continue;
      }
      for (const auto& [name, entry] : value.get_object()) {
        put(*before, name, entry);
        read_.of_profile.push_back(below(below("", key), name));
      }
    }
  }

  /// In its place in the order.
  static void put(JsonObject& into, std::string_view name, const Json& value) {
    if (!value.is_null()) {
      into.insert_or_assign(name, value);
    } else if (auto* const before = into.find(name); before != into.end()) {
      into.stable_erase(before);
    }
  }

  JsonObject* object_in_own(std::string_view key) {
    Json* const value = read_.own.if_contains(key);
    return value == nullptr ? nullptr : value->if_object();
  }

  /// All strings but those with a language of their own: bindings and runtimes have templates.
  void expand_all(JsonObject& object, const std::string& pointer) {
    for (auto& [name, value] : object) {
      const std::string here = below(pointer, name);
      if (here == "/bindings" || here == "/runtimes") continue;
      expand_value(value, here);
    }
  }

  void expand_value(Json& value, const std::string& pointer) {
    if (JsonObject* const object = value.if_object()) {
      expand_all(*object, pointer);
    } else if (JsonArray* const array = value.if_array()) {
      for (std::size_t i = 0; i < array->size(); ++i) expand_value((*array)[i], below(pointer, i));
    } else if (value.is_string()) {
      const std::string text(value.get_string());
      if (text.find("${") == std::string::npos) return;
      const auto secrets = pointer.starts_with("/traces/headers/") ? SecretPlaces::allowed : SecretPlaces::refused;
      if (auto filled = expansion_.expand(text, read_.place_of(pointer), findings_, secrets)) value = *filled;
    }
  }

  Configuration read_;
  Findings findings_;
  Expansion expansion_;
};

}  // namespace

std::string Configuration::place_of(const std::string& pointer) const {
  for (const std::string& moved : of_profile) {
    if (pointer == moved || pointer.starts_with(moved + "/")) return below("/toolwire/profiles", profile) + pointer;
  }
  return "/toolwire" + pointer;
}

DocumentKind kind_of_document(const Json& document) {
  const JsonObject* const object = document.if_object();
  if (object == nullptr) return document.is_array() ? DocumentKind::tool_schema : DocumentKind::unknown;
  if (is_configuration(*object)) return DocumentKind::configuration;
  if (const Json* const tools = object->if_contains("tools"))
    return tools->is_object() ? DocumentKind::preferences : DocumentKind::manifest;
  if (object->contains("bindings") || object->contains("runtimes") || object->contains("profiles"))
    return DocumentKind::bindings;
  const JsonObject* const properties = object_member(*object, "properties");
  if (properties != nullptr && properties->contains("_tool")) return DocumentKind::tool_schema;
  if (properties != nullptr || object->contains("$defs") || object->contains("anyOf")) return DocumentKind::schema;
  return DocumentKind::unknown;
}

DocumentKind kind_of_file(const std::string& path) {
  const auto text = content_of(path, max_manifest);
  if (!text) return DocumentKind::unknown;
  try {
    return kind_of_document(parse_json(without_comments(*text)));
  } catch (const JsonError&) {
    // Its members can be told from its text; where it is broken is said when it is read.
    const bool looks_so = text->find("\"mcpServers\"") != std::string::npos ||
                          text->find("\"toolwire\"") != std::string::npos ||
                          text->find("\"context_servers\"") != std::string::npos;
    return looks_so ? DocumentKind::configuration : DocumentKind::unknown;
  }
}

std::string_view description_of(DocumentKind kind) {
  switch (kind) {
    case DocumentKind::configuration:
      return "a configuration with MCP servers";
    case DocumentKind::manifest:
      return "a tool manifest";
    case DocumentKind::bindings:
      return "a bindings file";
    case DocumentKind::preferences:
      return "a preferences file";
    case DocumentKind::schema:
      return "a JSON Schema";
    case DocumentKind::tool_schema:
      return "a tool schema";
    case DocumentKind::unknown:
      break;
  }
  return "something else";
}

ConfigurationReading read_configuration(std::string_view text, const std::string& file, const std::string& profile,
                                        ExpansionSources sources) {
  return Reader(file, profile, std::move(sources)).read(text);
}

ConfigurationReading read_configuration_file(const std::string& file, const std::string& profile,
                                             ExpansionSources sources) {
  const auto problem = [&](const std::string& text) {
    return ConfigurationReading{.problems = {{.file = file, .text = text}}};
  };
  if (const std::string others = other_writers(file); !others.empty())
    return problem("can be written by " + others +
                   ", and decides which programs are started; expected that only you can: chmod go-w " + file);
  if (const std::string others = other_writers_of_folders(file); !others.empty())
    return problem("stands in a folder in which " + others +
                   " can put another file in its place; expected that only you can, or a sticky folder");
  const auto text = content_of(file, max_configuration);
  if (!text) return problem("expected a readable file of at most " + std::to_string(max_configuration) + " bytes");
  return read_configuration(*text, file, profile, std::move(sources));
}

}  // namespace toolwire::bridge
