#include "commands/expansion_sources.hpp"

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <vector>

#include <toolwire/system/file_text.hpp>

#include "commands/back_end_settings.hpp"
#include "commands/command_output.hpp"

namespace toolwire::bridge {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> variable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::string secret_file(const fs::path& path) {
  constexpr std::size_t most = std::size_t{64} << 10;
  const auto refuse = [&] {
    throw std::runtime_error("expected a readable file of at most " + std::to_string(most) +
                             " bytes: " + path.string());
  };
  std::error_code error;
  if (!fs::is_regular_file(path, error)) refuse();
  try {
    return system::text_of_file(path.string(), most);
  } catch (const std::system_error&) {
    refuse();
  }
  return {};
}

std::string output_of_command(const std::string& command) {
  const std::vector<std::string> words = words_of(command);
  if (words.empty()) throw std::invalid_argument("expected a program behind \"${cmd:\"");
  return output_of(words);
}

}  // namespace

ExpansionSources expansion_sources(const std::string& directory, bool allow_commands) {
  ExpansionSources sources{.variable = variable, .file = [directory](const std::string& name) {
                             return secret_file(fs::path(directory) / name);
                           }};
  if (allow_commands) sources.command = output_of_command;
  return sources;
}

}  // namespace toolwire::bridge
