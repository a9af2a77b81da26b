// One folder of a walk: what is in it, sorted, without what a walk leaves out, and which of its folders are entered.
// Independent of the order in which folders are read, and by how many threads.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "workspace/names/ignore_rules.hpp"
#include "workspace/system/walk.hpp"

namespace workspace {

/// Rules of .gitignore files: those of a folder, then of the folders above it.
struct RulesAbove {
  IgnoreRules rules;
  std::shared_ptr<const RulesAbove> above;
};

/// A folder that is to be read, with the rules that hold in it.
struct Folder {
  std::string path;  // relative to the root
  int depth = 1;     // of its entries
  std::shared_ptr<const RulesAbove> rules = {};
};

/// Immutable; any number of threads may use one. What it is made of must live longer.
class FolderReader {
 public:
  FolderReader(const Root& root, const WalkBounds& bounds, const std::stop_token& stop)
      : root_(root), bounds_(bounds), stop_(stop) {}

  /// Where a walk starts: with the rules of all folders above, which hold below it too.
  Folder start(const std::string& path) const;

  /// Whether a rule of the folders above leaves this entry out.
  bool is_ignored(const Entry& entry) const;

  /// Reads from the directory's position, and the folder's own rules into it. Nothing once a stop is requested.
  std::vector<Entry> entries(int directory, Folder& folder, WalkReport& report) const;

  /// Whether a walk goes into this directory; if its depth forbids it, that is counted.
  bool enters(const Entry& entry, WalkReport& report) const;

  /// Opens a folder by its path from the root, not from its parent: a parent moved out of the root meanwhile is not
  /// followed. Not open if that fails, which is counted.
  FileDescriptor open(const Folder& folder, WalkReport& report) const;

  /// For a directory: whether everything below it comes before the start, too.
  bool is_before_start(const Entry& entry) const;

 private:
  void add_rules(Folder& folder, const std::string& base, const std::string& file) const;
  /// A repository in another has rules of its own only.
  void begin_repository(Folder& folder, const std::string& base) const;
  bool is_left_out(const Folder& folder, const Entry& entry, WalkReport& report) const;

  const Root& root_;
  const WalkBounds& bounds_;
  const std::stop_token& stop_;
};

}  // namespace workspace
