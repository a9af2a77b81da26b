// What a program writes, for settings that come from one: a password manager, say.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace toolwire::bridge {

struct CommandLimits {
  std::chrono::milliseconds time{5'000};
  std::size_t bytes = std::size_t{64} << 10;
};

/// Runs the program, without a shell and without input, and returns what it wrote to standard output. Throws
/// std::runtime_error saying what was expected if it cannot be started, fails, takes longer or writes more.
std::string output_of(const std::vector<std::string>& command, const CommandLimits& limits = {});

}  // namespace toolwire::bridge
