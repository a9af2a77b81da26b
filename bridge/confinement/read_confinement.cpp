#include "confinement/read_confinement.hpp"

#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace toolwire::bridge {
namespace {

std::string path_from(const std::string& directory, std::string_view path) {
  std::filesystem::path whole = std::filesystem::absolute(directory.empty() ? "." : directory) / path;
  if (path == "~" || path.starts_with("~/")) {
    const char* const home = std::getenv("HOME");
    if (home != nullptr) whole = std::filesystem::path(home) / path.substr(path.size() == 1 ? 1 : 2);
  }
  return whole.lexically_normal().string();
}

class Reader {
 public:
  Reader(const JsonObject& from, const std::string& pointer, const std::string& directory, Findings& findings)
      : from_(from), pointer_(pointer), directory_(directory), findings_(findings) {}

  Confinement read() {
    read_files();
    if (const Json* network = at("network")) read_.network = access_of<NetworkAccess>(*network);
    read_programs();
    if (const Json* limits = at("limits")) read_limits(limits->get_object());
    if (const Json* own = at("private_temporary")) read_.private_temporary = own->get_bool();
    if (const Json* degraded = at("degraded")) read_.may_degrade = *degraded == "allow";
    return std::move(read_);
  }

 private:
  const Json* at(std::string_view name) const { return from_.if_contains(name); }

  template <class Access>
  static Access access_of(const Json& word) {
    return word == "none" ? Access::none : Access::all;
  }

  std::vector<std::string> paths(std::string_view name) const {
    std::vector<std::string> all;
    if (const Json* list = at(name)) {
      for (const Json& path : list->get_array()) all.push_back(path_from(directory_, path.get_string()));
    }
    return all;
  }

  void read_files() {
    if (const Json* files = at("files"))
      read_.files = *files == "workspace"   ? FileAccess::workspace
                    : *files == "read-only" ? FileAccess::read_only
                                            : FileAccess::all;
    read_.workspace = paths("workspace");
    read_.readable = paths("readable");
    if (read_.files == FileAccess::workspace) return;
    for (const char* const name : {"workspace", "readable"}) {
      if (at(name) != nullptr)
        findings_.problem(below(pointer_, name), "has no effect without \"files\": \"workspace\"");
    }
  }

  void read_programs() {
    const Json* const programs = at("programs");
    if (programs == nullptr) return;
    if (!programs->is_array()) {
      read_.programs = access_of<ProgramAccess>(*programs);
      return;
    }
    read_.programs = ProgramAccess::listed;
    for (const Json& name : programs->get_array()) {
      const std::string_view text = name.get_string();
      const bool is_path = text.find('/') != std::string_view::npos;
      read_.program_files.push_back(is_path ? path_from(directory_, text) : std::string(text));
    }
  }

  void read_limits(const JsonObject& limits) {
    const auto number = [&](std::string_view name, std::uint64_t& value) {
      if (const Json* stated = limits.if_contains(name)) value = stated->to_number<std::uint64_t>();
    };
    number("memory", read_.limits.memory);
    number("cpu_seconds", read_.limits.cpu_seconds);
    number("file_size", read_.limits.file_size);
    number("open_files", read_.limits.open_files);
    number("processes", read_.limits.processes);
    if (const Json* count = limits.if_contains("memory_count"))
      read_.limits.memory_count = *count == "private_data" ? MemoryCount::private_data : MemoryCount::address_space;
  }

  const JsonObject& from_;
  const std::string& pointer_;
  const std::string& directory_;
  Findings& findings_;
  Confinement read_;
};

}  // namespace

Confinement read_confinement(const JsonObject& settings, const std::string& pointer, const std::string& directory,
                             Findings& findings) {
  return Reader(settings, pointer, directory, findings).read();
}

}  // namespace toolwire::bridge
