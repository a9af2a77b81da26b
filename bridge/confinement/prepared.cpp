#include "confinement/prepared.hpp"

#include <cerrno>
#include <system_error>
#include <toolwire/system/find_program.hpp>
#include <toolwire/system/system_files.hpp>

#include "confinement/report.hpp"
#include "system/executables.hpp"

namespace toolwire::bridge {
namespace {

constexpr const char* folder_variables[] = {"TMPDIR", "TMP", "TEMP"};

void refuse_if_not_enforced(const Confinement& confinement, const KernelSupport& kernel) {
  const ConfinementReport report = report_on(confinement, kernel);
  if (report.may_start()) return;
  std::string all;
  for (const std::string& missing : report.missing) all += (all.empty() ? "" : "; ") + missing;
  throw std::system_error(ENOTSUP, std::generic_category(), "not started, for it cannot be confined: " + all);
}

std::string search_path(const std::map<std::string, std::string>& environment) {
  const auto found = environment.find("PATH");
  return found == environment.end() ? "/usr/bin:/bin" : found->second;
}

system::LandlockRestrictions restrictions_of(const Confinement& confinement) {
  return {.files = {.read = confinement.files == FileAccess::workspace,
                    .change = confinement.files != FileAccess::all,
                    .devices = confinement.files != FileAccess::all,
                    .execute = confinement.programs != ProgramAccess::all},
          .tcp = confinement.network == NetworkAccess::none,
          .other_domains = confinement.is_confined()};
}

void allow_execution(system::LandlockRules& rules, const Confinement& confinement, const std::string& program,
                     const std::string& folders) {
  std::vector<std::string> programs{program};
  if (confinement.programs == ProgramAccess::listed) {
    for (const std::string& name : confinement.program_files) {
      const auto found = system::find_program(name, folders, system::RelativeFolders::skipped);
      if (!found) throw std::system_error(ENOENT, std::generic_category(), "cannot allow the program \"" + name + "\"");
      programs.push_back(*found);
    }
  }
  for (const std::string& one : programs) {
    for (const std::string& file : files_to_execute(one, folders)) {
      rules.allow_if_there(file, {.read = true, .execute = true});  // execve reports what is missing
    }
  }
}

void allow_workspace(system::LandlockRules& rules, const Confinement& confinement, const std::string& program) {
  const bool execute = confinement.programs == ProgramAccess::all;
  system::allow_system_files(rules);
  for (const std::string& path : read_by_program(program)) rules.allow_if_there(path, {.read = true});
  for (const std::string& path : confinement.readable) rules.allow(path, {.read = true});
  for (const std::string& path : confinement.workspace)
    rules.allow(path, {.read = true, .change = true, .devices = true, .execute = execute});
}

/// `landlock` is the version in force beside the filter: what it cannot refuse yet, the filter refuses.
RefusedCalls refused_by(const Confinement& confinement, int landlock) {
  constexpr int refuses_truncation = 3;
  const bool changes_files = confinement.files == FileAccess::all;
  return {.processes = confinement.programs == ProgramAccess::none,
          .network = confinement.network == NetworkAccess::none,
          .file_metadata = !changes_files,
          .truncation = !changes_files && landlock < refuses_truncation,
          // They count in no address space, and can be executed whatever Landlock says of files.
          .memory_files = confinement.limits.memory != 0 || confinement.programs != ProgramAccess::all};
}

}  // namespace

PreparedConfinement::PreparedConfinement(const Confinement& confinement, const KernelSupport& kernel,
                                         const std::string& program, std::map<std::string, std::string>& environment)
    : is_confined_(confinement.is_confined()) {
  refuse_if_not_enforced(confinement, kernel);
  make_bounds(confinement);
  make_group(confinement, kernel);
  if (confinement.has_private_temporary()) make_folder(environment);
  make_rules(confinement, kernel, program, search_path(environment));
  if (kernel.seccomp && is_confined_) filter_.emplace(refused_by(confinement, kernel.landlock));
}

void PreparedConfinement::make_folder(std::map<std::string, std::string>& environment) {
  folder_.emplace();
  for (const char* const variable : folder_variables) environment[variable] = folder_->path();
}

void PreparedConfinement::make_rules(const Confinement& confinement, const KernelSupport& kernel,
                                     const std::string& program, const std::string& folders) {
  if (!is_confined_ || kernel.landlock == 0) return;
  rules_.emplace(restrictions_of(confinement), kernel.landlock);
  allow_execution(*rules_, confinement, program, folders);
  if (confinement.files == FileAccess::all) return;
  system::allow_plain_devices(*rules_);
  rules_->allow(folder_->path(),
                {.read = true, .change = true, .devices = true, .execute = confinement.programs == ProgramAccess::all});
  if (confinement.files != FileAccess::workspace) return;
  allow_workspace(*rules_, confinement, program);
  reads_own_process_ = true;
}

void PreparedConfinement::make_bounds(const Confinement& confinement) {
  const ResourceLimits& limits = confinement.limits;
  const auto bound = [this](Resource resource, std::uint64_t value) {
    if (value != 0) bounds_.push_back({resource, value});
  };
  const bool counts_all = limits.memory_count == MemoryCount::address_space;
  bound(counts_all ? Resource::address_space : Resource::private_data, limits.memory);
  bound(Resource::cpu_seconds, limits.cpu_seconds);
  bound(Resource::file_size, limits.file_size);
  bound(Resource::open_files, limits.open_files);
  if (is_confined_) bounds_.push_back({Resource::core_size, 0});  // its memory is not left in a core dump
}

void PreparedConfinement::make_group(const Confinement& confinement, const KernelSupport& kernel) {
  if (kernel.control_group.empty() || !confinement.limits.counts_together()) return;
  try {
    const ResourceLimits& limits = confinement.limits;
    group_.emplace(kernel.control_group, GroupBounds{.memory = limits.memory, .processes = limits.processes});
  } catch (const std::system_error&) {
    // The report says that there is a group, since one could be made at the start: without it, the program does not
    // start.
    if (!confinement.may_degrade) throw;
  }
}

ConfinementSteps PreparedConfinement::steps() const {
  return {.bounds = bounds_.data(),
          .bound_count = bounds_.size(),
          .control_group = group_ ? group_->entrance() : -1,
          .is_confined = is_confined_,
          .rules = rules_ ? rules_->rules().get() : -1,
          .reads_own_process = reads_own_process_,
          .filter = filter_ ? &*filter_ : nullptr};
}

}  // namespace toolwire::bridge
