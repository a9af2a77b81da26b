// The matches of a search in one file, as lines ready to be shown. Independent of paths and other files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "workspace/names/secrets.hpp"
#include "workspace/search/text_search.hpp"

namespace workspace {

/// A line of the answer; valid UTF-8, long ones cut around the match.
struct FoundLine {
  std::uint64_t line = 0;
  std::string text;
  bool is_match = true;  // else it is a line of context
  bool is_cut = false;
};

struct FileFindings {
  std::vector<FoundLine> lines = {};
  std::uint64_t matches = 0;  // lines that match
  bool has_more = false;      // the search ended before the file did
  FileSearch how = {};
};

/// What is wanted of each file.
struct FindOptions {
  std::size_t most = 200;               // matching lines that are kept; then the search ends
  std::uint64_t before = 0;             // lines before each match
  std::uint64_t after = 0;              // and behind it
  bool only_count = false;              // of matching lines; none is kept
  bool only_whether = false;            // ends at the first
  Secrets secrets = Secrets::left_out;  // then credentials are masked, and not found either
};

/// Searches files in sequence. Not synchronised: one for each thread. The pattern must outlive it.
class FileFinder {
 public:
  FileFinder(const LinePattern& pattern, FindOptions options)
      : pattern_(pattern), search_(pattern, TextSearch::usual_bound, options.secrets), options_(options) {}

  /// Matches up to the line `after` are passed over.
  FileFindings run(int descriptor, std::uint64_t after, const std::stop_token& stop);

 private:
  const LinePattern& pattern_;
  TextSearch search_;
  FindOptions options_;
};

}  // namespace workspace
