// The programs of framework/examples, as they are started by tests.
#pragma once

#include <array>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <toolwire/child_process.hpp>
#include <vector>

namespace toolwire_test {

inline std::string example_file(const std::string& name) { return std::string(TOOLWIRE_BIN_DIR) + "/example_" + name; }

/// False where a library that it needs is not there.
inline bool has_example(const std::string& name) { return std::filesystem::exists(example_file(name)); }

inline toolwire::Program example(const std::string& name, std::vector<std::string> arguments = {}) {
  toolwire::Program program{.command = {example_file(name)}};
  program.command.insert(program.command.end(), arguments.begin(), arguments.end());
  return program;
}

/// One that says in its first line where it can be reached, and runs until this is destroyed.
struct Announcing {
  explicit Announcing(const std::string& name, std::vector<std::string> arguments = {})
      : process(example(name, std::move(arguments))) {
    char byte = 0;
    while (process.transport().read(&byte, 1) > 0 && byte != '\n') line += byte;
    if (byte != '\n') throw std::runtime_error(name + " has said no line: " + process.stop().text());
  }

  toolwire::ExitStatus ended_by(int signal) {
    process.signal(signal);
    return process.wait();
  }

  toolwire::ChildProcess process;
  std::string line = {};
};

}  // namespace toolwire_test
