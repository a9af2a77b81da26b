// The document, the scenario, the categories, and what holds between the tools.
#include "manifest/read_manifest.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <iterator>
#include <map>
#include <toolwire/bridge/manifest.hpp>

#include "manifest/file_text.hpp"
#include "manifest/findings.hpp"
#include "manifest/line_of.hpp"
#include "manifest/members.hpp"
#include "manifest/read_tool.hpp"
#include "manifest/timestamp.hpp"
#include "manifest/version.hpp"

namespace toolwire::bridge {
namespace {

using Places = std::map<std::string, std::string, std::less<>>;  // from a name to where it was first used

const std::vector<std::string_view> manifest_names{"protocol_version", "generated_at"};
const std::vector<std::string_view> scenario_names{"base_url"};

/// One member for each name: the second use is a problem that names the first.
void claim(Places& places, const std::string& name, std::string_view what, const std::string& pointer,
           Findings& findings) {
  const auto [first, is_new] = places.try_emplace(name, pointer);
  if (is_new) return;
  findings.problem(pointer,
                   fmt::format("{} {} is already at {}; expected another one", what, in_quotes(name), first->second));
}

std::string read_version(Members& members, Findings& findings) {
  std::string version = members.text("protocol_version");
  const Members::Found found = members.find("protocol_version");
  if (found.value == nullptr || !found.value->is_string()) return version;
  if (const auto problem = problem_of_version(version)) findings.problem(found.pointer, *problem);
  return version;
}

bool is_http_url(std::string_view url) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (url.starts_with(scheme) && url.size() > scheme.size() && url[scheme.size()] != '/') return true;
  }
  return false;
}

Scenario read_scenario(Members& manifest, Findings& findings) {
  const JsonObject* object = manifest.object("scenario");
  const Members::Found found = manifest.find("scenario");
  if (object == nullptr) {
    if (found.value == nullptr) manifest.missing("scenario", "an object with name, version and description");
    return {};
  }
  Members members(*object, found.pointer, findings);
  Scenario scenario{members.text("name"), members.text("version"), members.text("description"),
                    members.optional_text("base_url")};
  const Json* name = object->if_contains("name");
  if (name != nullptr && name->is_string() && scenario.name.empty()) {
    findings.problem(below(found.pointer, "name"), "empty; expected the identifier of the scenario");
  }
  if (!scenario.base_url.empty() && !is_http_url(scenario.base_url)) {
    findings.problem(members.find("base_url").pointer, "expected an http or https URL");
  }
  members.note_unknown();
  return scenario;
}

std::vector<ToolCategory> read_categories(Members& manifest, Places& places, Findings& findings) {
  std::vector<ToolCategory> categories;
  const JsonArray* list = manifest.array("categories");
  if (list == nullptr) return categories;
  for (std::size_t index = 0; index < list->size(); ++index) {
    const Json& document = (*list)[index];
    const std::string pointer = below("/categories", index);
    if (!document.is_object()) {
      findings.problem(pointer, fmt::format("expected an object, found {}", kind_of(document)));
      continue;
    }
    Members members(document.get_object(), pointer, findings);
    categories.push_back({members.text("id"), members.text("name"), members.optional_text("description"),
                          members.optional_text("icon")});
    members.note_unknown();
    if (!categories.back().id.empty())
      claim(places, categories.back().id, "a category", below(pointer, "id"), findings);
  }
  return categories;
}

std::string known_categories(const Places& places) {
  if (places.empty()) return "there are no categories";
  std::string list = "expected one of";
  std::size_t count = 0;
  for (const auto& [id, pointer] : places) {
    if (++count > 10) return list + " …";
    list += (count == 1 ? " " : ", ") + in_quotes(id);
  }
  return list;
}

void check_category(const ToolDefinition& tool, const std::string& pointer, const Places& categories,
                    Findings& findings) {
  if (tool.category.empty() || categories.contains(tool.category)) return;
  findings.problem(below(pointer, "category"),
                   fmt::format("there is no category {}: {}", in_quotes(tool.category), known_categories(categories)));
}

std::vector<ToolDefinition> read_tools(Members& manifest, const Places& categories, ManifestOrigin origin,
                                       Findings& findings) {
  std::vector<ToolDefinition> tools;
  const JsonArray* list = manifest.array("tools");
  if (list == nullptr) {
    if (manifest.find("tools").value == nullptr) manifest.missing("tools", "an array, empty if there are no tools");
    return tools;
  }
  Places names;
  for (std::size_t index = 0; index < list->size(); ++index) {
    const std::string pointer = below("/tools", index);
    tools.push_back(read_tool((*list)[index], pointer, origin, findings));
    if (!tools.back().name.empty()) claim(names, tools.back().name, "a tool", below(pointer, "name"), findings);
    check_category(tools.back(), pointer, categories, findings);
  }
  return tools;
}

std::string read_generated_at(Members& members, Findings& findings) {
  const Members::Found found = members.find("generated_at");
  std::string time = members.text("generated_at");
  if (found.value != nullptr && found.value->is_string() && !is_timestamp(time)) {
    findings.problem(found.pointer, R"(expected a time like "2024-01-15T10:30:00Z")");
  }
  return time;
}

Json snake_cased(const JsonObject& document) {
  JsonObject native = with_snake_case(document, manifest_names);
  if (Json* scenario = native.if_contains("scenario"); scenario != nullptr && scenario->is_object()) {
    *scenario = with_snake_case(scenario->get_object(), scenario_names);
  }
  if (Json* tools = native.if_contains("tools")) *tools = JsonArray{};
  return native;
}

/// The document; problems of the text go to the findings. A text whose only problem is a member that occurs twice is
/// read nevertheless, so that all other problems are found too.
std::optional<Json> parse(std::string_view text, const std::string& name, std::vector<ManifestProblem>& problems) {
  JsonParseOptions options;
  options.duplicate_keys = DuplicateKeys::refuse;
  options.max_values = usual_json_values;
  try {
    return parse_json(text, options);
  } catch (const JsonError& error) {
    problems.push_back({name, line_at(text, error.offset), "", std::string("not usable JSON: ") + error.what()});
  }
  options.duplicate_keys = DuplicateKeys::last_wins;
  try {
    return parse_json(text, options);
  } catch (const JsonError&) {
    return {};
  }
}

ManifestReading unreadable(const std::string& name, std::string text) {
  ManifestReading reading;
  reading.problems.push_back({name, 0, "", std::move(text)});
  return reading;
}

std::string all_messages(const std::vector<ManifestProblem>& problems) {
  std::string text;
  for (const ManifestProblem& problem : problems) text += (text.empty() ? "" : "\n") + problem.message();
  return text;
}

}  // namespace

Manifest read_manifest_document(const JsonObject& document, ManifestOrigin origin, Findings& findings) {
  Members members(document, "", findings);
  Places categories;
  Manifest manifest;
  manifest.protocol_version = read_version(members, findings);
  manifest.scenario = read_scenario(members, findings);
  manifest.categories = read_categories(members, categories, findings);
  manifest.tools = read_tools(members, categories, origin, findings);
  manifest.generated_at = read_generated_at(members, findings);
  members.find("capabilities");
  members.note_unknown();
  manifest.native = snake_cased(document);
  return manifest;
}

ManifestReading read_manifest(std::string_view text, const std::string& name, ManifestOrigin origin) {
  if (text.size() > max_manifest) {
    return unreadable(name, fmt::format("longer than {} MiB, the most a manifest may have", max_manifest >> 20));
  }
  ManifestReading reading;
  const std::optional<Json> document = parse(text, name, reading.problems);
  if (!document) return reading;
  if (!document->is_object()) {
    reading.problems.push_back({name, 1, "", fmt::format("expected an object, found {}", kind_of(*document))});
    return reading;
  }
  Findings findings(name);
  Manifest manifest = read_manifest_document(document->get_object(), origin, findings);
  for (ManifestProblem& problem : findings.take_problems(text)) reading.problems.push_back(std::move(problem));
  reading.hints = findings.take_hints(text);
  if (reading.problems.empty()) reading.manifest = std::move(manifest);
  return reading;
}

ManifestReading read_manifest_file(const std::string& path) {
  errno = 0;
  const auto text = text_of_file(path);
  return text ? read_manifest(*text, path) : unreadable(path, fmt::format("cannot be read: {}", std::strerror(errno)));
}

ManifestError::ManifestError(std::vector<ManifestProblem> found)
    : std::runtime_error(all_messages(found)), problems(std::move(found)) {}

Manifest load_manifest(const std::string& path) {
  ManifestReading reading = read_manifest_file(path);
  if (!reading.manifest) throw ManifestError(std::move(reading.problems));
  return std::move(*reading.manifest);
}

}  // namespace toolwire::bridge
