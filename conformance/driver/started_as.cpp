#include "driver/started_as.hpp"

#include <fstream>
#include <system_error>
#include <utility>

namespace toolwire::conformance {

std::vector<StartedAs> started_as(const std::vector<pid_t>& processes) {
  std::vector<StartedAs> all;
  for (const pid_t process : processes) {
    const std::filesystem::path folder = "/proc/" + std::to_string(process);
    std::error_code error;
    StartedAs command{.words = {}, .directory = std::filesystem::read_symlink(folder / "cwd", error)};
    std::ifstream stream(folder / "cmdline", std::ios::binary);
    for (std::string word; std::getline(stream, word, '\0');) command.words.push_back(word);
    if (!command.words.empty()) all.push_back(std::move(command));
  }
  return all;
}

}  // namespace toolwire::conformance
