#include "policy/preferences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "manifest/findings.hpp"
#include "manifest/line_of.hpp"
#include "manifest/members.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::size_t max_file = 4u << 20;
constexpr std::int64_t max_cache = 31'536'000;  // a year, in seconds

/// For a tool whose settings cannot be read.
ToolPreference closed() { return {.approval = Verdict::ask}; }

/// Unknown members are problems here: a misspelt "approval" must not go unnoticed.
bool only(const JsonObject& object, const std::string& pointer, std::initializer_list<std::string_view> known,
          Findings& findings) {
  bool fine = true;
  for (const auto& [name, value] : object) {
    if (std::ranges::find(known, std::string_view(name)) != known.end()) continue;
    fine = false;
    findings.problem(below(pointer, name), fmt::format("unknown; expected one of {}", fmt::join(known, ", ")));
  }
  return fine;
}

std::optional<Verdict> verdict_named(const std::string& name) {
  constexpr std::array<std::pair<std::string_view, Verdict>, 3> names{
      {{"allow", Verdict::allow}, {"ask", Verdict::ask}, {"deny", Verdict::deny}}};
  for (const auto& [known, verdict] : names) {
    if (name == known) return verdict;
  }
  return std::nullopt;
}

std::optional<Permission> read_permission(const Json& json, const std::string& pointer, Findings& findings) {
  if (!json.is_object()) {
    findings.problem(pointer, fmt::format("expected an object with \"decision\", found {}", kind_of(json)));
    return std::nullopt;
  }
  Members members(json.get_object(), pointer, findings);
  bool fine = only(json.get_object(), pointer, {"arguments", "decision", "reason"}, findings);
  Permission permission{.reason = members.optional_text("reason")};
  const auto verdict = verdict_named(members.text("decision"));
  if (!verdict) findings.problem(below(pointer, "decision"), "expected \"allow\", \"ask\" or \"deny\"");
  permission.verdict = verdict.value_or(Verdict::deny);
  if (const auto schema = members.find("arguments"); schema.value != nullptr) {
    try {
      permission.arguments = Schema::compile(*schema.value);
    } catch (const SchemaError& error) {
      findings.problem(schema.pointer, std::string("expected a JSON Schema: ") + error.what());
      fine = false;
    }
  }
  return fine && verdict ? std::optional(std::move(permission)) : std::nullopt;
}

/// False if a rule is unusable.
bool read_permissions(Members& members, ToolPreference& into, Findings& findings) {
  const auto found = members.find("permissions");
  if (found.value == nullptr) return true;
  const JsonArray* const list = members.array("permissions");
  if (list == nullptr) return false;
  bool fine = true;
  for (std::size_t index = 0; index < list->size(); ++index) {
    auto permission = read_permission((*list)[index], below(found.pointer, index), findings);
    if (permission) into.permissions.push_back(std::move(*permission));
    fine = fine && permission;
  }
  return fine;
}

bool read_approval(Members& members, ToolPreference& into, Findings& findings) {
  const auto stated = members.find("approval");
  if (stated.value == nullptr) return true;
  const std::string text = stated.value->is_string() ? std::string(stated.value->get_string()) : std::string();
  into.approval = text == "skip" ? Verdict::allow : Verdict::ask;
  if (text == "require" || text == "skip") return true;
  findings.problem(stated.pointer, "expected \"require\" or \"skip\"; approval is required until then");
  return false;
}

ToolPreference read_tool(const Json& json, const std::string& pointer, Findings& findings) {
  if (!json.is_object()) {
    findings.problem(pointer, fmt::format("expected an object, found {}", kind_of(json)));
    return closed();
  }
  Members members(json.get_object(), pointer, findings);
  ToolPreference tool;
  bool fine = only(json.get_object(), pointer, {"enabled", "approval", "permissions", "cache_seconds"}, findings);
  const bool states_enabled = members.find("enabled").value != nullptr;
  tool.enabled = members.flag("enabled");
  if (states_enabled && !tool.enabled) tool.enabled = false;
  fine = read_approval(members, tool, findings) && fine;
  fine = read_permissions(members, tool, findings) && fine;
  tool.cache = std::chrono::seconds(members.count("cache_seconds", max_cache).value_or(0));
  if (fine) return tool;
  tool.approval = Verdict::ask;
  std::erase_if(tool.permissions, [](const Permission& rule) { return rule.verdict == Verdict::allow; });
  return tool;
}

}  // namespace

Preferences Preferences::read(std::string_view text, const std::string& file, std::vector<ManifestProblem>& problems) {
  Preferences read;
  Findings findings(file);
  Json json;
  try {
    json = parse_json(text, {.duplicate_keys = DuplicateKeys::refuse});
    if (!json.is_object()) findings.problem("", fmt::format("expected an object, found {}", kind_of(json)));
  } catch (const JsonError& error) {
    problems.push_back({file, line_at(text, error.offset), "", error.what()});
    read.others_ = closed();
    return read;
  }
  const JsonObject* const tools = [&]() -> const JsonObject* {
    if (!json.is_object() || !only(json.get_object(), "", {"tools"}, findings)) return nullptr;
    return Members(json.get_object(), "", findings).object("tools");
  }();
  if (tools != nullptr) {
    for (const auto& [name, entry] : *tools)
      read.tools_.emplace(name, read_tool(entry, below("/tools", name), findings));
  }
  if (const auto others = read.tools_.find("*"); others != read.tools_.end()) read.others_ = others->second;
  if (tools == nullptr && findings.has_problems()) read.others_ = closed();
  std::ranges::move(findings.take_problems(text), std::back_inserter(problems));
  return read;
}

Preferences Preferences::read_file(const std::string& file, std::vector<ManifestProblem>& problems) {
  std::ifstream stream(file, std::ios::binary);
  std::string text(max_file + 1, '\0');
  if (stream.read(text.data(), static_cast<std::streamsize>(text.size())) || !stream.eof() || stream.gcount() < 0) {
    const std::string why = stream.is_open() && stream.gcount() > 0 ? fmt::format("longer than {} bytes", max_file)
                                                                    : std::string(std::strerror(errno));
    problems.push_back({file, 0, "", "cannot be read: " + why});
    Preferences unread;
    unread.others_ = closed();
    return unread;
  }
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return read(text, file, problems);
}

const ToolPreference& Preferences::preference(std::string_view tool) const {
  const auto found = tools_.find(tool);
  return found == tools_.end() ? others_ : found->second;
}

bool Preferences::is_enabled(const ToolDefinition& tool) const {
  return preference(tool.name).enabled.value_or(tool.metadata.enabled_by_default);
}

Judgement Preferences::judge(const ToolDefinition& tool, const Json& arguments) const {
  const ToolPreference& stated = preference(tool.name);
  for (const Permission& rule : stated.permissions) {
    if (!rule.arguments || rule.arguments->is_valid(arguments)) return {rule.verdict, rule.reason};
  }
  return {stated.approval.value_or(tool.metadata.requires_approval ? Verdict::ask : Verdict::allow), {}};
}

}  // namespace toolwire::bridge
