// The difference between two texts that differ in one place, as `diff -u` shows it. Independent of files.
#pragma once

#include <string>
#include <string_view>

namespace toolwire::install {

/// Empty if the texts are the same, else one hunk with three lines of context: what lies between their common beginning
/// and their common end is replaced.
std::string one_hunk(std::string_view path, std::string_view before, std::string_view after);

}  // namespace toolwire::install
