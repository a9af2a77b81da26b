#include "server/process_arguments.hpp"

#include <cerrno>  // program_invocation_name
#include <fstream>
#include <iterator>
#include <utility>

namespace toolwire::server {

std::optional<std::vector<std::string>> arguments_of(std::string_view command_line, std::string_view program) {
  std::vector<std::string> words;
  while (!command_line.empty()) {
    const std::size_t end = command_line.find('\0');
    if (end == std::string_view::npos) return std::nullopt;  // overwritten by a process title
    words.emplace_back(command_line.substr(0, end));
    command_line.remove_prefix(end + 1);
  }
  if (words.empty() || words.front() != program) return std::nullopt;
  return words;
}

std::optional<std::vector<std::string>> process_arguments() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  if (!file) return std::nullopt;
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return arguments_of(text, program_invocation_name);
}

bool ask_for_options(const std::vector<std::string>& arguments) {
  return arguments.size() > 1 && (arguments[1] == "-h" || arguments[1].starts_with("--"));
}

}  // namespace toolwire::server
