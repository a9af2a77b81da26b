// A Program in the form execve(2) wants: everything that needs memory is done here, before the fork. Independent of
// processes and descriptors.
#pragma once

#include <toolwire/child_process.hpp>

#include <string>
#include <vector>

namespace toolwire::process {

/// Owns the strings behind the arrays; neither copied nor moved, since the arrays point into it. Immutable.
class ProgramImage {
 public:
  /// Throws std::invalid_argument for what cannot be passed to a program, std::system_error if it is not found.
  explicit ProgramImage(const Program& program);
  ProgramImage(const ProgramImage&) = delete;
  ProgramImage& operator=(const ProgramImage&) = delete;

  [[nodiscard]] const char* path() const { return path_.c_str(); }
  [[nodiscard]] char* const* arguments() const { return argument_pointers_.data(); }
  [[nodiscard]] char* const* environment() const { return environment_pointers_.data(); }

 private:
  std::vector<std::string> arguments_;
  std::vector<std::string> environment_;
  std::vector<char*> argument_pointers_;
  std::vector<char*> environment_pointers_;
  std::string path_;
};

}  // namespace toolwire::process
