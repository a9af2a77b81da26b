#include "system/sandbox.hpp"

#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>

#include <toolwire/system/process_id.hpp>

namespace toolwire::bridge {
namespace {

/// Filters are inherited and never taken away again. Before Linux 5.9 it is only known whether there is one.
std::optional<unsigned> filters_of(int process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  std::optional<unsigned> filters;
  for (std::string line; std::getline(status, line);) {
    const std::size_t colon = line.find(':');
    const std::string_view name = std::string_view(line).substr(0, colon);
    if (name != "Seccomp" && name != "Seccomp_filters") continue;
    const unsigned value = static_cast<unsigned>(std::stoul(line.substr(colon + 1)));
    filters = name == "Seccomp" && value != 0 ? 1 : value;
  }
  return filters;
}

}  // namespace

bool is_more_confined(int process) {
  const auto theirs = process > 0 ? filters_of(process) : std::nullopt;
  return !theirs || *theirs > filters_of(system::own_process_id()).value_or(0);
}

std::string own_sandbox() {
  std::string text = std::to_string(filters_of(system::own_process_id()).value_or(0));
  for (const char* const name : {"mnt", "net", "pid", "user"}) {
    std::error_code ignored;
    text += " " + std::filesystem::read_symlink(std::string("/proc/self/ns/") + name, ignored).string();
  }
  return text;
}

}  // namespace toolwire::bridge
