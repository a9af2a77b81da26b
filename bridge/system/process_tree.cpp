#include "system/process_tree.hpp"

#include <dirent.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>

namespace toolwire::bridge {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

std::string folder_of(system::ProcessId process) { return "/proc/" + std::to_string(process); }

/// Of a line "NAME: COUNT kB", in bytes; 0 if there is none.
std::uint64_t size_in(const std::string& file, const std::string& name) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(name)) continue;
    std::istringstream rest(line.substr(name.size()));
    std::uint64_t kilobytes = 0;
    rest >> kilobytes;
    return kilobytes * 1024;
  }
  return 0;
}

/// The shared parts are not told of processes that hide their memory.
std::uint64_t memory_of(const std::string& folder) {
  const std::uint64_t proportional = size_in(folder + "/smaps_rollup", "Pss:");
  return proportional != 0 ? proportional : size_in(folder + "/status", "VmRSS:");
}

}  // namespace

std::vector<system::ProcessId> children_of(system::ProcessId process) {
  std::vector<system::ProcessId> found;
  const std::string threads = folder_of(process) + "/task";  // children are listed by the thread that is their parent
  const std::unique_ptr<DIR, CloseFolder> folder(::opendir(threads.c_str()));
  while (const dirent* const thread = folder ? ::readdir(folder.get()) : nullptr) {
    std::ifstream list(threads + "/" + thread->d_name + "/children");
    for (system::ProcessId id = 0; list >> id;) found.push_back(id);
  }
  return found;
}

ProcessCost& ProcessCost::operator+=(const ProcessCost& other) {
  processes += other.processes;
  memory += other.memory;
  processor_time += other.processor_time;
  return *this;
}

ProcessCost cost_of(system::ProcessId process) {
  constexpr int fields_before_times =
      11;  // behind the name: "STATE PARENT …", then the times of its own and of children
  std::ifstream file(folder_of(process) + "/stat");
  std::string stat;
  if (!std::getline(file, stat) || stat.rfind(')') == std::string::npos) return {};
  std::istringstream fields(stat.substr(stat.rfind(')') + 1));
  std::string skipped;
  for (int i = 0; i < fields_before_times; ++i) fields >> skipped;
  std::int64_t ticks = 0;
  for (std::int64_t one = 0, count = 0; count < 4 && fields >> one; ++count) ticks += one;
  return {.processes = 1,
          .memory = memory_of(folder_of(process)),
          .processor_time = std::chrono::milliseconds(ticks * 1000 / ::sysconf(_SC_CLK_TCK))};
}

ProcessCost cost_of_tree(system::ProcessId process) {
  ProcessCost cost = cost_of(process);
  for (const system::ProcessId child : children_of(process)) cost += cost_of_tree(child);
  return cost;
}

}  // namespace toolwire::bridge
