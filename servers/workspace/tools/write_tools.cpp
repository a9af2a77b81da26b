#include "workspace/tools/write_tools.hpp"

#include <chrono>
#include <string>
#include <toolwire/describe.hpp>
#include <utility>
#include <vector>

#include "toolwire/detail/mutex.hpp"
#include "workspace/changes/mover.hpp"
#include "workspace/changes/writer.hpp"
#include "workspace/text/bounded_text.hpp"
#include "workspace/text/shown_path.hpp"
#include "workspace/tools/answer.hpp"

namespace workspace {
namespace {

using toolwire::Context;
using toolwire::field;
using toolwire::fields;
using toolwire::ToolResult;
using namespace std::chrono_literals;

constexpr std::string_view path_text = "The file, relative to the workspace root, such as src/main.cpp";
constexpr std::string_view hash_text =
    "Only if the file's content still has this digest (\"sha256:…\" as file_info tells it)";
constexpr std::string_view modified_text =
    "Only if the file's time of the last change is still this (as file_info tells it)";

struct WriteFile {
  std::string path;
  std::string content;
  bool overwrite = false;
  bool dry_run = false;
  std::string expected_hash;
  std::string expected_modified;

  static constexpr auto describe() {
    return fields(
        field<&WriteFile::path>(path_text), field<&WriteFile::content>("The whole content of the file, as UTF-8 text"),
        field<&WriteFile::overwrite>("Whether a file that is there is replaced; else that is an error").optional(),
        field<&WriteFile::dry_run>("Only show what would change").named("dryRun").optional(),
        field<&WriteFile::expected_hash>(hash_text).named("expectedHash").optional(),
        field<&WriteFile::expected_modified>(modified_text).named("expectedModified").optional());
  }
};

struct OneEdit {
  std::string old_text;
  std::string new_text;
  bool replace_all = false;

  static constexpr auto describe() {
    return fields(field<&OneEdit::old_text>("The text to replace, exactly as it stands in the file").named("oldText"),
                  field<&OneEdit::new_text>("What stands there afterwards; empty to remove it").named("newText"),
                  field<&OneEdit::replace_all>("Every place where oldText stands, instead of the only one")
                      .named("replaceAll")
                      .optional());
  }
};

struct EditFile {
  std::string path;
  std::optional<std::string> old_text;
  std::optional<std::string> new_text;
  bool replace_all = false;
  std::vector<OneEdit> edits;
  bool dry_run = false;
  std::string expected_hash;
  std::string expected_modified;

  static constexpr auto describe() {
    return fields(
        field<&EditFile::path>(path_text),
        field<&EditFile::old_text>("The text to replace, exactly as it stands in the file, white space included, and "
                                   "with enough around it to be unique; leave out if edits is given")
            .named("oldText"),
        field<&EditFile::new_text>("What stands there afterwards; empty to remove it").named("newText"),
        field<&EditFile::replace_all>("Every place where oldText stands, instead of the only one")
            .named("replaceAll")
            .optional(),
        field<&EditFile::edits>("Several edits at once, all or none; each is matched against the file as it is now, "
                                "and they may not overlap")
            .items(0, 200)
            .optional(),
        field<&EditFile::dry_run>("Only show what would change").named("dryRun").optional(),
        field<&EditFile::expected_hash>(hash_text).named("expectedHash").optional(),
        field<&EditFile::expected_modified>(modified_text).named("expectedModified").optional());
  }
};

struct Move {
  std::string from;
  std::string to;
  bool overwrite = false;

  static constexpr auto describe() {
    return fields(
        field<&Move::from>("The file or directory, relative to the workspace root"),
        field<&Move::to>(
            "Its new path, relative to the workspace root: the whole of it, also to move into a directory"),
        field<&Move::overwrite>("Whether a file that is there is replaced; else that is an error").optional());
  }
};

struct CreateDirectory {
  std::string path;

  static constexpr auto describe() {
    return fields(field<&CreateDirectory::path>("The directory, relative to the workspace root, such as src/new"));
  }
};

struct Delete {
  std::string path;

  static constexpr auto describe() {
    return fields(field<&Delete::path>("The file or directory, relative to the workspace root"));
  }
};

struct Undone {
  std::vector<std::string> steps;

  static constexpr auto describe() { return fields(field<&Undone::steps>("What was done, in this order")); }
};

std::string with_notices(std::string text, const Changed& changed) {
  if (changed.other_names > 0)
    text += "\n[The old version has " + counted(changed.other_names, "other name", "other names") +
            " (hard links), which still show it.]";
  if (changed.undo) text += "\n[To undo: " + *changed.undo + ']';
  return text;
}

// After a dry run the diff is the answer; after a change it is for people.
ToolResult told(Changed changed, const std::string& deed) {
  std::string diff = bounded_diff(changed.diff.value_or(""), changed.diff_is_cut);
  changed.diff.reset();
  if (changed.changed) {
    ToolResult result = answer(with_notices(deed, changed), changed);
    toolwire::JsonObject details{{"diff", diff}, {"diffIsCut", changed.diff_is_cut}};
    result.meta[details_key] = std::move(details);
    return result;
  }
  std::string text = "Dry run, nothing was changed. The difference would be:\n" + diff;
  if (changed.diff_is_cut) text += "\n[The difference is longer; only its beginning is shown.]";
  changed.diff = std::move(diff);
  return answer(std::move(text), changed);
}

std::vector<TextEdit> edits_of(const EditFile& wanted) {
  std::vector<TextEdit> edits;
  if (wanted.old_text && !wanted.new_text)
    throw toolwire::ToolError("newText: missing; expected what replaces oldText");
  if (!wanted.old_text && wanted.new_text)
    throw toolwire::ToolError("oldText: missing; expected what newText replaces");
  if (wanted.old_text) edits.push_back({*wanted.old_text, *wanted.new_text, wanted.replace_all});
  if (!edits.empty() && !wanted.edits.empty())
    throw toolwire::ToolError("edits: expected either oldText and newText, or edits, not both");
  for (const OneEdit& one : wanted.edits) edits.push_back({one.old_text, one.new_text, one.replace_all});
  if (edits.empty()) throw toolwire::ToolError("oldText: missing; expected oldText and newText, or edits");
  return edits;
}

}  // namespace

toolwire::Mutex& turn_to_change() {
  static toolwire::Mutex turn;
  return turn;
}

std::string bounded_diff(std::string_view diff, bool& is_cut) {
  BoundedText text;
  while (!diff.empty() && !text.is_full()) {
    const std::size_t newline = diff.find('\n');
    text.add_line(diff.substr(0, newline));
    if (!text.is_full()) diff.remove_prefix(newline == std::string_view::npos ? diff.size() : newline + 1);
  }
  is_cut = !diff.empty();
  return text.text();
}

toolwire::Tool write_file_tool(const Roots& roots, const std::shared_ptr<ChangeHistory>& history) {
  return toolwire::make_tool(
      tool_info<Changed>(
          "write_file", "Write a file", Effect::replaces, 20s,
          "Create a text file of the workspace, or replace all of one. Use it for new files; to change parts of a file "
          "use edit_file, which needs no repetition of the rest. Missing folders are made. A file that is there is "
          "replaced only with overwrite, and its old version is kept in the trash (.workspace-trash). Paths are "
          "relative to the workspace root. Readers see the old content or the new, never a part. The answer says how "
          "to undo. Not for binary files, nor for anything in .git; at most 64 MiB."),
      [&roots, history](const WriteFile& wanted, Context& context) {
        const toolwire::MutexLock turn(turn_to_change());
        const Changed changed = write_file(roots.locate(path_meant(wanted.path)),
                                           {.content = wanted.content,
                                            .overwrite = wanted.overwrite,
                                            .dry_run = wanted.dry_run,
                                            .expected = {wanted.expected_hash, wanted.expected_modified}},
                                           context.stop_token());
        history->add({changed});
        return told(changed, (changed.created ? "created " : "wrote ") + changed.path);
      });
}

toolwire::Tool edit_file_tool(const Roots& roots, const std::shared_ptr<ChangeHistory>& history) {
  return toolwire::make_tool(
      tool_info<Changed>(
          "edit_file", "Edit a file", Effect::replaces, 20s,
          "Replace pieces of a text file of the workspace: oldText becomes newText, or several edits at once, all or "
          "none. Read the part first (read_file); oldText must stand there exactly and only once. Use it for changes "
          "of any size short of the whole file (write_file). Paths are relative to the workspace root. Encoding, line "
          "ends and mode are kept; the old version is kept in the trash. dryRun shows the difference, cut after 2000 "
          "lines or 50 KiB, without changing anything. The answer says how to undo."),
      [&roots, history](const EditFile& wanted, Context& context) {
        const std::vector<TextEdit> edits = edits_of(wanted);
        const toolwire::MutexLock turn(turn_to_change());
        const Changed changed = edit_file(
            roots.locate(path_meant(wanted.path)),
            {.edits = edits, .dry_run = wanted.dry_run, .expected = {wanted.expected_hash, wanted.expected_modified}},
            context.stop_token());
        history->add({changed});
        return told(changed, "edited " + changed.path);
      });
}

toolwire::Tool create_directory_tool(const Roots& roots, const std::shared_ptr<ChangeHistory>& history) {
  return toolwire::make_tool(
      tool_info<Changed>(
          "create_directory", "Make a directory", Effect::adds, 20s,
          "Make an empty directory of the workspace, and those above it. One that is there already is no "
          "error. Not needed for files: write_file and move make the folders they need. Paths are "
          "relative to the workspace root. The answer says how to undo."),
      [&roots, history](const CreateDirectory& wanted) {
        const toolwire::MutexLock turn(turn_to_change());
        const Changed changed = create_directory(roots.locate(path_meant(wanted.path)));
        history->add({changed});
        if (!changed.created) return answer(changed.path + " is there already, and a directory", changed);
        return told(changed, "made the directory " + changed.path);
      });
}

toolwire::Tool move_tool(const Roots& roots, const std::shared_ptr<ChangeHistory>& history) {
  return toolwire::make_tool(
      tool_info<Changed>(
          "move", "Move or rename", Effect::replaces, 20s,
          "Move or rename a file or a directory of the workspace, in one step. Use it also to bring something back "
          "from "
          "the trash (.workspace-trash). Give the whole new path; missing folders are made. Paths are relative to the "
          "workspace root. What is there is replaced only with overwrite, and only a file by a file; its content is "
          "kept in the trash. Not across file systems, nor for anything in .git or a folder that holds one. The answer "
          "says how to undo."),
      [&roots, history](const Move& wanted) {
        const toolwire::MutexLock turn(turn_to_change());
        const Changed changed =
            move_path(roots.locate(path_meant(wanted.from)), roots.locate(path_meant(wanted.to)), wanted.overwrite);
        history->add({changed});
        return told(changed, "moved " + shown_path(path_meant(wanted.from)) + " to " + changed.path);
      });
}

toolwire::Tool delete_tool(const Roots& roots, const std::shared_ptr<ChangeHistory>& history) {
  return toolwire::make_tool(
      tool_info<Changed>(
          "delete", "Delete", Effect::replaces, 20s,
          "Move a file, or a directory with all that is in it, into the trash of the workspace (.workspace-trash), in "
          "one step. Nothing is removed for good, and the answer says how to bring it back. Use it for what is not "
          "needed any more; to rename use move. Paths are relative to the workspace root. Not for anything in .git "
          "or in the trash, nor for a folder that holds a .git."),
      [&roots, history](const Delete& wanted) {
        const toolwire::MutexLock turn(turn_to_change());
        const Changed changed = delete_path(roots.locate(path_meant(wanted.path)));
        history->add({changed});
        return told(changed, "deleted " + changed.path);
      });
}

toolwire::Tool undo_tool(const Roots& roots, const std::shared_ptr<ChangeHistory>& history) {
  return toolwire::make_tool(
      tool_info<Undone>(
          "undo", "Undo the last change", Effect::replaces, 20s,
          "Undo the last call of write_file, edit_file, replace_text, create_directory, move or delete that is not "
          "undone "
          "yet, all of it; call it again for the one before. What is replaced by it is kept in the trash "
          "(.workspace-trash). Refused, with nothing undone, where a file was changed since. Only changes "
          "since this server started; for others use move as their answers said."),
      [&roots, history] {
        const toolwire::MutexLock turn(turn_to_change());
        Undone result{history->undo_last(roots)};
        BoundedText text;
        text.add_line("undone:");
        std::size_t told = 0;
        for (const std::string& line : result.steps) told += text.add_line(line) ? 1U : 0U;
        if (told < result.steps.size())
          text.notice(counted(result.steps.size() - told, "further step", "further steps") + " not shown.");
        return answer(text.text(), result);
      });
}

}  // namespace workspace
