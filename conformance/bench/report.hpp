// The results of a run as a table to read and as JSON to keep. It reads the catalogue and knows no particular measure.
#pragma once

#include <string>
#include <vector>

#include "bench/results.hpp"

namespace toolwire::bench {

/// What the report is about.
struct Run {
  std::vector<std::string> servers;  ///< in the order of the columns; the raw loops first
  std::string raw, raw_batched;      ///< the names of the two among them; empty: they are not measured
  int rounds = 0;
  bool quick = false;
  bool partial = false;  ///< not every measure was asked for: lines without any value are left out
};

/// One line for each metric: the median of the rounds for each server and, for all but the raw loops, the ratios to
/// these.
std::string table(const Run& run, const Results& results);
/// The same with every round's value, as one JSON object.
std::string json_report(const Run& run, const Results& results);

}  // namespace toolwire::bench
