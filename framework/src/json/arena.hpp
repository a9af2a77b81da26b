// Memory for values that live and die together, such as those of one message: taken in a few blocks, given back at
// once.
#pragma once

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/storage_ptr.hpp>
#include <cstddef>

namespace toolwire::json {

using MonotonicResource = boost::json::monotonic_resource;

/// Shared by every value made from it, and freed with the last of them. `text_size`: length of the text that is to be
/// parsed. A value keeps its arena when it is constructed by a move; assigned to an existing one it is copied out of
/// it.
inline boost::json::storage_ptr arena_for(std::size_t text_size) {
  constexpr std::size_t least = 896;  // with its bookkeeping still a size the allocator keeps at hand
  return boost::json::make_shared_resource<MonotonicResource>(text_size < least ? least : text_size + text_size / 4);
}

}  // namespace toolwire::json
