// Runs a program to its end and keeps what it wrote.
#pragma once

#include <toolwire/child_process.hpp>

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace toolwire_test {

struct ProgramRun {
  pid_t id = 0;
  int status = -1;
  std::string out = {};
  std::string errors = {};  // the end of them, see Program::kept_errors
};

/// Sends `input`, ends the input, and waits: the test's own time limit ends a program that hangs.
inline ProgramRun run_program(const toolwire::Program& program, std::string_view input = "") {
  toolwire::ChildProcess process(program);
  if (!input.empty()) process.transport().write(input.data(), input.size(), toolwire::Transport::Blocking::yes);
  process.close_input();
  ProgramRun run{.id = process.id()};
  std::array<char, 4096> bytes{};
  for (std::ptrdiff_t count = 0; (count = process.transport().read(bytes.data(), bytes.size())) > 0;)
    run.out.append(bytes.data(), static_cast<std::size_t>(count));
  run.status = process.wait().code;
  run.errors = process.error_tail();
  return run;
}

}  // namespace toolwire_test
