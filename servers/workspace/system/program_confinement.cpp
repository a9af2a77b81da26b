#include "workspace/system/program_confinement.hpp"

#include <elf.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <toolwire/system/file_descriptor.hpp>

#include "workspace/system/confine_process.hpp"

namespace workspace {
namespace {

using toolwire::system::FileDescriptor;
using toolwire::system::LandlockRules;

struct Bound {
  __rlimit_resource resource;
  rlim_t value;
};

/// Of the program: its own memory, time of a processor, no file written. Packs of git are mapped, not counted as data.
constexpr Bound bounds[] = {
    {RLIMIT_DATA, rlim_t{1} << 30}, {RLIMIT_CPU, 60}, {RLIMIT_FSIZE, 0}, {RLIMIT_NOFILE, 512}, {RLIMIT_CORE, 0}};

template <class T>
bool read_at(int file, std::uint64_t offset, T& into) {
  return ::pread(file, &into, sizeof into, static_cast<off_t>(offset)) == static_cast<ssize_t>(sizeof into);
}

/// The program of the system that loads a program's libraries; empty for one that needs none.
std::string loader_of(const std::string& program) {
  const FileDescriptor file{::open(program.c_str(), O_RDONLY | O_CLOEXEC)};
  Elf64_Ehdr header{};
  if (!file.is_open() || !read_at(file.get(), 0, header)) return {};
  constexpr std::string_view magic{ELFMAG, SELFMAG};
  if (!std::equal(magic.begin(), magic.end(), std::begin(header.e_ident))) return {};
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr part{};
    if (!read_at(file.get(), header.e_phoff + std::uint64_t{i} * header.e_phentsize, part)) return {};
    if (part.p_type != PT_INTERP) continue;
    std::array<char, 256> path{};
    const std::size_t most = std::min<std::size_t>(part.p_filesz, path.size() - 1);
    return ::pread(file.get(), path.data(), most, static_cast<off_t>(part.p_offset)) > 0 ? path.data() : "";
  }
  return {};
}

void allow_libraries(LandlockRules& rules, const std::string& program) {
  for (const char* const path : {"/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib",
                                 "/nix/store", "/etc/ld.so.cache", "/sys/devices/system/cpu"})
    rules.allow_if_there(path, {.read = true});
  const std::filesystem::path folder = std::filesystem::path(program).parent_path().parent_path();
  for (const char* const name : {"lib", "lib64"}) rules.allow_if_there((folder / name).string(), {.read = true});
}

void allow(LandlockRules& rules, const ProgramRights& rights) {
  allow_libraries(rules, rights.program);
  rules.allow_if_there("/dev/null", {.read = true, .change = true});
  rules.allow(rights.program, {.read = true, .execute = true});
  if (const std::string loader = loader_of(rights.program); !loader.empty())
    rules.allow_if_there(loader, {.read = true, .execute = true});
  for (const std::string& path : rights.read) rules.allow_if_there(path, {.read = true});
}

LandlockRules no_rights() {
  return {
      {.files = {.read = true, .change = true, .devices = true, .execute = true}, .tcp = true, .other_domains = true},
      toolwire::system::landlock_version()};
}

LandlockRules rules_for(const ProgramRights& rights) {
  LandlockRules rules = no_rights();
  allow(rules, rights);
  return rules;
}

bool enforce(const LandlockRules& rules) {
  return toolwire::system::give_up_new_privileges() && toolwire::system::enforce_landlock(rules.rules().get());
}

}  // namespace

std::string program_confinement_problem() {
  if (std::string problem = call_filter_problem(); !problem.empty()) return problem;
  if (toolwire::system::landlock_version() < 1)
    return "this kernel or sandbox has no Landlock, without which no program is started";
  return {};
}

bool confine_to(const std::vector<ProgramRights>& programs) {
  LandlockRules rules = no_rights();
  for (const ProgramRights& rights : programs) allow(rules, rights);
  return enforce(rules);
}

ProgramConfinement::ProgramConfinement(const ProgramRights& rights)
    : rules_(rules_for(rights)), filter_(AllowedCalls{}) {}

bool ProgramConfinement::put_into_force() const {
  for (const Bound& bound : bounds) {
    if (!bound_to(bound.resource, bound.value)) return false;
  }
  if (!enforce(rules_)) return false;
  // Last, because it refuses calls made above.
  return filter_.put_into_force();
}

}  // namespace workspace
