#include "confinement/stricter.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

namespace toolwire::bridge {
namespace {

bool same(const std::vector<std::string>& one, const std::vector<std::string>& other) {
  return std::set<std::string>(one.begin(), one.end()) == std::set<std::string>(other.begin(), other.end());
}

/// The conflict; empty if there is none.
std::string take_files(Confinement& into, const Confinement& other) {
  if (other.files == FileAccess::all) return {};
  if (into.files == FileAccess::all) {
    into.files = other.files;
    into.workspace = other.workspace;
    into.readable = other.readable;
    return {};
  }
  if (into.files != other.files) return R"("files": of "read-only" and "workspace" neither is stricter)";
  return same(into.workspace, other.workspace) && same(into.readable, other.readable)
             ? ""
             : R"("files": the two name different folders)";
}

std::string take_programs(Confinement& into, const Confinement& other) {
  if (other.programs == ProgramAccess::listed && into.programs == ProgramAccess::listed)
    return same(into.program_files, other.program_files) ? "" : R"("programs": the two lists differ)";
  if (other.programs > into.programs) {
    into.programs = other.programs;
    into.program_files = other.program_files;
  }
  return {};
}

/// 0 is no limit.
std::uint64_t smaller(std::uint64_t one, std::uint64_t other) {
  return one == 0 || other == 0 ? std::max(one, other) : std::min(one, other);
}

void take_limits(ResourceLimits& into, const ResourceLimits& other) {
  // The space of addresses is never smaller than what of it can be written to.
  if (into.memory == 0 || (other.memory != 0 && other.memory_count == MemoryCount::address_space))
    into.memory_count = other.memory_count;
  into.memory = smaller(into.memory, other.memory);
  into.cpu_seconds = smaller(into.cpu_seconds, other.cpu_seconds);
  into.file_size = smaller(into.file_size, other.file_size);
  into.open_files = smaller(into.open_files, other.open_files);
  into.processes = smaller(into.processes, other.processes);
}

}  // namespace

StricterConfinement stricter(const Confinement& one, const Confinement& other) {
  static_assert(ProgramAccess::all < ProgramAccess::listed && ProgramAccess::listed < ProgramAccess::none);
  StricterConfinement made{.confinement = one};
  Confinement& both = made.confinement;
  made.conflict = take_files(both, other);
  if (const std::string programs = take_programs(both, other); made.conflict.empty()) made.conflict = programs;
  if (other.network == NetworkAccess::none) both.network = NetworkAccess::none;
  take_limits(both.limits, other.limits);
  both.private_temporary = both.private_temporary || other.private_temporary;
  both.may_degrade = both.may_degrade && other.may_degrade;
  return made;
}

}  // namespace toolwire::bridge
