#include "workspace/changes/writer.hpp"

#include <cerrno>
#include <optional>
#include <toolwire/error.hpp>
#include <toolwire/json.hpp>
#include <utility>

#include "workspace/changes/unified_diff.hpp"
#include "workspace/system/attributes.hpp"
#include "workspace/system/file_bytes.hpp"
#include "workspace/system/file_state.hpp"
#include "workspace/system/place.hpp"
#include "workspace/system/replace_file.hpp"
#include "workspace/system/trash.hpp"
#include "workspace/text/credentials.hpp"
#include "workspace/text/encoding.hpp"
#include "workspace/text/shown_path.hpp"
#include "workspace/text/utf8.hpp"

namespace workspace {
namespace {

constexpr std::size_t shown_bytes = 300;
constexpr std::string_view missing_file = "does not exist, though its content or time was expected";

[[noreturn]] void refuse(const Place& place, const std::string& why) {
  throw toolwire::ToolError("path: " + shown_path(place.shown(), shown_bytes) + ' ' + why);
}

struct OldFile {
  FileState state;
  std::string bytes;
};

std::string where_it_leads(const Place& place) {
  const auto target = link_target(place.parent.get(), place.leaf);
  return target && !target->empty() ? shown_path(*target, shown_bytes) : "something";
}

// Writing to a link would change a file elsewhere, or turn the link into a file. Both would surprise, so it is refused.
void check_kind(const Place& place, const FileState& state) {
  if (state.kind == FileKind::symlink)
    refuse(place, "is a symbolic link to " + where_it_leads(place) + "; name the file it leads to");
  if (state.kind != FileKind::regular)
    refuse(place, "is a " + std::string(kind_name(state.kind)) + "; expected a regular file");
  if ((state.mode & 0222U) == 0) refuse(place, "is read-only, and is left so");
}

std::optional<OldFile> old_file(const Place& place, const std::stop_token& stop) {
  const std::optional<FileState> seen = state_at(place.parent.get(), place.leaf);
  if (!seen) return std::nullopt;
  check_kind(place, *seen);
  const FileDescriptor file = open_to_read(place);
  if (!file.is_open()) throw toolwire::ToolError(open_error_text(place.shown(), errno));
  OldFile old{state_of(file.get()).value_or(FileState{}), {}};
  check_kind(place, old.state);
  old.bytes = all_bytes(file.get(), max_bytes_edited, stop);
  return old;
}

void check_expected(const Place& place, const Expected& expected, const OldFile& old) {
  if (!expected.hash.empty() && expected.hash != digest(old.bytes)) {
    refuse(place,
           "has another content than expected (expectedHash; it is " + digest(old.bytes) + " now); read it again");
  }
  if (!expected.modified.empty() && expected.modified != time_text(old.state.modified)) {
    refuse(place,
           "was changed since (expectedModified; it is " + time_text(old.state.modified) + " now); read it again");
  }
}

std::string as_shown(const Root& root, std::string text) {
  if (root.secrets() == Secrets::left_out) mask_credentials(text);
  return text;
}

// Content that was read with credentials masked would overwrite them.
void refuse_masks(const Root& root, const Place& place, const OldFile& old, std::string_view content) {
  if (content.find("://***") == std::string_view::npos || root.secrets() == Secrets::shown) return;
  std::string text = to_utf8(old.bytes, encoding_of_whole(old.bytes));
  if (mask_credentials(text))
    refuse(place,
           "holds credentials that are only shown as ***, and content would replace them by that; use edit_file");
}

// The diff of the two as decoded text; empty for bytes that are no text.
std::string diff_between(const Root& root, const Place& place, std::string_view before, std::string_view after) {
  const Encoding from = encoding_of_whole(before), to = encoding_of_whole(after);
  if (from == Encoding::binary || to == Encoding::binary) return {};
  return unified_diff(shown_path(place.shown()), as_shown(root, to_utf8(before, from)),
                      as_shown(root, to_utf8(after, to)));
}

// A change that fails leaves nothing in the trash.
FileState replaced(const Root& root, const Place& place, const std::optional<OldFile>& old, std::string_view content,
                   const std::string& kept) {
  try {
    return replace_file(place, content, old ? std::optional(old->state) : std::nullopt);
  } catch (const toolwire::ToolError&) {
    if (old) take_out_of_trash(root, kept);
    throw;
  }
}

Changed finish(const Root& root, const Place& place, const std::optional<OldFile>& old, std::string_view content,
               bool dry_run) {
  Changed result{.path = shown_path(place.shown()), .changed = !dry_run, .created = !old};
  result.diff = valid_utf8(diff_between(root, place, old ? std::string_view(old->bytes) : std::string_view(), content));
  if (dry_run) return result;
  if (old) result.other_names = other_names(place);
  const std::string kept = old ? keep_in_trash(root, place, old->bytes) : std::string();
  if (old) result.kept = shown_path(place.prefix + kept);
  const FileState now = replaced(root, place, old, content, kept);
  result.size = content.size();
  result.modified = time_text(now.modified);
  result.hash = digest(content);
  set_undo(result, {result.kept ? UndoCall{*result.kept, result.path, true} : UndoCall{result.path}});
  return result;
}

std::string encoded(const Place& place, const std::string& text, Encoding encoding) {
  std::optional<std::string> bytes = from_utf8(text, encoding);
  if (!bytes) {
    refuse(place, "is in " + std::string(encoding_name(encoding)) +
                      ", which cannot hold a character of the new text; nothing was changed");
  }
  return *std::move(bytes);
}

// A file with its new content, nothing of which is written yet.
struct Planned {
  const Root* root = nullptr;
  Place place;
  std::optional<OldFile> old;
  std::string content;
};

Planned planned(const Located& where, const Expected& expected, const Rewrite& rewrite, const std::stop_token& stop) {
  Planned plan{where.root, place_of(where), {}, {}};
  plan.old = old_file(plan.place, stop);
  if (!plan.old) throw toolwire::ToolError(open_error_text(where.root->named(where.path), ENOENT));
  check_expected(plan.place, expected, *plan.old);
  const Encoding encoding = encoding_of_whole(plan.old->bytes);
  if (encoding == Encoding::binary) refuse(plan.place, "is binary; expected a text file");
  const std::string text = to_utf8(plan.old->bytes, encoding);
  if (from_utf8(text, encoding) != plan.old->bytes) {
    refuse(plan.place, "is in " + std::string(encoding_name(encoding)) +
                           " with damage or without its byte order mark, and would not survive an edit");
  }
  plan.content = encoded(plan.place, rewrite(text, as_shown(*where.root, text)), encoding);
  return plan;
}

// The files that were changed get their old content again.
void bring_back(const std::vector<Planned>& plans, const std::vector<Changed>& done) {
  std::string failed;
  for (std::size_t i = 0; i < done.size(); ++i) {
    const Planned& plan = plans[i];
    const std::string kept = path_meant(done[i].kept.value_or("")).substr(plan.place.prefix.size());
    if (put_back_from_trash(*plan.root, kept, plan.place, plan.old->state)) continue;
    try {
      replace_file(plan.place, plan.old->bytes, state_at(plan.place.parent.get(), plan.place.leaf));
    } catch (const toolwire::ToolError&) {
      failed += (failed.empty() ? "" : ", ") + shown_path(plan.place.shown(), shown_bytes);
    }
  }
  if (!failed.empty())
    throw toolwire::ToolError("path: not all files could be changed, and these could not be changed back: " + failed +
                              "; their old versions are in .workspace-trash");
}

/// For the model: the tool and its arguments.
std::string text_of(const UndoCall& call) {
  if (call.to.empty()) return "delete " + toolwire::to_json_text(toolwire::JsonObject{{"path", call.from}});
  toolwire::JsonObject arguments{{"from", call.from}, {"to", call.to}};
  if (call.overwrite) arguments["overwrite"] = true;
  return "move " + toolwire::to_json_text(arguments);
}

}  // namespace

void set_undo(Changed& change, std::vector<UndoCall> calls) {
  std::string text;
  for (const UndoCall& call : calls) text += (text.empty() ? "" : ", then ") + text_of(call);
  change.undo = std::move(text);
  change.undo_calls = std::move(calls);
}

Changed write_file(const Located& where, const WriteRequest& request, const std::stop_token& stop) {
  if (request.content.size() > max_bytes_edited)
    throw toolwire::ToolError("content: is larger than 64 MiB, the most this tool writes");
  if (is_of_directory(where.path))
    throw toolwire::ToolError("path: " + shown_path(where.shown(where.path)) +
                              " ends as the path of a directory does; expected that of a file, such as notes/a.txt");
  const bool expects_file = !request.expected.hash.empty() || !request.expected.modified.empty();
  const std::string relative = where.root->relative(where.path);
  if (request.dry_run && where.root->try_look_at(relative).error == ENOENT) {
    check_protected(*where.root, where.path, relative, TrashPaths::refused);
    const std::string shown = shown_path(where.shown(relative));
    if (expects_file) throw toolwire::ToolError("path: " + shown + ' ' + std::string(missing_file));
    return {.path = shown, .changed = false, .created = true, .diff = unified_diff(shown, "", request.content)};
  }
  NewFolders folders{*where.root, relative};
  const Place place = place_of(where, MissingFolders::made);
  const std::optional<OldFile> old = old_file(place, stop);
  if (!old && expects_file) refuse(place, std::string(missing_file));
  if (old && !request.overwrite)
    refuse(place, "exists already; use edit_file to change parts of it, or set overwrite to replace all of it");
  if (old) check_expected(place, request.expected, *old);
  if (old) refuse_masks(*where.root, place, *old, request.content);
  Changed result = finish(*where.root, place, old, request.content, request.dry_run);
  result.folders = folders.keep();
  return result;
}

Changed edit_file(const Located& where, const EditRequest& request, const std::stop_token& stop) {
  const Planned plan = planned(
      where, request.expected,
      [&](std::string_view text, std::string_view shown) { return apply_edits(text, request.edits, shown).text; },
      stop);
  return finish(*where.root, plan.place, plan.old, plan.content, request.dry_run);
}

std::vector<Changed> rewrite_files(const std::vector<Located>& files, const Rewrite& rewrite, bool dry_run,
                                   const std::stop_token& stop) {
  std::vector<Planned> plans;
  std::size_t total = 0;
  for (const Located& where : files) {
    Planned plan = planned(where, {}, rewrite, stop);
    if (plan.content == plan.old->bytes) continue;
    total += plan.content.size() + plan.old->bytes.size();
    if (total > 4 * max_bytes_edited)
      throw toolwire::ToolError("path: the files are larger than 128 MiB together; narrow with path, glob or type");
    plans.push_back(std::move(plan));
  }
  std::vector<Changed> done;
  for (const Planned& plan : plans) {
    try {
      if (stop.stop_requested()) refuse(plan.place, "was not changed, as the call was cancelled; nor was any other");
      done.push_back(finish(*plan.root, plan.place, plan.old, plan.content, dry_run));
    } catch (const toolwire::ToolError&) {
      if (!dry_run) bring_back(plans, done);
      throw;
    }
  }
  return done;
}

}  // namespace workspace
