// Cursors of all lists (server/utilities/pagination).
#include <algorithm>
#include <set>

#include <toolwire/error.hpp>

#include "checks/groups.hpp"
#include "probe/lists.hpp"

namespace toolwire::conformance {
namespace {

void cursor_string(Probe& probe) {
  each_list(probe, [&](const List& list) {
    const Answer answer = probe.session().request(list.method);
    probe.expect_result(answer, std::string(list.method));
    const Json* cursor = answer.result.as_object().if_contains("nextCursor");
    probe.expect(cursor == nullptr || cursor->is_string(), "nextCursor, a string or none",
                 cursor != nullptr ? to_json_text(*cursor) : "");
  });
}

/// Calls `look` with each list of more than one page; skips if there is none.
template <class Look>
void pagination_each_paginated(Probe& probe, Look look) {
  std::size_t count = 0;
  each_list(probe, [&](const List& list) {
    const Walk pages = walk(probe.session(), list);
    if (pages.cursors.empty()) return;
    ++count;
    look(list, pages);
  });
  if (count == 0) probe.skip("no list has more than one page");
}

void follow_terminates(Probe& probe) {
  pagination_each_paginated(probe, [&](const List& list, const Walk& pages) {
    probe.expect(pages.ended, "an end of " + std::string(list.method) + " within 200 pages", "none");
    const std::set<std::string> distinct(pages.cursors.begin(), pages.cursors.end());
    probe.expect(distinct.size() == pages.cursors.size(), "another cursor on each page", "one that repeats");
  });
}

void no_duplicates(Probe& probe) {
  pagination_each_paginated(probe, [&](const List& list, const Walk& pages) {
    const std::set<std::string> distinct(pages.keys.begin(), pages.keys.end());
    probe.expect(distinct.size() == pages.keys.size(), "each item once", "one twice in " + std::string(list.method));
    probe.expect(walk(probe.session(), list).keys == pages.keys, "the same items a second time", "others");
  });
}

void stable_cursor(Probe& probe) {
  pagination_each_paginated(probe, [&](const List& list, const Walk& pages) {
    const JsonObject params{{"cursor", pages.cursors.front()}};
    const Answer once = probe.session().request(list.method, params);
    const Answer again = probe.session().request(list.method, params);
    probe.expect(once.ok() && again.ok() && get(once.result, list.member) == get(again.result, list.member),
                 "the same page for the same cursor", again.text());
  });
}

void invalid_cursor(Probe& probe) {
  each_list(probe, [&](const List& list) {
    const Answer answer = probe.session().request(list.method, {{"cursor", "!!not-a-cursor!!"}});
    probe.expect_error(answer, {error_code::invalid_params},
                       std::string(list.method) + " with a cursor nobody gave out");
  });
}

void cursor_wrong_type(Probe& probe) {
  each_list(probe, [&](const List& list) {
    for (const Json& cursor : {Json(5), Json(JsonObject{}), Json(JsonArray{})})
      probe.expect_error(probe.session().request(list.method, {{"cursor", cursor}}), {error_code::invalid_params},
                         std::string(list.method) + " with the cursor " + to_json_text(cursor));
  });
}

void cursor_null_or_empty(Probe& probe) {
  each_list(probe, [&](const List& list) {
    for (const Json& cursor : {Json(nullptr), Json("")}) {
      const Answer answer = probe.session().request(list.method, {{"cursor", cursor}});
      probe.expect_answer(answer, std::string(list.method) + " with the cursor " + to_json_text(cursor));
      probe.expect(answer.ok() || answer.code() == error_code::invalid_params, "the first page, or error -32602",
                   answer.text());
    }
  });
}

void cursor_cross_list(Probe& probe) {
  pagination_each_paginated(probe, [&](const List& list, const Walk& pages) {
    for (const List& other : lists) {
      if (other.method == list.method || !probe.offer().has(other.capability)) continue;
      const Answer answer = probe.session().request(other.method, {{"cursor", pages.cursors.front()}});
      probe.expect_answer(answer, std::string(other.method) + " with a cursor of " + std::string(list.method));
      probe.expect(answer.ok() || answer.code() == error_code::invalid_params, "a page, or error -32602",
                   answer.text());
    }
  });
}

void all_operations(Probe& probe) {
  pagination_each_paginated(probe, [&](const List& list, const Walk& pages) {
    const Answer answer = probe.session().request(list.method, {{"cursor", pages.cursors.front()}});
    probe.expect_result(answer, std::string(list.method) + " with its own cursor");
  });
}

}  // namespace

std::span<const Check> pagination_checks() {
  static constexpr Check checks[] = {
      {"page-cursor-string", cursor_string},
      {"page-follow-terminates", follow_terminates},
      {"page-no-duplicates", no_duplicates},
      {"page-stable-cursor", stable_cursor},
      {"page-invalid-cursor", invalid_cursor},
      {"page-cursor-wrong-type", cursor_wrong_type},
      {"page-cursor-null-or-empty", cursor_null_or_empty},
      {"page-cursor-cross-list", cursor_cross_list},
      {"page-all-operations", all_operations},
  };
  return checks;
}

}  // namespace toolwire::conformance
