// Who runs a task, read from /proc (Linux, proc(5)).
#include <charconv>
#include <filesystem>
#include <fstream>
#include <string>
#include <toolwire/system/process_id.hpp>

#include "toolwire/task_store.hpp"

namespace toolwire {
namespace {

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// The start time of a process: the 22nd field of its stat, counted from behind the name in parentheses, because the
/// name may contain anything.
std::optional<std::uint64_t> start_of(std::int64_t process) {
  const std::string stat = first_line("/proc/" + std::to_string(process) + "/stat");
  std::size_t at = stat.rfind(')');
  for (int field = 2; field < 22 && at != std::string::npos; ++field) at = stat.find(' ', at + 1);
  if (at == std::string::npos) return std::nullopt;
  std::uint64_t start = 0;
  const auto [end, error] = std::from_chars(stat.data() + at + 1, stat.data() + stat.size(), start);
  if (error != std::errc()) return std::nullopt;
  return start;
}

std::string process_space() {
  std::error_code none;
  return std::filesystem::read_symlink("/proc/self/ns/pid", none).string();
}

}  // namespace

TaskOwner TaskOwner::here() {
  static const std::string boot = first_line("/proc/sys/kernel/random/boot_id");
  const std::int64_t process = system::own_process_id();
  return {process, start_of(process).value_or(0), boot, process_space()};
}

std::optional<bool> TaskOwner::is_alive() const {
  const TaskOwner self = here();
  if (*this == self) return true;
  if (boot != self.boot) return false;
  if (space != self.space) return std::nullopt;
  if (!system::process_exists(static_cast<system::ProcessId>(process))) return false;
  const auto started = start_of(process);
  if (!started) return std::nullopt;
  return *started == start;
}

}  // namespace toolwire
