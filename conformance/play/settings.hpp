// What a played server is to do, as the suite leaves it in a folder before a host starts the server. Knows no case.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "driver/revision.hpp"

namespace toolwire::conformance {

struct PlaySettings {
  std::string played = {};                // the name of the case
  const Revision* revision = nullptr;     // that the server speaks
  std::string main = "tools/list";        // the method of the request at which cases do what is wrong
  std::chrono::milliseconds wait{3000};   // for what the host should answer
  std::chrono::milliseconds watch{3000};  // how long an unanswered request is watched
};

/// The file of the settings in `folder`.
std::filesystem::path settings_file(const std::filesystem::path& folder);

/// Throws std::runtime_error if the file cannot be written.
void write_settings(const std::filesystem::path& folder, const PlaySettings& settings);

/// Throws std::runtime_error saying what is wrong with the folder.
PlaySettings read_settings(const std::filesystem::path& folder);

}  // namespace toolwire::conformance
