#include "policy/preferences.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <map>
#include <system_error>
#include <utility>

#include <toolwire/context.hpp>
#include <toolwire/detail/unknown_keywords.hpp>
#include <toolwire/json_members.hpp>
#include <toolwire/system/file_text.hpp>

#include "configuration/configuration_schema.hpp"
#include "confinement/read_confinement.hpp"
#include "manifest/findings.hpp"
#include "manifest/line_of.hpp"
#include "manifest/members.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::size_t max_file = 4u << 20;
constexpr std::int64_t max_deadline = 86'400;  // a day, in seconds
constexpr std::int64_t max_rate = 1'000'000;
constexpr std::int64_t max_cache = 31'536'000;  // a year, in seconds

/// For a tool whose settings cannot be read.
ToolPreference closed() { return {.approval = Verdict::ask}; }

/// Unknown members are problems here: a misspelt "approval" must not go unnoticed.
void only(const JsonObject& object, const std::string& pointer, std::initializer_list<std::string_view> known,
          Findings& findings) {
  for (const auto& [name, value] : object) {
    if (std::ranges::find(known, std::string_view(name)) != known.end()) continue;
    findings.problem(below(pointer, name), fmt::format("unknown; expected one of {}", fmt::join(known, ", ")));
  }
}

std::optional<Verdict> verdict_named(const std::string& name) {
  constexpr std::array<std::pair<std::string_view, Verdict>, 3> names{
      {{"allow", Verdict::allow}, {"ask", Verdict::ask}, {"deny", Verdict::deny}}};
  for (const auto& [known, verdict] : names) {
    if (name == known) return verdict;
  }
  return std::nullopt;
}

std::vector<std::string> parameters_named_in(const Json& schema) {
  std::vector<std::string> names;
  if (const Json* properties = find_member(schema, "properties"); properties != nullptr && properties->is_object()) {
    for (const auto& [name, value] : properties->get_object()) names.emplace_back(name);
  }
  if (const Json* required = find_member(schema, "required"); required != nullptr && required->is_array()) {
    for (const Json& name : required->get_array()) names.emplace_back(name.as_string());
  }
  return names;
}

/// Of those that a rule names; empty: the tool has all, or does not say which it has.
std::string_view missing_parameter(const Permission& rule, const ToolDefinition& tool) {
  const Json* properties = find_member(tool.parameters, "properties");
  if (properties == nullptr || !properties->is_object() || find_member(tool.parameters, "patternProperties") != nullptr)
    return {};
  const auto is_missing = [&](const std::string& name) { return !properties->get_object().contains(name); };
  const auto missing = std::ranges::find_if(rule.parameters, is_missing);
  return missing == rule.parameters.end() ? std::string_view() : *missing;
}

/// Nothing if it is unusable.
std::optional<Permission> read_permission(const Json& json, const std::string& pointer, Findings& findings) {
  if (!json.is_object()) {
    findings.problem(pointer, fmt::format("expected an object with \"decision\", found {}", kind_of(json)));
    return std::nullopt;
  }
  const std::size_t found_before = findings.problem_count();
  Members members(json.get_object(), pointer, findings, Members::Null::a_value);
  only(json.get_object(), pointer, {"arguments", "decision", "reason"}, findings);
  Permission permission{.reason = members.optional_text("reason")};
  const auto verdict = verdict_named(members.text("decision"));
  if (!verdict) findings.problem(below(pointer, "decision"), "expected \"allow\", \"ask\" or \"deny\"");
  permission.verdict = verdict.value_or(Verdict::deny);
  if (const auto schema = members.find("arguments"); schema.value != nullptr) {
    try {
      permission.arguments = Schema::compile(*schema.value);
      permission.parameters = parameters_named_in(*schema.value);
      for (const std::string& unknown : unknown_keywords(*schema.value))
        findings.problem(schema.pointer + unknown, "expected a keyword of JSON Schema; what is none would be ignored");
    } catch (const SchemaError& error) {
      findings.problem(schema.pointer, std::string("expected a JSON Schema: ") + error.what());
    }
  }
  return findings.problem_count() == found_before ? std::optional(std::move(permission)) : std::nullopt;
}

void read_permissions(Members& members, ToolPreference& into, Findings& findings) {
  const auto found = members.find("permissions");
  const JsonArray* const list = members.array("permissions");
  if (list == nullptr) return;
  for (std::size_t index = 0; index < list->size(); ++index) {
    auto permission = read_permission((*list)[index], below(found.pointer, index), findings);
    if (permission) into.permissions.push_back(std::move(*permission));
  }
}

void read_approval(Members& members, ToolPreference& into, Findings& findings) {
  const auto stated = members.find("approval");
  if (stated.value == nullptr) return;
  const std::string text = stated.value->is_string() ? std::string(stated.value->get_string()) : std::string();
  into.approval = text == "skip" ? Verdict::allow : Verdict::ask;
  if (text != "require" && text != "skip")
    findings.problem(stated.pointer, "expected \"require\" or \"skip\"; approval is required until then");
}

constexpr std::size_t max_name = 128;
constexpr std::size_t max_key = 256;
constexpr std::size_t max_stars = 4;  // of a key: with more, one text can be compared in very many ways

bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= max_name && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

std::optional<OutputBudget> read_output(Members& members, Findings& findings) {
  constexpr std::int64_t most = 1'000'000'000;
  const auto stated = members.find("output");
  const JsonObject* const object = members.object("output");
  if (object == nullptr) return std::nullopt;
  only(*object, stated.pointer, {"lines", "bytes", "keep"}, findings);
  Members inner(*object, stated.pointer, findings, Members::Null::a_value);
  OutputBudget budget;
  if (const auto lines = inner.count("lines", most)) budget.lines = static_cast<std::size_t>(*lines);
  if (const auto bytes = inner.count("bytes", most)) budget.bytes = static_cast<std::size_t>(*bytes);
  const std::string keep = inner.stated_text("keep").value_or("head");
  if (keep != "head" && keep != "tail" && keep != "ends")
    findings.problem(below(stated.pointer, "keep"), R"(expected "head", "tail" or "ends")");
  budget.keep = keep == "tail" ? KeptPart::tail : keep == "ends" ? KeptPart::ends : KeptPart::head;
  return budget;
}

/// How the tool is shown.
void read_offer(Members& members, ToolPreference& into, Findings& findings) {
  into.name = members.stated_text("name");
  if (into.name && !is_name(*into.name))
    findings.problem(below(members.pointer(), "name"), "expected 1 to 128 of the characters A-Z, a-z, 0-9, _ and -");
  into.description = members.stated_text("description");
  into.output = read_output(members, findings);
}

const Schema& confinement_schema() {
  static const Schema schema = Schema::compile(
      JsonObject{{"$ref", "#/$defs/confinement"}, {"$defs", parse_json(configuration_schema_text()).at("$defs")}});
  return schema;
}

/// Nothing if something is wrong with it.
std::optional<Confinement> usable_confinement(const Json& json, const std::string& pointer,
                                              const std::string& directory, Findings& findings) {
  for (const SchemaViolation& violation : confinement_schema().validate(json))
    findings.problem(pointer + violation.instance_path, violation.message);
  if (findings.has_problems()) return std::nullopt;
  Confinement read = read_confinement(json.get_object(), pointer, directory, findings);
  if (!read.is_confined() && !read.has_private_temporary() && read.limits == ResourceLimits{})
    findings.problem(pointer,
                     "refuses and bounds nothing; expected \"files\", \"network\", \"programs\" or \"limits\"");
  return findings.has_problems() ? std::nullopt : std::optional(std::move(read));
}

void read_confinement_of(Members& members, const std::string& directory, ToolPreference& into, Findings& findings) {
  const auto stated = members.find("confinement");
  if (stated.value == nullptr) return;
  Findings found("");
  into.confinement = usable_confinement(*stated.value, stated.pointer, directory, found);
  for (const ManifestProblem& problem : found.take_problems("")) findings.problem(problem.pointer, problem.text);
}

/// Nobody can call it if they cannot be used.
void read_scopes_of(Members& members, ToolPreference& into, Findings& findings) {
  const auto stated = members.find("scopes");
  if (stated.value == nullptr) return;
  const JsonArray* const list = stated.value->if_array();
  const bool fine = list != nullptr && !list->empty() && std::ranges::all_of(*list, [](const Json& one) {
                      return one.is_string() && is_scope(std::string_view(one.get_string()));
                    });
  if (fine) {
    into.scopes = members.texts("scopes");
    return;
  }
  into.enabled = false;
  findings.problem(stated.pointer,
                   "expected an array of names of scopes: visible ASCII without spaces, quotes and backslashes");
}

ToolPreference read_tool(const Json& json, const std::string& pointer, const std::string& directory,
                         Findings& findings) {
  if (!json.is_object()) {
    findings.problem(pointer, fmt::format("expected an object, found {}", kind_of(json)));
    return closed();
  }
  const std::size_t found_before = findings.problem_count();
  Members members(json.get_object(), pointer, findings, Members::Null::a_value);
  ToolPreference tool;
  only(json.get_object(), pointer,
       {"enabled", "approval", "permissions", "cache_seconds", "name", "description", "deadline_seconds",
        "rate_per_minute", "retry", "output", "confinement", "scopes"},
       findings);
  const bool states_enabled = members.find("enabled").value != nullptr;
  tool.enabled = members.flag("enabled");
  if (states_enabled && !tool.enabled) tool.enabled = false;
  read_approval(members, tool, findings);
  read_permissions(members, tool, findings);
  read_confinement_of(members, directory, tool, findings);
  read_scopes_of(members, tool, findings);
  tool.cache = std::chrono::seconds(members.count("cache_seconds", max_cache).value_or(0));
  tool.retry = members.flag("retry");
  read_offer(members, tool, findings);
  if (const auto deadline = members.count("deadline_seconds", max_deadline))
    tool.deadline = std::chrono::seconds(*deadline);
  if (const auto rate = members.count("rate_per_minute", max_rate)) tool.rate_per_minute = static_cast<int>(*rate);
  if (findings.problem_count() == found_before) return tool;
  tool.approval = Verdict::ask;
  std::erase_if(tool.permissions, [](const Permission& rule) { return rule.verdict == Verdict::allow; });
  return tool;
}

/// How much a key with stars says of a tool; zero if it does not fit.
std::size_t rank_of(std::string_view key, std::string_view tool) {
  if (!fits_pattern(tool, key)) return 0;
  return 1 + key.size() - static_cast<std::size_t>(std::ranges::count(key, '*'));
}

}  // namespace

bool fits_pattern(std::string_view text, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return text == pattern;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t at = star; at <= text.size(); ++at) {
    if (fits_pattern(text.substr(at), rest)) return true;
  }
  return false;
}

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
    if (json.is_object()) only(json.get_object(), "", {"tools"}, findings);
    if (findings.has_problems()) return nullptr;
    return Members(json.get_object(), "", findings, Members::Null::a_value).object("tools");
  }();
  const std::string directory = std::filesystem::path(file).parent_path().string();
  if (tools != nullptr) read = read_entries(*tools, "/tools", directory, findings);
  if (tools == nullptr && findings.has_problems()) read.others_ = closed();
  std::ranges::move(findings.take_problems(text), std::back_inserter(problems));
  return read;
}

Preferences Preferences::read_file(const std::string& file, std::vector<ManifestProblem>& problems) {
  std::string text;
  try {
    text = system::text_of_file(file, max_file);
  } catch (const std::system_error& error) {
    const std::string why = error.code() == std::errc::file_too_large ? fmt::format("longer than {} bytes", max_file)
                                                                      : error.code().message();
    problems.push_back({file, 0, "", "cannot be read: " + why});
    Preferences unread;
    unread.others_ = closed();
    return unread;
  }
  return read(text, file, problems);
}

Preferences Preferences::read_entries(const JsonObject& tools, const std::string& pointer, const std::string& directory,
                                      Findings& findings) {
  Preferences read;
  std::map<std::string, std::string, std::less<>> named;  // which key has a name
  for (const auto& [name, entry] : tools) {
    const std::string place = below(pointer, name);
    ToolPreference tool = read_tool(entry, place, directory, findings);
    const std::string_view key = name;
    if (key.empty() || key.size() > max_key || static_cast<std::size_t>(std::ranges::count(key, '*')) > max_stars)
      findings.problem(place,
                       fmt::format("expected a name of 1 to {} bytes with {} stars at most", max_key, max_stars));
    if (tool.name && key.find('*') != std::string_view::npos) {
      findings.problem(below(place, "name"), "expected a key without a star here, as one tool only can have the name");
      tool.name.reset();
    }
    if (tool.name && !named.emplace(*tool.name, name).second)
      findings.problem(below(place, "name"), in_quotes(named.at(*tool.name)) + " has this name, too");
    read.add({std::string(key), std::move(tool)});
  }
  return read;
}

void Preferences::add(Entry entry) {
  if (entry.first.find('*') == std::string::npos)
    plain_.try_emplace(entry.first, tools_.size());
  else
    patterns_.push_back(tools_.size());
  tools_.push_back(std::move(entry));
}

const Preferences::Entry* Preferences::entry(std::string_view tool, std::string_view origin) const {
  std::size_t plain = tools_.size();
  for (const std::string_view name : {tool, origin}) {
    const auto found = name.empty() || plain_.empty() ? plain_.end() : plain_.find(std::string(name));
    if (found != plain_.end()) plain = std::min(plain, found->second);
  }
  if (plain < tools_.size()) return &tools_[plain];
  const Entry* best = nullptr;
  std::size_t best_rank = 0;
  for (const std::size_t pattern : patterns_) {
    const Entry& one = tools_[pattern];
    const std::size_t rank = std::max(rank_of(one.first, tool), origin.empty() ? 0 : rank_of(one.first, origin));
    if (rank <= best_rank) continue;
    best = &one;
    best_rank = rank;
  }
  return best;
}

std::vector<std::string> Preferences::scopes(std::string_view tool, std::string_view origin) const {
  std::vector<std::string> all;
  for (const auto& [key, preference] : tools_) {
    if (!fits_pattern(tool, key) && (origin.empty() || !fits_pattern(origin, key))) continue;
    for (const std::string& scope : preference.scopes) {
      if (std::ranges::find(all, scope) == all.end()) all.push_back(scope);
    }
  }
  return all;
}

bool Preferences::need_scopes() const {
  return std::ranges::any_of(tools_, [](const Entry& one) { return !one.second.scopes.empty(); });
}

std::vector<std::string> Preferences::keys() const {
  std::vector<std::string> keys;
  for (const auto& [key, preference] : tools_) keys.push_back(key);
  return keys;
}

bool Preferences::is_enabled(const ToolDefinition& tool) const {
  return preference(tool.name, tool.origin).enabled.value_or(tool.metadata.enabled_by_default);
}

ToolDefinition Preferences::as_wanted(ToolDefinition tool) const {
  const ToolPreference& stated = preference(tool.name, tool.origin);
  if (stated.description) tool.description = *stated.description;
  if (stated.deadline) tool.metadata.timeout_seconds = stated.deadline->count();
  if (stated.rate_per_minute) tool.metadata.rate_limit_per_minute = *stated.rate_per_minute;
  if (stated.output) tool.output_budget = stated.output;
  return tool;
}

Judgement Preferences::judge(const ToolDefinition& tool, const Json& arguments) const {
  const ToolPreference& stated = preference(tool.name, tool.origin);
  for (const Permission& rule : stated.permissions) {
    const std::string_view missing = missing_parameter(rule, tool);
    if (!missing.empty())
      return {Verdict::ask, fmt::format("A rule for it names \"{}\", which it does not take", missing)};
  }
  for (const Permission& rule : stated.permissions) {
    if (!rule.arguments || rule.arguments->is_valid(arguments)) return {rule.verdict, rule.reason};
  }
  return {stated.approval.value_or(tool.metadata.requires_approval ? Verdict::ask : Verdict::allow), {}};
}

}  // namespace toolwire::bridge
