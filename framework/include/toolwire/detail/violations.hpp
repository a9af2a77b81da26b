// What is wrong with a JSON value that does not fit a C++ type, in words for the model or person who will try again.
// Independent of types and how the value is answered.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace toolwire {

/// All that is wrong with one value, each with its path: "limit: 999 is not between 1 and 100". A value type; one
/// thread.
struct Violations {
  /// How many are kept as text. The rest is only counted, because a hostile value can be wrong in a million places.
  static constexpr std::size_t max_kept = 100;

  std::vector<std::string> list;
  std::size_t omitted = 0;

  /// `path` names the place ("files[0].name"); an empty one is the root and reads "arguments".
  void add(std::string_view path, std::string_view text);

  /// Adds those of `more`, paths and all.
  void append(const Violations& more);

  bool empty() const { return list.empty(); }

  /// True when a further violation would only be counted.
  bool is_full() const { return list.size() == max_kept; }

  /// One violation a line, in the order of the description; a last line counts those that were not kept.
  std::string text() const;
};

}  // namespace toolwire
