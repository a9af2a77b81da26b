#include "workspace/changes/mover.hpp"

#include <cerrno>
#include <optional>
#include <toolwire/error.hpp>
#include <toolwire/system/new_file.hpp>
#include <vector>

#include "workspace/changes/writer.hpp"
#include "workspace/system/file_bytes.hpp"
#include "workspace/system/file_state.hpp"
#include "workspace/system/place.hpp"
#include "workspace/system/trash.hpp"
#include "workspace/system/walk.hpp"
#include "workspace/text/shown_path.hpp"

namespace workspace {
namespace {

constexpr std::size_t shown_bytes = 300;

[[noreturn]] void refuse(const std::string& name, const std::string& path, const std::string& why) {
  throw toolwire::ToolError(name + ": " + shown_path(path, shown_bytes) + ' ' + why);
}

[[noreturn]] void fail_move(const Place& from, const Place& to, int error) {
  switch (error) {
    case EEXIST:
    case ENOTEMPTY:
      refuse("to", to.shown(), "exists already; choose another name, or set overwrite if it is a file");
    case EINVAL:
      refuse("to", to.shown(), "is inside what is to be moved, or the file system cannot move without replacing");
    case EXDEV:
      refuse("to", to.shown(),
             "is on another file system than " + shown_path(from.shown(), shown_bytes) +
                 "; write the content there and delete the old file instead");
    default:
      throw toolwire::ToolError(change_error_text(from.shown(), error));
  }
}

// The content of the file a move is about to replace, kept in the trash.
std::string keep_replaced(const Root& root, const Place& to, const FileState& state) {
  if (state.kind != FileKind::regular)
    refuse("to", to.shown(), "is a " + std::string(kind_name(state.kind)) + ", and only files are replaced");
  const FileDescriptor file = open_to_read(to);
  if (!file.is_open()) throw toolwire::ToolError(open_error_text(to.shown(), errno));
  return keep_in_trash(root, to, all_bytes(file.get(), max_bytes_edited, {}));
}

FileState existing(const Place& place, const char* name) {
  const std::optional<FileState> state = state_at(place.parent.get(), place.leaf);
  if (!state) refuse(name, place.shown(), "does not exist in the workspace; list_files shows what does");
  return *state;
}

// Something in a folder that would not be protected any more, or may not be moved at all, if the folder became `to`.
std::optional<std::string> obstacle(const Root& root, const Entry& entry, const std::string& from,
                                    const std::string& to) {
  if (is_repository_folder(last_part(entry.path))) return "is git's, which this server never changes; use git itself";
  const bool loses_protection = root.secrets() == Secrets::left_out && last_part_holds_secrets(entry.path) &&
                                !holds_secrets(to + entry.path.substr(from.size()));
  if (!loses_protection) return std::nullopt;
  return "holds secrets, as its name says, and would be shown at its new place";
}

// A folder is moved with all that is in it, so all of it is looked at. What cannot be looked at may be anything.
void check_content(const char* name, const Located& where, const Place& from, const std::string& to) {
  const WalkReport seen = walk(*where.root, from.path, {.secrets = Secrets::shown}, {}, [&](const Entry& entry) {
    if (const std::optional<std::string> why = obstacle(*where.root, entry, from.path, to))
      refuse(name, from.shown(), "holds " + shown_path(where.shown(entry.path), shown_bytes) + ", which " + *why);
    return Step::proceed;
  });
  if (seen.unreadable + seen.below_depth + seen.overfull > 0 || seen.ran_out) {
    refuse(name, from.shown(),
           "was not moved: it has folders that cannot be read, are deeper than 128 levels or hold more than 100000 "
           "entries (or it has more than 1000000 in all), so that it cannot be seen whether it holds a .git; move what "
           "is in it");
  }
}

// The trash only holds what was deleted or replaced, so one call moves it back.
std::vector<UndoCall> undoing(const Place& from, const Changed& moved) {
  if (from.path.starts_with(std::string(trash_folder) + '/'))
    return {moved.kept ? UndoCall{*moved.kept, moved.path, true} : UndoCall{moved.path}};
  std::vector<UndoCall> calls{{moved.path, shown_path(from.shown())}};
  if (moved.kept) calls.push_back({*moved.kept, moved.path});
  return calls;
}

}  // namespace

Changed move_path(const Located& from_where, const Located& to_where, bool overwrite) {
  const Place from = place_of(from_where, MissingFolders::refused, TrashPaths::allowed);
  if (from.path == trash_folder) refuse("from", from.shown(), "is the trash itself, which stays where it is");
  const FileState moved = existing(from, "from");
  const std::string wanted = to_where.root->relative(to_where.path);
  check_protected(*to_where.root, to_where.path, wanted, TrashPaths::refused);
  const bool is_folder = moved.kind == FileKind::directory;
  if (is_folder) check_content("from", from_where, from, wanted);
  if (!is_folder && is_of_directory(to_where.path))
    refuse("to", to_where.shown(to_where.path),
           "ends as the path of a directory does; expected the whole new path of the file, its name included");
  NewFolders folders{*to_where.root, wanted};
  const Place to = place_of(to_where, MissingFolders::made);
  if (is_folder && to.path != wanted) check_content("from", from_where, from, to.path);
  const std::optional<FileState> there = state_at(to.parent.get(), to.leaf);
  if (there && there->device == moved.device && there->number == moved.number)
    refuse("to", to.shown(), "is the same file as from");
  if (there && !overwrite) fail_move(from, to, EEXIST);
  Changed result{.path = shown_path(to.shown()), .created = !there};
  if (there && moved.kind != FileKind::regular)
    refuse("from", from.shown(), "is no file, and only files replace files");
  const std::string kept = there ? keep_replaced(*to_where.root, to, *there) : std::string();
  if (there) result.kept = shown_path(to.prefix + kept);
  const int from_directory = from.parent.get(), to_directory = to.parent.get();
  const auto rename = there ? toolwire::system::rename_over : toolwire::system::rename_to_free_name;
  const int error = rename(from_directory, from.leaf, to_directory, to.leaf);
  if (error != 0) {
    if (there) take_out_of_trash(*to_where.root, kept);
    fail_move(from, to, error);
  }
  result.folders = folders.keep();
  set_undo(result, undoing(from, result));
  return result;
}

Changed create_directory(const Located& where) {
  NewFolders folders{*where.root, where.root->relative(where.path)};
  const Place place = place_of(where, MissingFolders::made);
  Changed result{.path = shown_path(place.shown()), .created = true};
  if (const int error = make_directory(place); error != 0) {
    const auto there = state_at(place.parent.get(), place.leaf);
    if (!there) throw toolwire::ToolError(change_error_text(place.shown(), error));
    if (there->kind != FileKind::directory)
      refuse("path", place.shown(), "exists already and is a " + std::string(kind_name(there->kind)));
    result.changed = result.created = false;
  }
  result.folders = folders.keep();
  result.made_folder = result.created;
  if (result.created) set_undo(result, {{result.path}});
  return result;
}

Changed delete_path(const Located& where) {
  const Place place = place_of(where);
  if (existing(place, "path").kind == FileKind::directory) check_content("path", where, place, place.path);
  Changed result{.path = shown_path(place.shown())};
  result.kept = shown_path(place.prefix + move_to_trash(*where.root, place));
  set_undo(result, {{*result.kept, result.path}});
  return result;
}

}  // namespace workspace
