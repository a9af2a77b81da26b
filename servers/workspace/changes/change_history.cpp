#include "workspace/changes/change_history.hpp"

#include <algorithm>
#include <cerrno>
#include <toolwire/error.hpp>

#include "workspace/changes/mover.hpp"
#include "workspace/changes/writer.hpp"
#include "workspace/system/file_bytes.hpp"
#include "workspace/system/walk.hpp"
#include "workspace/text/shown_path.hpp"

namespace workspace {
namespace {

/// The digest of a file, or nothing that is one.
std::string digest_of(const Located& where) {
  try {
    return digest(all_bytes(where.root->open_file(where.path).get(), max_bytes_edited, {}));
  } catch (const toolwire::ToolError&) {
    return {};
  }
}

/// What others have put into a folder since it was made is theirs.
void check_is_empty(const Roots& roots, const Changed& change) {
  const Located where = roots.locate(path_meant(change.path));
  const std::string folder = where.root->relative(where.path);
  if (where.root->try_look_at(folder).error != 0) return;  // which undoing it says
  const WalkBounds bounds{.depth = 1, .secrets = Secrets::shown};
  walk(*where.root, folder, bounds, {}, [&change](const Entry& entry) -> Step {
    throw toolwire::ToolError("path: " + change.path + " is not empty any more, so nothing was undone (there is " +
                              shown_path(last_part(entry.path)) +
                              " in it); to have it gone all the same: " + change.undo.value_or(""));
  });
}

void check_is_as_left(const Roots& roots, const Changed& change) {
  if (change.made_folder) check_is_empty(roots, change);
  if (!change.hash || digest_of(roots.locate(path_meant(change.path))) == *change.hash) return;
  throw toolwire::ToolError(
      "path: " + change.path +
      " is not as the last change left it, so nothing was undone; to have the old version all the "
      "same: " +
      change.undo.value_or(""));
}

std::string carry_out(const Roots& roots, const UndoCall& call) {
  const Located from = roots.locate(path_meant(call.from));
  if (call.to.empty()) {
    delete_path(from);
    return "deleted " + call.from;
  }
  move_path(from, roots.locate(path_meant(call.to)), call.overwrite);
  return "moved " + call.from + " to " + call.to;
}

/// What was made above it and is empty now; others may have put something there.
void remove_folders(const Roots& roots, const Changed& change, std::vector<std::string>& done) {
  if (!change.folders) return;
  const Located where = roots.locate(path_meant(change.path));
  remove_empty_folders(*where.root, change.folders->bottom, change.folders->above);
  if (where.root->try_look_at(change.folders->bottom).error == ENOENT)
    done.push_back("removed the empty folder that was made for it, " + shown_path(where.shown(change.folders->bottom)));
}

}  // namespace

void ChangeHistory::add(const std::vector<Changed>& changes) {
  const bool is_change = std::any_of(changes.begin(), changes.end(), [](const Changed& one) { return one.changed; });
  if (!is_change) return;
  calls_.push_back(changes);
  for (Changed& change : calls_.back()) change.diff.reset();
  if (calls_.size() > most) calls_.pop_front();
}

std::vector<std::string> ChangeHistory::undo_last(const Roots& roots) {
  if (calls_.empty())
    throw toolwire::ToolError(
        "there is nothing to undo: this server has changed nothing since it started, or all of it is undone");
  for (const Changed& change : calls_.back()) check_is_as_left(roots, change);
  std::vector<Changed>& changes = calls_.back();
  std::vector<std::string> done;
  while (!changes.empty()) {
    for (const UndoCall& call : changes.back().undo_calls) done.push_back(carry_out(roots, call));
    remove_folders(roots, changes.back(), done);
    changes.pop_back();
  }
  calls_.pop_back();
  return done;
}

}  // namespace workspace
