// The answers of list_files and find_files: entries below a directory as lines, within the budget. Independent of the
// protocol.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <toolwire/describe.hpp>
#include <vector>

#include "workspace/names/name_filter.hpp"
#include "workspace/system/roots.hpp"
#include "workspace/system/walk.hpp"
#include "workspace/text/bounded_text.hpp"

namespace workspace {

enum class EntryKind { any, file, directory };

/// That a caller may ask for; what finds by name goes deeper.
inline constexpr int most_depth = 100;

struct ListRequest {
  std::string path = ".";
  int depth = 2;
  NameChoice names = {};  // only entries of these names
  EntryKind kind = EntryKind::any;
  std::uint64_t limit = 2000;
  std::string cursor = {};      // leaves out everything up to this path, as an earlier answer gave it
  bool include_ignored = true;  // also what a .gitignore names
};

struct ListedEntry {
  std::string path;
  std::string kind;

  static constexpr auto describe() {
    using toolwire::field;
    return toolwire::fields(field<&ListedEntry::path>("Relative to the root"),
                            field<&ListedEntry::kind>("file, directory, symbolic link, named pipe, socket, device"));
  }
};

struct ListAnswer {
  std::vector<ListedEntry> entries;
  std::optional<std::string> cursor = {};
  std::vector<std::string> notices = {};

  static constexpr auto describe() {
    using toolwire::field;
    return toolwire::fields(field<&ListAnswer::entries>("Sorted by path"),
                            field<&ListAnswer::cursor>("Given if there are more: the next call's cursor"),
                            field<&ListAnswer::notices>("What was left out, and how to go on"));
  }
};

/// The answer as text and as values.
struct ListResult {
  std::string text;
  ListAnswer answer;
};

/// One line for each entry: its path from the root, a directory with a slash at its end, anything that is neither file
/// nor directory with its kind in parentheses. Throws ToolError if the path is not a directory.
ListResult list_entries(const Roots& roots, const ListRequest& request, const std::stop_token& stop,
                        TextBudget budget = {});

/// What a walk left out, one sentence for each reason.
std::vector<std::string> walk_notices(const WalkReport& report);

/// A possible reason why no file below this path matched this glob; empty if there is none. `has_root_names`: paths
/// begin with the name of one of several roots.
std::string unmatched_glob_notice(const std::string& glob, const std::string& path, bool has_root_names);

}  // namespace workspace
