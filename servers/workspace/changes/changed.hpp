// The result of changing a file, as all tools that write report it. A plain value, independent of how the change was
// made.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <toolwire/describe.hpp>
#include <vector>

#include "workspace/system/place.hpp"

namespace workspace {

/// What the caller believes about a file before it is changed; empty members are not checked.
struct Expected {
  std::string hash;      // as file_info and every change report it
  std::string modified;  // as read_file, file_info and every change report it
};

/// A call of move or, if it goes nowhere, of delete. Paths are as `shown_path` shows them.
struct UndoCall {
  std::string from;
  std::string to = {};
  bool overwrite = false;
};

/// Its paths are as `shown_path` shows them.
struct Changed {
  std::string path;
  bool changed = true;  // false after a dry run
  bool created = false;
  bool made_folder = false;  // an empty one
  std::optional<std::uint64_t> size = {};
  std::optional<std::string> modified = {};
  std::optional<std::string> hash = {};
  std::optional<std::string> kept = {};  // where the old version is now
  std::uint64_t other_names = 0;         // of the old version: hard links, which keep the old content
  std::optional<std::string> undo = {};
  std::vector<UndoCall> undo_calls = {};  // the same
  std::optional<MadeFolders> folders = {};
  std::optional<std::string> diff = {};
  bool diff_is_cut = false;

  static constexpr auto describe() {
    using toolwire::field;
    return toolwire::fields(
        field<&Changed::path>("What was changed, relative to the root"),
        field<&Changed::changed>("False after a dry run: nothing was changed"),
        field<&Changed::created>("Whether it was not there before"), field<&Changed::size>("Bytes of the new content"),
        field<&Changed::modified>("Time of the last change; can be given as expectedModified"),
        field<&Changed::hash>("Digest of the new content; can be given as expectedHash"),
        field<&Changed::kept>("Where in the trash the old version is"),
        field<&Changed::other_names>("How many other names (hard links) the old version has, which still show it")
            .named("otherNames"),
        field<&Changed::undo>("The call that undoes this one, as its tool and arguments; two of them, joined by "
                              "\", then \", after a move that replaced a file"),
        field<&Changed::diff>("The change as unified diff; only after a dry run, else it is in _meta"),
        field<&Changed::diff_is_cut>("Whether the diff is longer than what is shown").named("diffIsCut"));
  }
};

}  // namespace workspace
