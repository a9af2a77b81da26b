#include "confinement/report.hpp"

namespace toolwire::bridge {
namespace {

const char* word_of(FileAccess access) {
  switch (access) {
    case FileAccess::read_only:
      return "read-only";
    case FileAccess::workspace:
      return "workspace";
    case FileAccess::all:
      break;
  }
  return "all";
}

const char* word_of(NetworkAccess access) { return access == NetworkAccess::none ? "none" : "all"; }

std::string word_of(const Confinement& confinement) {
  if (confinement.programs != ProgramAccess::listed)
    return confinement.programs == ProgramAccess::none ? "none" : "all";
  std::string list;
  for (const std::string& name : confinement.program_files) list += (list.empty() ? "" : " ") + name;
  return "[" + list + "]";
}

/// What of the rules for files is not enforced; empty if all is.
std::string missing_of_files(const Confinement& confinement, const KernelSupport& kernel) {
  if (confinement.files == FileAccess::all) return {};
  if (kernel.landlock == 0) return "this kernel has no Landlock";
  return kernel.seccomp ? "" : "this kernel has no seccomp: changes of modes, owners and times are not refused";
}

std::string missing_of_network(const Confinement& confinement, const KernelSupport& kernel) {
  return confinement.network == NetworkAccess::all || kernel.seccomp ? "" : "this kernel has no seccomp";
}

std::string missing_of_programs(const Confinement& confinement, const KernelSupport& kernel) {
  if (confinement.programs == ProgramAccess::none && !kernel.seccomp) return "this kernel has no seccomp";
  if (confinement.programs == ProgramAccess::listed && kernel.landlock == 0) return "this kernel has no Landlock";
  return {};
}

bool has_control_group(const ConfinementReport& report) {
  return report.asked.limits.counts_together() && !report.kernel.control_group.empty();
}

/// What `limits.memory` holds for.
const char* memory_scope(const ConfinementReport& report) {
  return has_control_group(report) ? "all processes together" : "each process";
}

std::vector<std::string> mechanisms(const ConfinementReport& report) {
  std::vector<std::string> all;
  if (has_control_group(report)) all.emplace_back("control group");
  if (!report.asked.is_confined()) return all;
  const bool files = report.asked.files != FileAccess::all || report.asked.programs != ProgramAccess::all;
  constexpr int first_beyond_files = 4;
  if (report.kernel.landlock >= (files ? 1 : first_beyond_files))
    all.push_back("Landlock " + std::to_string(report.kernel.landlock));
  if (report.kernel.seccomp) all.emplace_back("seccomp");
  return all;
}

std::string joined(const std::vector<std::string>& texts, const char* between) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : between) + text;
  return all;
}

JsonArray list_of(const std::vector<std::string>& texts) {
  JsonArray list;
  for (const std::string& text : texts) list.emplace_back(text);
  return list;
}

JsonObject limits_of(const ConfinementReport& report) {
  const ResourceLimits& limits = report.asked.limits;
  JsonObject all;
  const auto add = [&](const char* name, std::uint64_t value) {
    if (value != 0) all[name] = value;
  };
  add("memory", limits.memory);
  if (limits.memory != 0) all["memory_of"] = memory_scope(report);
  add("cpu_seconds", limits.cpu_seconds);
  add("file_size", limits.file_size);
  add("open_files", limits.open_files);
  add("processes", limits.processes);
  return all;
}

}  // namespace

ConfinementReport report_on(const Confinement& confinement, const KernelSupport& kernel) {
  ConfinementReport report{.asked = confinement, .kernel = kernel};
  const auto add = [&](const std::string& what, const std::string& why) {
    if (!why.empty()) report.missing.push_back(what + ": " + why);
  };
  add(std::string("files=") + word_of(confinement.files), missing_of_files(confinement, kernel));
  add(std::string("network=") + word_of(confinement.network), missing_of_network(confinement, kernel));
  add("programs=" + word_of(confinement), missing_of_programs(confinement, kernel));
  if (confinement.limits.processes != 0 && kernel.control_group.empty())
    add("limits.processes", kernel.why_no_control_group);
  return report;
}

std::string to_text(const ConfinementReport& report) {
  const Confinement& asked = report.asked;
  std::string text = std::string("files=") + word_of(asked.files) + ", network=" + word_of(asked.network) +
                     ", programs=" + word_of(asked);
  if (asked.limits.memory != 0) text += std::string(", memory of ") + memory_scope(report);
  if (const auto by = mechanisms(report); !by.empty()) text += " (" + joined(by, ", ") + ")";
  if (!report.missing.empty()) text += "; not enforced: " + joined(report.missing, "; ");
  return text;
}

std::string start_text(const ConfinementReport& report) {
  if (!report.says_something()) return "is not confined: it may do what this user may";
  return (report.may_start() ? "runs with " : "will not start: ") + to_text(report);
}

JsonObject to_json(const ConfinementReport& report) {
  const Confinement& asked = report.asked;
  JsonObject json{{"files", word_of(asked.files)}, {"network", word_of(asked.network)}};
  json["programs"] =
      asked.programs == ProgramAccess::listed ? Json(list_of(asked.program_files)) : Json(word_of(asked));
  if (JsonObject limits = limits_of(report); !limits.empty()) json["limits"] = std::move(limits);
  json["enforced_by"] = list_of(mechanisms(report));
  json["not_enforced"] = list_of(report.missing);
  return json;
}

}  // namespace toolwire::bridge
