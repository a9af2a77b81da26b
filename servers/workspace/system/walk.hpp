// Walks the directories below a start, always in the same order, within bounds. Symbolic links are reported and never
// followed, so a walk cannot loop. ".git" and the trash are not entered; files with secrets are skipped if the root
// excludes them, and files that .gitignore names if requested.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "workspace/system/root.hpp"

namespace workspace {

/// Something a walk has found. The path is relative to the root.
struct Entry {
  std::string path;
  FileKind kind = FileKind::unknown;
  int depth = 1;  // 1: directly in the start
};

enum class Step { proceed, pass_by, end };  // pass_by: a directory is not entered

/// What git would pass over.
enum class Ignored { shown, left_out };

struct WalkBounds {
  int depth = 128;                              // directories deeper than this are reported, not entered
  std::size_t entries = 1'000'000;              // after that many the walk ends
  std::size_t entries_per_directory = 100'000;  // of more, only the first in order are seen
  std::string from = {};                        // leaves out what comes before this path in the order
  Ignored ignored = Ignored::shown;
  Secrets secrets = Secrets::left_out;  // Secrets::shown: also where the root leaves them out
};

/// What a walk left out.
struct WalkReport {
  std::size_t entries = 0;
  std::size_t below_depth = 0;  // directories not entered because of their depth
  std::size_t unreadable = 0;   // directories that could not be opened
  std::size_t overfull = 0;     // directories with more entries than a walk looks at
  std::size_t ignored = 0;      // entries left out because a .gitignore says so
  std::size_t secret = 0;       // entries left out because they hold secrets
  bool ran_out = false;         // the bound on entries was reached
};

/// The position of an entry in the order: the bytes of its path, a directory counting as its path and a slash. That is
/// the order of the whole tree's sorted paths, so the last path seen is enough to continue.
std::string order_key(const Entry& entry);

/// Adds what another walk left out.
void add(WalkReport& sum, const WalkReport& more);

/// Calls `visit` for each entry below the directory `start` (as from Root::relative) until it returns Step::end or a
/// stop is requested. Holds one directory open at a time. Throws ToolError if the start itself cannot be listed.
WalkReport walk(const Root& root, const std::string& start, const WalkBounds& bounds, const std::stop_token& stop,
                const std::function<Step(const Entry&)>& visit);

}  // namespace workspace
