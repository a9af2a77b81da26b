// What a command has written, however much that was: its beginning and its end are kept, in between only how much there
// was. Independent of commands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "workspace/text/bounded_text.hpp"

namespace workspace {

/// One thread at a time.
class KeptOutput {
 public:
  /// How many bytes are kept of the beginning; of the end at least as many as `tail`, at most twice that.
  explicit KeptOutput(std::size_t head = std::size_t{64} << 10, std::size_t tail = std::size_t{512} << 10)
      : most_head_(head), most_tail_(tail) {}

  void append(std::string_view bytes);

  /// All there was, in bytes and in line feeds.
  std::uint64_t size() const { return size_; }
  std::uint64_t lines() const { return lines_; }

  /// What is kept of what was written from this byte on: the part before a gap, and the part behind it. Without a gap
  /// the second is empty.
  struct Parts {
    std::string_view before = {};
    std::string_view behind = {};
    std::uint64_t missing = 0;  // bytes between them
  };
  Parts from(std::uint64_t offset) const;

 private:
  std::size_t most_head_, most_tail_;
  std::string head_, tail_;
  std::uint64_t size_ = 0, lines_ = 0;
};

/// Of how many bytes at the end of UTF-8 the rest of a character is missing.
std::size_t begun_character(std::string_view text);

/// Output as a model reads it: its first and its last lines within the budget and in between, in brackets, how much was
/// left out. Valid UTF-8, without what terminals obey and hidden characters, of a line that was written over its last
/// form, and with credentials masked.
std::string shown_output(const KeptOutput::Parts& output, TextBudget budget = {});

}  // namespace workspace
