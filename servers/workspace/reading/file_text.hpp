// A range of lines of one open text file, within a budget. Independent of paths or of how the file was opened.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "workspace/names/secrets.hpp"
#include "workspace/text/bounded_text.hpp"
#include "workspace/text/encoding.hpp"

namespace workspace {

struct LineRange {
  std::uint64_t offset = 1;    // first line, from 1
  std::uint64_t limit = 2000;  // lines at most
  std::uint64_t column = 1;    // byte of the first line to begin at, from 1: how to read a line larger than the budget
  bool numbered = false;       // each line begins with its number, as in "12: text"
};

/// Lines before the range are looked for within so many bytes; a file may be sparse and have a terabyte.
inline constexpr std::uint64_t max_bytes_skipped = 256ULL << 20;

/// Part of a file as text.
struct FileText {
  std::string text;   // for the model: the lines and the notices
  std::string lines;  // without the notices
  Encoding encoding = Encoding::utf8;
  std::optional<std::uint64_t> first_line = {};  // from 1; missing where counting would take too long
  std::optional<std::uint64_t> last_line = {};
  std::optional<std::uint64_t> next_offset = {};  // for the next call, if there is more
  std::optional<std::uint64_t> next_column = {};
};

/// The lines in UTF-8, and a notice in brackets that says how to continue if there are more. Reads `descriptor` from
/// its start. Throws ToolError if the file is binary, the range begins behind its end, or reading fails. A stop request
/// ends it early. Credentials are masked unless secrets are shown.
FileText file_text(int descriptor, const LineRange& range, const std::stop_token& stop, TextBudget budget = {},
                   Secrets secrets = Secrets::left_out);

inline constexpr std::uint64_t mark_size = 3;  // of a byte order mark in UTF-8

/// With a mark or without.
bool is_utf8(Encoding encoding);

/// All of the file in UTF-8, with credentials masked unless secrets are shown. Throws ToolError as all_bytes() does.
std::string decoded_file(int descriptor, Encoding encoding, const std::stop_token& stop, Secrets secrets);

/// What `shown` makes of the file in the encoding its start tells; once more if what it shows is damaged, because the
/// file is in ISO 8859-1 and only what follows the start tells that. Throws ToolError if the file is binary.
FileText as_it_turns_out(int descriptor, const std::function<FileText(Encoding)>& shown);

/// "12: text".
std::string numbered_line(std::uint64_t number, std::string_view line);

/// The first bytes of a file, from which its encoding and kind are determined.
std::string start_of_file(int descriptor);

/// Throws ToolError with the text that says what can be done with a binary file.
[[noreturn]] void refuse_binary(std::uint64_t size);

}  // namespace workspace
