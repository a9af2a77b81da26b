// What is measured for the lines, in groups: one group starts what it needs once and fills several lines.
// Each function does one round and throws std::runtime_error when a number would be meaningless.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/measures.hpp"
#include "lines/board.hpp"

namespace toolwire::bench {

/// The programs of a run.
struct Setting {
  Candidate raw;      ///< a write an answer
  Candidate batched;  ///< a write for all answers that are ready
  Candidate ours;
  std::optional<Candidate> shared_libc, all_shared;  ///< ours, linked in other ways
  std::optional<Candidate> typescript;
  std::string many_tools;  ///< program that takes a number of tools and of tools a page
  unsigned threads = 8;    ///< tools that ours runs at once
  bool quick = false;      ///< shows that all works, proves no number
};

struct Group {
  std::vector<Line> lines;
  void (*measure)(const Setting& setting, Board& board);
};

const Group& round_trip_group();
const Group& in_flight_group();
const Group& large_group();
const Group& longest_line_group();
const Group& start_group();
const Group& idle_group();
const Group& million_group();
const Group& delay_group();
const Group& list_group();
const Group& many_calls_group();
const Group& side_by_side_group();
const Group& typescript_group();

/// All of them, in the order of the table.
std::vector<const Group*> groups();

}  // namespace toolwire::bench
