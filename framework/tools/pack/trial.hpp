// Whether a package works: it is unpacked as a host or npm would, and started.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <toolwire/system/private_file.hpp>

#include "install/server_start.hpp"
#include "package.hpp"

namespace toolwire::pack {

/// A folder of this user only, for all that is unpacked and started; removed in the end, or, if this process is killed,
/// by a later one. The folders that users would
/// choose stand in it, empty; `secrets` are values of variables that they would give. All functions that start the
/// server throw std::runtime_error saying which package failed and why.
class Trial {
 public:
  /// Throws std::system_error if there can be no such folder.
  explicit Trial(const Arguments& arguments, const std::map<std::string, std::string>& secrets = {});
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;
  ~Trial();

  /// The program before it is packed, in the folder of this process: what there is to be packed.
  [[nodiscard]] install::ServerReport unpacked(const std::string& program, const Arguments& arguments,
                                               const std::string& folder) const;

  /// Unpacks a bundle and starts it as its manifest says, in a folder where nothing is.
  [[nodiscard]] install::ServerReport bundle(std::string_view zip, const Package& package) const;

  /// Unpacks both packages of npm and starts the script of the main one by `node`, its file; without a value, the
  /// program alone.
  [[nodiscard]] install::ServerReport npm(std::string_view main, std::string_view platform, const Package& package,
                                          const std::optional<std::string>& node) const;

 private:
  [[nodiscard]] install::ServerReport started(const char* what, const hosts::Server& server,
                                              const Package& package) const;

  std::filesystem::path folder_;
  system::PrivateFile lock_;  // as long as it is held, the folder is in use
  std::map<std::string, std::string> secrets_;
  ChosenValues chosen_ = {};
};

}  // namespace toolwire::pack
