// Everything about a confinement that takes memory or may fail, done before the fork: rules, filter, bounds, folder.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <toolwire/system/landlock.hpp>
#include <vector>

#include "confinement/confinement.hpp"
#include "system/apply_confinement.hpp"
#include "system/control_group.hpp"
#include "system/kernel.hpp"
#include "system/private_folder.hpp"
#include "system/system_calls.hpp"

namespace toolwire::bridge {

/// What one start of a program needs. `steps()` points into it. One thread.
class PreparedConfinement {
 public:
  /// Makes the temporary folder and names it in `environment`. `program` is a file. Throws std::system_error if the
  /// system refuses or a path does not exist, and if the kernel cannot enforce all of it unless it `may_degrade`.
  PreparedConfinement(const Confinement& confinement, const KernelSupport& kernel, const std::string& program,
                      std::map<std::string, std::string>& environment);
  PreparedConfinement(const PreparedConfinement&) = delete;
  PreparedConfinement& operator=(const PreparedConfinement&) = delete;

  ConfinementSteps steps() const;

  /// Null if it has none of its own.
  const char* temporary_folder() const { return folder_ ? folder_->path().c_str() : nullptr; }
  /// Of control groups; null if it has none.
  const char* control_group() const { return group_ ? group_->path().c_str() : nullptr; }
  /// From now on the keeper of the program removes folder and group.
  void give_away() {
    if (folder_) folder_->give_away();
    if (group_) group_->give_away();
  }

 private:
  void make_folder(std::map<std::string, std::string>& environment);
  void make_rules(const Confinement& confinement, const KernelSupport& kernel, const std::string& program,
                  const std::string& folders);
  void make_bounds(const Confinement& confinement);
  void make_group(const Confinement& confinement, const KernelSupport& kernel);

  bool is_confined_;
  bool reads_own_process_ = false;
  std::optional<PrivateFolder> folder_;
  std::optional<ControlGroup> group_;
  std::optional<system::LandlockRules> rules_;
  std::optional<SystemCallFilter> filter_;
  std::vector<ResourceBound> bounds_;
};

}  // namespace toolwire::bridge
