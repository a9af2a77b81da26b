// Looks for the lines of one open file that match a regular expression (RE2: time linear in the text), in its text as
// it is shown: in UTF-8, without a byte order mark. Independent of paths, directories or how matches are shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "workspace/names/secrets.hpp"
#include "workspace/search/text_finder.hpp"
#include "workspace/text/encoding.hpp"
#include "workspace/text/expression.hpp"

namespace workspace {

struct PatternOptions {
  bool ignore_case = false;
  bool literal = false;
  bool multiline = false;  // a match may span lines
};

/// An expression that matches within a line, or across lines if the options say so. Immutable; any number of threads
/// may use one.
class LinePattern {
 public:
  struct Hit {
    std::size_t begin, end;
  };

  /// Throws ToolError with RE2's reason if `pattern` is not an expression it knows, or could match across lines
  /// only, unless they may be.
  LinePattern(std::string_view pattern, PatternOptions options);
  LinePattern(LinePattern&&) noexcept;
  ~LinePattern();

  /// The first match in `lines` that begins at or after `from`, which is the start of a line.
  std::optional<Hit> find(std::string_view lines, std::size_t from) const;

  /// False if no line of these has a match.
  bool may_be_in(std::string_view lines) const;

  /// Whether what `may_be_in` looks for is plain ASCII within a line.
  bool requires_ascii() const { return requires_ascii_; }

  /// The first match in a whole text, which has these letters, that begins at or after `from`, wherever that is.
  std::optional<Hit> find_across(std::string_view text, std::size_t from, Letters letters) const;

  bool spans_lines() const { return multiline_; }

  /// Whether the expression speaks of carriage returns. If not, those at the ends of lines are no part of them.
  bool sees_returns() const { return sees_returns_; }

 private:
  std::optional<Hit> match(std::string_view text, std::size_t from, Letters letters) const;
  std::optional<Hit> match_line(std::string_view line) const;
  std::optional<Hit> find_by_required_text(std::string_view lines, std::size_t from) const;
  std::optional<Hit> find_line_by_line(std::string_view lines, std::size_t from) const;
  std::optional<Hit> find_by_letters(std::string_view lines, std::size_t from) const;
  std::optional<Hit> find_candidates(std::string_view lines) const;

  void require(std::string_view pattern, PatternOptions options);

  std::optional<TextFinder> required_;  // what each match contains
  bool is_plain_ = false;               // and is
  bool requires_ascii_ = false;
  bool is_telling_ = false;  // it stands in few lines, each of which is looked at alone
  bool multiline_ = false;
  bool sees_returns_ = false;
  bool line_by_line_ = false;  // \A, \z and (?-m) mean a place in the text given, so each line must be given alone
  Expression expression_;
};

/// A line that matches, or that a match has a part of. The text is without its end and valid until the callback
/// returns.
struct LineMatch {
  std::uint64_t line = 1;  // from 1
  std::string_view text;
  LinePattern::Hit hit{};  // within the text
};

/// How the search of one file went.
struct FileSearch {
  bool is_binary = false;       // by its first 8 KiB; nothing was searched
  bool is_special = false;      // no regular file; nothing was searched
  bool was_cut = false;         // only its beginning was searched
  bool has_split_line = false;  // a line longer than 1 MiB was searched in pieces
  int error = 0;                // errno of a read that failed
};

enum class Found { proceed, enough };

/// Searches files in sequence through one buffer. Not synchronised; lives within one call.
class TextSearch {
 public:
  static constexpr std::uint64_t usual_bound = 256ULL << 20;
  static constexpr std::uint64_t whole_bound = 16ULL << 20;  // where all of a text must be in memory
  static constexpr std::size_t max_line = 1U << 20;

  /// Of each file only the first `max_bytes` are searched; of one that is not in UTF-8, and for matches across lines,
  /// `whole_bound`. Matches across lines do not see credentials unless secrets are shown. The pattern must outlive
  /// this.
  explicit TextSearch(const LinePattern& pattern, std::uint64_t max_bytes = usual_bound,
                      Secrets secrets = Secrets::left_out);

  /// Reads `descriptor` from its position. Calls `found` for each matching line, in order, until it returns
  /// Found::enough or a stop is requested (looked at every 64 KiB).
  FileSearch run(int descriptor, const std::stop_token& stop, const std::function<Found(const LineMatch&)>& found);

 private:
  enum class Fill { more, end, failed };

  void begin();
  bool is_done(Fill state) const;
  Fill fill(int descriptor, FileSearch& result);
  std::size_t searchable(Fill fill, FileSearch& result);
  void search_stream(int descriptor, Fill state, const std::stop_token& stop, FileSearch& result);
  Found search_ready(std::size_t ready, bool is_last);
  void search_again(int descriptor, const std::stop_token& stop, FileSearch& result);
  void search_whole(int descriptor, Fill state, const std::stop_token& stop, FileSearch& result);
  std::string_view as_searched(char* block, std::size_t size) const;
  std::size_t end_of_piece();
  Found search_block(std::string_view block, bool is_last);
  void search_across(std::string_view text, const std::stop_token& stop);
  Found report_lines(std::string_view text, LinePattern::Hit hit, std::size_t& counted);

  const LinePattern& pattern_;
  std::uint64_t max_bytes_;
  Secrets secrets_;
  std::uint64_t bound_ = 0;  // for the file being searched
  const std::function<Found(const LineMatch&)>* found_ = nullptr;
  std::vector<char> buffer_;
  std::size_t used_ = 0;
  std::size_t without_newline_ = 0;  // of these, so many have been looked at for one
  std::uint64_t read_ = 0;
  std::uint64_t size_ = 0;  // of the file when it was opened; 0: not known
  std::uint64_t line_ = 1;
  std::uint64_t reported_ = 0;
  bool is_settled_ = false;  // whether the file's start has told its encoding for good
  bool is_damaged_ = false;  // it has not: this is not UTF-8
};

}  // namespace workspace
