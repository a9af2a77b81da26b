// The secrets of a replica or worker: in files of its user, and in variables. Knows nothing of what they are for.
#pragma once

#include <string>

namespace toolwire::bridge::cluster {

/// The first line of a file of this user that nobody else can read or write; empty for an empty path. Throws
/// std::invalid_argument that begins with `member`, which names the file, and says `what` was expected there.
std::string first_line_of(const std::string& path, const std::string& member, const std::string& what);

/// TOOLWIRE_STATE_KEY, and TOOLWIRE_SECOND_STATE_KEY or nothing.
struct StateKeys {
  std::string key = {};
  std::string second = {};
};
/// Throws std::invalid_argument if there is no first key.
StateKeys state_keys();

}  // namespace toolwire::bridge::cluster
