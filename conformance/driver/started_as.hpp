// How processes that run were started, as far as the system tells.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

namespace toolwire::conformance {

/// How a process was started.
struct StartedAs {
  std::vector<std::string> words;
  std::filesystem::path directory;
};

/// Of the running ones among `processes`: what `npx` and other starters chose.
std::vector<StartedAs> started_as(const std::vector<pid_t>& processes);

}  // namespace toolwire::conformance
