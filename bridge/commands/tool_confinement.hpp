// What the user's settings say of the programs behind tools, and where nothing would follow from it: a program that is
// believed to be confined must not run without that.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "commands/tool_sources.hpp"
#include "manifest/findings.hpp"
#include "policy/preferences.hpp"

namespace toolwire::bridge {

/// What is wanted of the program behind an Activity.
struct WantedConfinement {
  const Confinement* confinement = nullptr;  // of the preferences; null: its binding alone says what it may do
  std::string problem = {};                  // why what is wanted cannot be had
};

/// The same of all Activities, by the tools that use them.
class WantedConfinements {
 public:
  /// Both must outlive it.
  WantedConfinements(const Preferences& preferences, const LoadedSources& loaded);

  WantedConfinement of(const std::string& activity) const;

 private:
  struct User {
    const ToolSource* source;
    const ToolDefinition* tool;
  };

  const Preferences& preferences_;
  const LoadedSources& loaded_;
  std::unordered_map<std::string, std::vector<User>> users_;  // by the name of the Activity
};

/// Why a tool of a server or of a runtime is not offered: no program is started for it alone, and its settings want
/// that to be confined. Empty if they do not.
std::string missing_confinement(const Preferences& preferences, std::string_view tool, std::string_view origin = {});

/// A problem for each "confinement" that cannot be had or that nothing follows from. The entries stand at `pointer`;
/// tools of these servers and, if there are any, of runtimes are not known yet.
void look_for_useless_confinement(const Preferences& preferences, const std::string& pointer,
                                  const LoadedSources& loaded, const std::vector<std::string>& servers, bool runtimes,
                                  Findings& findings);

}  // namespace toolwire::bridge
