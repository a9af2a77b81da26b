#include "own_command.hpp"

#include <array>
#include <chrono>
#include <cstdio>
#include <toolwire/child_process.hpp>
#include <toolwire/system/find_program.hpp>

#include "program_guard.hpp"

namespace toolwire::install {

int run_to_end(const std::vector<std::string>& command, const std::string& folder) {
  const system::EndingSignalsHeld held;  // until the guard is there
  ChildProcess process(
      {.command = command, .directory = folder, .errors = Program::Errors::inherit, .own_group = true});
  process.close_input();
  const ProgramGuard guard(process, std::chrono::minutes(1));
  std::array<char, 4096> bytes{};
  for (std::ptrdiff_t count = 0; (count = process.transport().read(bytes.data(), bytes.size())) > 0;)
    std::fwrite(bytes.data(), 1, static_cast<std::size_t>(count), stdout);
  const int code = process.wait().code;
  if (guard.is_interrupted()) throw Interrupted();
  return code;
}

std::optional<std::vector<std::string>> on_path(std::optional<std::vector<std::string>> command,
                                                const std::string& path) {
  if (!command) return std::nullopt;
  const auto program = system::find_program(command->front(), path, system::RelativeFolders::skipped);
  if (!program) return std::nullopt;
  command->front() = *program;
  return command;
}

std::string shell_text(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& word : command) {
    if (!text.empty()) text += ' ';
    const bool is_plain = !word.empty() && word.find_first_not_of(
                                               "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                               "0123456789_-./=:@%+,") == std::string::npos;
    if (is_plain) {
      text += word;
      continue;
    }
    text += '\'';
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += '\'';
  }
  return text;
}

}  // namespace toolwire::install
