#include "workspace/reading/file_facts.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <toolwire/error.hpp>

#include "workspace/names/media.hpp"
#include "workspace/reading/file_text.hpp"
#include "workspace/system/file_bytes.hpp"
#include "workspace/system/file_state.hpp"
#include "workspace/system/walk.hpp"
#include "workspace/text/bounded_text.hpp"
#include "workspace/text/encoding.hpp"
#include "workspace/text/shown_path.hpp"

namespace workspace {
namespace {

std::string octal(unsigned mode) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%04o", mode);
  return text.data();
}

void add_content(FileFacts& facts, int file, const std::stop_token& stop) {
  const std::string start = start_of_file(file);
  Encoding encoding = encoding_of(start);
  facts.encoding = encoding_name(encoding);
  const std::string_view image = image_type(start);
  facts.mime_type = image.empty() ? mime_type(facts.path, encoding != Encoding::binary) : image;
  if (facts.size > max_bytes_edited) return;
  const std::string bytes = all_bytes(file, max_bytes_edited, stop);
  facts.hash = digest(bytes);
  if (encoding == Encoding::binary) return;
  encoding = encoding_of_whole(bytes);
  facts.encoding = encoding_name(encoding);
  const std::string text = to_utf8(bytes, encoding);
  const auto newlines = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
  facts.lines = newlines + (text.empty() || text.back() == '\n' ? 0U : 1U);
}

void add_folder(FileFacts& facts, const Root& root, const std::string& relative, const std::stop_token& stop) {
  std::uint64_t files = 0, directories = 0, bytes = 0;
  const WalkReport seen = walk(root, relative, {}, stop, [&](const Entry& entry) {
    ++(entry.kind == FileKind::directory ? directories : files);
    const Opened opened = entry.kind == FileKind::regular ? root.try_look_at(entry.path) : Opened{};
    if (opened.descriptor.is_open()) bytes += state_of(opened.descriptor.get()).value_or(FileState{}).size;
    return Step::proceed;
  });
  facts.size = bytes;
  facts.files = files;
  facts.directories = directories;
  facts.is_incomplete = seen.below_depth + seen.unreadable + seen.overfull > 0 || seen.ran_out;
}

std::string size_text(const FileFacts& facts) {
  std::string text = std::to_string(facts.size) + " bytes";
  if (!facts.files) return text;
  text += " in " + counted(*facts.files, "file", "files") + " and " +
          counted(facts.directories.value_or(0), "directory", "directories");
  return facts.is_incomplete ? "at least " + text + "; not all could be looked at" : text;
}

}  // namespace

FileFacts file_facts(const Located& where, const std::stop_token& stop) {
  const std::string relative = where.root->relative(where.path);
  where.root->refuse_secret(where.path, relative);
  const Opened opened = where.root->try_look_at(relative);
  if (opened.error != 0) throw toolwire::ToolError(open_error_text(where.root->named(where.path), opened.error));
  const FileState state = state_of(opened.descriptor.get()).value_or(FileState{});
  FileFacts facts{.path = shown_path(where.shown(relative)),
                  .kind = std::string(kind_name(state.kind)),
                  .size = state.size,
                  .modified = time_text(state.modified),
                  .mode = octal(state.mode)};
  if (state.kind == FileKind::symlink) {
    if (const auto target = link_target(opened.descriptor.get(), "")) facts.link_target = shown_path(*target);
  }
  if (state.kind == FileKind::regular) add_content(facts, where.root->open_file(where.path).get(), stop);
  if (state.kind == FileKind::directory) add_folder(facts, *where.root, relative, stop);
  return facts;
}

std::string text_of(const FileFacts& facts) {
  std::string text = facts.path + "\nkind: " + facts.kind + "\nsize: " + size_text(facts) +
                     "\nmodified: " + facts.modified + "\nmode: " + facts.mode;
  if (facts.link_target) text += "\nleads to: " + *facts.link_target;
  if (facts.mime_type) text += "\ntype: " + *facts.mime_type;
  if (facts.encoding) text += "\nencoding: " + *facts.encoding;
  if (facts.lines) text += "\nlines: " + std::to_string(*facts.lines);
  if (facts.hash) text += "\nhash: " + *facts.hash;
  return text;
}

}  // namespace workspace
