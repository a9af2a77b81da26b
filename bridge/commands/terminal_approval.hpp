// Asks the person at the terminal whether tools may run.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include <toolwire/bridge/tool_turn.hpp>
#include <toolwire/client.hpp>

#include "system/terminal.hpp"

namespace toolwire::bridge {

/// Which calls are asked about: all; those of tools that do not say that they only read; none.
enum class Confirmed { all, changes, none };

/// "all", "changes" or "none". Throws std::invalid_argument naming them.
Confirmed confirmed_named(const std::string& name);

/// For TurnOptions::before. Calls nobody can be asked about are refused, and so are tools that were not listed. One
/// thread at a time.
class TerminalApproval {
 public:
  /// `terminal` may be null. `quit` is called when the person has had enough.
  TerminalApproval(Confirmed confirmed, const std::vector<ListedTool>& tools, std::unique_ptr<Terminal> terminal,
                   std::stop_source quit);

  /// Nothing: it may run.
  std::optional<ToolAnswer> refused(const ToolCallBlock& call);

 private:
  const Confirmed confirmed_;
  const std::unique_ptr<Terminal> terminal_;
  std::stop_source quit_;
  std::set<std::string> known_;    // all that were listed
  std::set<std::string> allowed_;  // they only read, or the person has said "always"
};

}  // namespace toolwire::bridge
