// Writes and edits files, whole or not at all, keeping the old version in the trash. Independent of the protocol.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "workspace/changes/changed.hpp"
#include "workspace/changes/edits.hpp"
#include "workspace/system/roots.hpp"

namespace workspace {

struct WriteRequest {
  std::string content;
  bool overwrite = false;
  bool dry_run = false;
  Expected expected = {};
};

struct EditRequest {
  std::vector<TextEdit> edits;
  bool dry_run = false;
  Expected expected = {};
};

/// Both return what has changed, with the whole diff. Throw ToolError; then the file is as it was. Two changes of one
/// file must not run at once in one process: the later would find the file changed and refuse.

/// Creates a file and the folders above it, or replaces its content if `overwrite` says so.
Changed write_file(const Located& where, const WriteRequest& request, const std::stop_token& stop);

/// Replaces pieces of a text file, which keeps its encoding and line ends.
Changed edit_file(const Located& where, const EditRequest& request, const std::stop_token& stop);

/// The new text of a file from its text and that text as it is shown.
using Rewrite = std::function<std::string(std::string_view text, std::string_view shown)>;

/// Rewrites text files as edit_file does, all or none: if one cannot be written, those before it get their old content
/// again. Files whose text stays the same are left alone and not in the result.
std::vector<Changed> rewrite_files(const std::vector<Located>& files, const Rewrite& rewrite, bool dry_run,
                                   const std::stop_token& stop);

/// Says which calls, made in this order, undo a change: to the model, and to a ChangeHistory.
void set_undo(Changed& change, std::vector<UndoCall> calls);

}  // namespace workspace
