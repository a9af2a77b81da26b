// Which settings of a bridge that serves mean none of the tools there are: names that were mistyped, most often. Says
// so and changes nothing; what can be known from files alone is judged before (tool_settings.hpp).
#pragma once

#include <set>
#include <string>
#include <vector>

#include "activities/mcp/offer.hpp"
#include "commands/serve_options.hpp"
#include "policy/preferences.hpp"

namespace toolwire::bridge {

/// Judges by the tools of this moment. Lives no longer than what it is given. One thread.
class UnusedSettings {
 public:
  /// `own_tools`: the names of all that come from no server. `more_may_come`: from scenarios or runtimes, at any time.
  UnusedSettings(const ServeOptions& options, mcp::Offer& offer, std::set<std::string> own_tools, bool more_may_come);

  /// What is to be said of each setting that means nothing, with its place and the nearest name: only of those that
  /// could mean nothing else than a tool that is known by now.
  std::vector<std::string> all(const Preferences& preferences) const;
  /// The same of the keys of tools alone.
  std::vector<std::string> keys(const Preferences& preferences) const;
  /// The same of keys that an edit brings, see mistyped_by_edit.
  std::vector<std::string> keys_of_edit(const Preferences& before, const Preferences& edited) const;

 private:
  std::vector<std::string> always_listed() const;
  std::vector<std::string> filters() const;
  bool knows_all_tools() const;
  bool knows_tools_of(const std::string& key) const;
  std::vector<std::string> names() const;
  std::string line(const std::string& key, const std::string& text) const;

  const ServeOptions& options_;
  mcp::Offer& offer_;
  const std::set<std::string> own_tools_;
  const bool more_may_come_;
};

}  // namespace toolwire::bridge
