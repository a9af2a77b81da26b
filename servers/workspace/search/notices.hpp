// The notices below the matches of a search: how to continue, and what was left out. Independent of searching.
#pragma once

#include <cstdint>
#include <string>

#include "workspace/search/report.hpp"
#include "workspace/system/walk.hpp"

namespace workspace {

struct LeftOut {
  WalkReport walk = {};
  std::uint64_t binary = 0, unreadable = 0, cut_files = 0, split_lines = 0;
  bool cut_line = false, stopped = false, is_empty = false, is_full = false;
  bool has_root_names = false;  // before paths
  std::string cursor = {};      // points to the last match that is shown
};

/// Adds the notices to the text, and to the answer with its cursor.
void add_search_notices(BoundedText& text, SearchAnswer& answer, const SearchRequest& request, const LeftOut& what);

}  // namespace workspace
