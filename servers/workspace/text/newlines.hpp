// How many lines end in a text: what a search counts of every block it passes over.
#pragma once

#include <cstdint>
#include <string_view>

namespace workspace {

std::uint64_t newlines(std::string_view text);

}  // namespace workspace
