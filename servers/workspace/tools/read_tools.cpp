#include "workspace/tools/read_tools.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <toolwire/describe.hpp>
#include <utility>
#include <vector>

#include "workspace/names/media.hpp"
#include "workspace/reading/file_facts.hpp"
#include "workspace/reading/file_parts.hpp"
#include "workspace/reading/file_text.hpp"
#include "workspace/system/file_bytes.hpp"
#include "workspace/system/file_state.hpp"
#include "workspace/text/shown_path.hpp"
#include "workspace/tools/answer.hpp"

namespace workspace {
namespace {

using toolwire::Context;
using toolwire::field;
using toolwire::fields;
using toolwire::ToolResult;
using namespace std::chrono_literals;

constexpr std::uint64_t largest_image = 5ULL << 20;
constexpr std::size_t least_room = 200;  // bytes left in an answer; with less, no further file is begun

struct ReadFile {
  std::string path;
  std::int64_t offset = 1;
  std::int64_t limit = 2000;
  std::int64_t column = 1;
  std::optional<std::int64_t> tail;
  std::optional<std::int64_t> byte_offset;
  std::int64_t byte_limit = 51200;
  bool line_numbers = false;

  static constexpr auto describe() {
    return fields(
        field<&ReadFile::path>("The file, relative to the workspace root, such as src/main.cpp"),
        field<&ReadFile::offset>("First line to show, from 1").at_least(1).optional(),
        field<&ReadFile::limit>("How many lines to show at most").between(1, 2000).optional(),
        field<&ReadFile::column>("Byte of the first line to begin at, from 1; only to go on in a line too long "
                                 "for one answer, as its notice says")
            .at_least(1)
            .optional(),
        field<&ReadFile::tail>("Show the last so many lines instead").between(1, 2000),
        field<&ReadFile::byte_offset>("Show bytes from this one on instead, from 0; binary files in hexadecimal")
            .named("byteOffset")
            .at_least(0),
        field<&ReadFile::byte_limit>("With byteOffset: how many bytes at most")
            .named("byteLimit")
            .between(1, 51200)
            .optional(),
        field<&ReadFile::line_numbers>(
            "Whether each line begins with its number, as in 12: text; the numbers are no part "
            "of the file")
            .named("lineNumbers")
            .optional());
  }
};

struct ReadAnswer {
  std::string path;
  std::optional<std::string> text = {};
  std::optional<std::string> encoding = {};
  std::optional<std::string> mime_type = {};
  std::optional<std::uint64_t> first_line = {};
  std::optional<std::uint64_t> last_line = {};
  std::optional<std::uint64_t> next_offset = {};
  std::optional<std::uint64_t> next_column = {};
  std::optional<std::uint64_t> next_byte_offset = {};
  std::optional<std::uint64_t> size = {};
  std::optional<std::string> modified = {};
  std::optional<std::string> error = {};

  static constexpr auto describe() {
    return fields(
        field<&ReadAnswer::path>("The file"), field<&ReadAnswer::text>("What was read of it, without notices"),
        field<&ReadAnswer::encoding>("Of the file; the text is UTF-8 in any case"),
        field<&ReadAnswer::mime_type>("Of an image, which is in the content").named("mimeType"),
        field<&ReadAnswer::first_line>("Number of the first line shown").named("firstLine"),
        field<&ReadAnswer::last_line>("Number of the last line shown").named("lastLine"),
        field<&ReadAnswer::next_offset>("Given if there is more: offset of the next call").named("nextOffset"),
        field<&ReadAnswer::next_column>("Given if a line was cut: column of the next call").named("nextColumn"),
        field<&ReadAnswer::next_byte_offset>("Given if there is more: byteOffset of the next call")
            .named("nextByteOffset"),
        field<&ReadAnswer::size>("Bytes of the whole file"),
        field<&ReadAnswer::modified>("Time of the last change; can be given as expectedModified"),
        field<&ReadAnswer::error>("Why the file was not read; only of read_files"));
  }
};

struct ReadFiles {
  std::vector<std::string> paths;
  std::int64_t limit = 500;

  static constexpr auto describe() {
    return fields(field<&ReadFiles::paths>("The files, relative to the workspace root").items(1, 50),
                  field<&ReadFiles::limit>("How many lines of each to show at most").between(1, 2000).optional());
  }
};

struct ReadFilesAnswer {
  std::vector<ReadAnswer> files = {};

  static constexpr auto describe() { return fields(field<&ReadFilesAnswer::files>("In the order of the call")); }
};

struct FileInfo {
  std::string path;

  static constexpr auto describe() {
    return fields(field<&FileInfo::path>("The file or directory, relative to the workspace root"));
  }
};

ReadAnswer facts_of(const Located& where, const FileDescriptor& file) {
  const FileState state = state_of(file.get()).value_or(FileState{});
  return {.path = shown_path(where.shown(where.root->relative(where.path))),
          .size = state.size,
          .modified = time_text(state.modified)};
}

void take(ReadAnswer& facts, const FileText& part, bool is_bytes) {
  facts.text = part.lines;
  facts.encoding = encoding_name(part.encoding);
  facts.first_line = part.first_line;
  facts.last_line = part.last_line;
  (is_bytes ? facts.next_byte_offset : facts.next_offset) = part.next_offset;
  facts.next_column = part.next_column;
}

FileText part_of(const ReadFile& wanted, int file, Secrets secrets, const std::stop_token& stop) {
  if (wanted.tail)
    return file_tail(file, {static_cast<std::uint64_t>(*wanted.tail), wanted.line_numbers}, stop, {}, secrets);
  if (wanted.byte_offset) {
    return file_bytes_text(file, static_cast<std::uint64_t>(*wanted.byte_offset),
                           static_cast<std::uint64_t>(wanted.byte_limit), {}, secrets);
  }
  const LineRange range{static_cast<std::uint64_t>(wanted.offset), static_cast<std::uint64_t>(wanted.limit),
                        static_cast<std::uint64_t>(wanted.column), wanted.line_numbers};
  return file_text(file, range, stop, {}, secrets);
}

ToolResult image(ReadAnswer facts, const FileDescriptor& file, std::string_view type, const std::stop_token& stop) {
  facts.mime_type = type;
  if (facts.size.value_or(0) > largest_image) {
    throw toolwire::ToolError(
        "path: the image is larger than 5 MiB, the most that is shown; byteOffset shows bytes of it");
  }
  std::string bytes = all_bytes(file.get(), largest_image, stop);
  ToolResult result = answer(std::string(type) + ", " + std::to_string(bytes.size()) + " bytes", facts);
  result.add({toolwire::ImageContent{std::move(bytes), std::string(type)}});
  return result;
}

ToolResult read_file(const Roots& roots, const ReadFile& wanted, const std::stop_token& stop) {
  if (wanted.tail && wanted.byte_offset) throw toolwire::ToolError("tail: cannot be given together with byteOffset");
  if (wanted.line_numbers && wanted.byte_offset)
    throw toolwire::ToolError("lineNumbers: cannot be given together with byteOffset; expected offset or tail");
  const Located where = roots.locate(path_meant(wanted.path));
  const FileDescriptor file = where.root->open_file(where.path);
  ReadAnswer facts = facts_of(where, file);
  const std::string_view type = image_type(start_of_file(file.get()));
  if (!type.empty() && !wanted.byte_offset) return image(std::move(facts), file, type, stop);
  const FileText part = part_of(wanted, file.get(), where.root->secrets(), stop);
  take(facts, part, wanted.byte_offset.has_value());
  return answer(part.text, facts);
}

// One file of several; its error, if any, is reported in its place.
std::string read_one(const Located& where, std::uint64_t limit, TextBudget budget, const std::stop_token& stop,
                     ReadAnswer& facts) {
  try {
    const FileDescriptor file = where.root->open_file(where.path);
    facts = facts_of(where, file);
    if (!image_type(start_of_file(file.get())).empty()) throw toolwire::ToolError("is an image; read_file shows it");
    const FileText part = file_text(file.get(), {.limit = limit}, stop, budget, where.root->secrets());
    take(facts, part, false);
    return part.text;
  } catch (const toolwire::ToolError& error) {
    facts.error = error.what();
    return std::string("[Not read: ") + error.what() + ']';
  }
}

Located locate_or_explain(const Roots& roots, const std::string& path, ReadAnswer& facts) {
  try {
    return roots.locate(path);
  } catch (const toolwire::ToolError& error) {
    facts.error = error.what();
    return {};
  }
}

ToolResult read_files(const Roots& roots, const ReadFiles& wanted, const std::stop_token& stop) {
  const TextBudget whole;
  std::string text, left_out;
  ReadFilesAnswer result;
  std::size_t lines = 0;
  for (const std::string& given : wanted.paths) {
    const std::string path = path_meant(given);
    ReadAnswer facts{.path = shown_path(path)};
    const std::string header = "==> " + shown_path(path) + " <==\n";
    const std::size_t used = text.size() + header.size();
    if (used + least_room > whole.bytes || lines + 2 > whole.lines) {
      facts.error = "not shown: the answer is full; read it with another call";
      left_out += (left_out.empty() ? "" : ", ") + shown_path(path);
    } else {
      const Located where = locate_or_explain(roots, path, facts);
      const TextBudget rest{whole.lines - lines - 1, whole.bytes - used};
      const std::string part = where.root == nullptr
                                   ? "[Not read: " + *facts.error + ']'
                                   : read_one(where, static_cast<std::uint64_t>(wanted.limit), rest, stop, facts);
      text += (text.empty() ? "" : "\n") + header + part;
      lines += 2 + static_cast<std::size_t>(std::count(part.begin(), part.end(), '\n'));
    }
    result.files.push_back(std::move(facts));
  }
  if (!left_out.empty()) text += "\n[Not shown, as the answer is full: " + left_out + ". Read them with another call.]";
  return answer(std::move(text), result);
}

}  // namespace

toolwire::Tool read_file_tool(const Roots& roots) {
  return toolwire::make_tool(
      tool_info<ReadAnswer>(
          "read_file", "Read a file", Effect::reads, 10s,
          "Read a text file or an image of the workspace. Use it before changing or citing a file, and around a line "
          "that search_text found; not for directories (list_files), and for several small files use read_files. Paths "
          "are relative to the workspace root. Shows at most 2000 lines and 50 KiB, from offset or, with tail, from "
          "the "
          "end; a notice in brackets below says whether more follows and which offset goes on. UTF-16 and ISO 8859-1 "
          "are shown as UTF-8, bytes that are neither as U+FFFD. Of binary files byteOffset shows bytes; PNG, JPEG, "
          "GIF "
          "and WebP up to 5 MiB are shown as images."),
      [&roots](const ReadFile& wanted, Context& context) { return read_file(roots, wanted, context.stop_token()); });
}

toolwire::Tool read_files_tool(const Roots& roots) {
  return toolwire::make_tool(
      tool_info<ReadFilesAnswer>(
          "read_files", "Read several files", Effect::reads, 20s,
          "Read the beginnings of several text files of the workspace at once, each below a line with its path. Use it "
          "for small files that belong together; for one file, or for parts of a long one, use read_file. Paths are "
          "relative to the workspace root. All of them together get 2000 lines and 50 KiB; notices in brackets say "
          "what "
          "of each is missing, which were not shown, and why one could not be read."),
      [&roots](const ReadFiles& wanted, Context& context) { return read_files(roots, wanted, context.stop_token()); });
}

toolwire::Tool file_info_tool(const Roots& roots) {
  return toolwire::make_tool(
      tool_info<FileFacts>(
          "file_info", "File facts", Effect::reads, 20s,
          "Tell what is known about a file or directory of the workspace without showing it: kind, size, time of the "
          "last change, mode, encoding, digest. Use it before reading something that may be large, and to get what "
          "edit_file takes as expectedHash; to see what is in it use read_file or list_files. Paths are relative to "
          "the "
          "workspace root; a symbolic link is described itself, not its target. The digest is left out for files above "
          "64 MiB."),
      [&roots](const FileInfo& wanted, Context& context) {
        const FileFacts facts = file_facts(roots.locate(path_meant(wanted.path)), context.stop_token());
        return answer(text_of(facts), facts);
      });
}

}  // namespace workspace
