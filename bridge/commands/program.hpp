// What a program with commands does besides them: it prepares its process, finds the command, and says what there is.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace toolwire::bridge {

struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(int argc, const char* const* argv);
  bool leaves_a_program = false;  ///< This process itself, or a browser: it begins as if started by itself, and stays.
};

/// To be called first thing in main. `about`: for --help, ending with a line's end. Returns the exit status; throws
/// nothing.
int run_program(std::string_view program, std::string_view about, std::span<const Command> commands, int argc,
                const char* const* argv);

}  // namespace toolwire::bridge
