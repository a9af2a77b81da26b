// What files held before they were changed: kept in a folder of this user, of each file the first one and the newest,
// twenty in all and no more than 64 MiB. Knows nothing of their content.
#pragma once

#include <string>
#include <string_view>
#include <toolwire/system/private_file.hpp>
#include <vector>

namespace toolwire::install {

class Backups {
 public:
  /// In this folder, which is made when something is kept.
  explicit Backups(std::string folder) : folder_(std::move(folder)) {}

  /// Throws std::runtime_error if it cannot be kept.
  void keep(const std::string& path, std::string_view text) const;

  /// While it lives, no other process that asks for it changes files, unless it has waited for a minute. Where files
  /// cannot be locked, nobody waits.
  [[nodiscard]] system::PrivateFile alone() const;

  /// All that the file is known to have held, the newest first. What cannot be read is left out.
  [[nodiscard]] std::vector<std::string> of(const std::string& path) const;

 private:
  std::string folder_;
};

}  // namespace toolwire::install
