// Caching hints of results (2026-07-28 server/utilities/caching).
#include "checks/groups.hpp"
#include "probe/lists.hpp"

namespace toolwire::conformance {
namespace {

void expect_hints(Probe& probe, const Json& result, const std::string& request) {
  const JsonObject& members = result.as_object();
  probe.expect(members.contains("ttlMs") && members.contains("cacheScope"),
               "ttlMs and cacheScope in the result of " + request, to_json_text(result).substr(0, 500));
}

void list_hints(Probe& probe, const List& list) {
  probe.need_capability(list.capability);
  const Answer answer = probe.session().request(list.method);
  probe.expect_result(answer, std::string(list.method));
  expect_hints(probe, answer.result, std::string(list.method));
}

void discover(Probe& probe) { expect_hints(probe, probe.offer().opening, "server/discover"); }
void tools_list(Probe& probe) { list_hints(probe, lists[0]); }
void resources_list(Probe& probe) { list_hints(probe, lists[1]); }
void caching_templates_list(Probe& probe) { list_hints(probe, lists[2]); }
void prompts_list(Probe& probe) { list_hints(probe, lists[3]); }

/// The result of reading the first resource that can be read; skips if there is none.
Json some_contents(Probe& probe) {
  probe.need_capability("resources");
  for (const Json& resource : probe.offer().resources) {
    const Answer answer = probe.session().request("resources/read", {{"uri", get(resource, "uri")}});
    if (answer.ok() && text_of(get(answer.result, "resultType")) == "complete") return answer.result;
  }
  probe.skip("no resource can be read");
}

/// Of a resource that is listed, and of one that a template makes.
void resources_read(Probe& probe) {
  if (const auto instance = probe.find("resource:template")) {
    const Answer answer = probe.session().request("resources/read", {{"uri", instance->name}});
    if (answer.ok() && text_of(get(answer.result, "resultType")) == "complete")
      expect_hints(probe, answer.result, "resources/read of " + instance->name);
  }
  expect_hints(probe, some_contents(probe), "resources/read");
}

/// All results that carry hints, pages included.
template <class Look>
void each_cacheable(Probe& probe, Look look) {
  look(probe.offer().opening);
  for (const List& list : lists) {
    if (!probe.offer().has(list.capability)) continue;
    for (const Json& page : walk(probe.session(), list).pages) look(page);
  }
}

void ttl_integer(Probe& probe) {
  each_cacheable(probe, [&](const Json& result) {
    const Json& ttl = get(result, "ttlMs");
    probe.expect(ttl.is_null() || ttl.is_int64() || ttl.is_uint64(), "ttlMs, an integer", to_json_text(ttl));
  });
}

void ttl_non_negative(Probe& probe) {
  each_cacheable(probe, [&](const Json& result) {
    const Json& ttl = get(result, "ttlMs");
    probe.expect(!ttl.is_number() || ttl.to_number<double>() >= 0, "ttlMs of at least 0", to_json_text(ttl));
  });
}

void scope_enum(Probe& probe) {
  each_cacheable(probe, [&](const Json& result) {
    const Json& scope = get(result, "cacheScope");
    probe.expect(scope.is_null() || text_of(scope) == "public" || text_of(scope) == "private", "public or private",
                 to_json_text(scope));
  });
}

template <class Look>
void caching_each_paginated(Probe& probe, Look look) {
  std::size_t count = 0;
  for (const List& list : lists) {
    if (!probe.offer().has(list.capability)) continue;
    const Walk pages = walk(probe.session(), list);
    if (pages.pages.size() < 2) continue;
    ++count;
    look(list, pages);
  }
  if (count == 0) probe.skip("no list has more than one page");
}

void scope_same_on_pages(Probe& probe) {
  caching_each_paginated(probe, [&](const List& list, const Walk& pages) {
    for (const Json& page : pages.pages)
      probe.expect(get(page, "cacheScope") == get(pages.pages.front(), "cacheScope"),
                   "the same cacheScope on all pages of " + std::string(list.method),
                   to_json_text(get(page, "cacheScope")));
  });
}

void hints_on_every_page(Probe& probe) {
  caching_each_paginated(probe, [&](const List& list, const Walk& pages) {
    for (const Json& page : pages.pages) expect_hints(probe, page, std::string(list.method));
  });
}

void none_on_input_required(Probe& probe) {
  const Fixture fixture = probe.need("resource:needs-input");
  const Answer answer = probe.session().request("resources/read", {{"uri", fixture.name}});
  probe.expect_result(answer, "resources/read of a resource that asks");
  if (text_of(get(answer.result, "resultType")) != "input_required") probe.skip("the resource asks nothing");
  const JsonObject& members = answer.result.as_object();
  if (members.contains("ttlMs") || members.contains("cacheScope"))
    probe.warn("no caching hints in an input_required result", to_json_text(answer.result).substr(0, 300));
}

}  // namespace

std::span<const Check> caching_checks() {
  static constexpr Check checks[] = {
      {"cache-hints-discover", discover},
      {"cache-hints-tools-list", tools_list},
      {"cache-hints-prompts-list", prompts_list},
      {"cache-hints-resources-list", resources_list},
      {"cache-hints-resource-templates-list", caching_templates_list},
      {"cache-hints-resources-read", resources_read},
      {"cache-ttl-integer", ttl_integer},
      {"cache-ttl-non-negative", ttl_non_negative},
      {"cache-scope-enum", scope_enum},
      {"cache-scope-same-on-pages", scope_same_on_pages},
      {"cache-hints-on-every-page", hints_on_every_page},
      {"cache-none-on-input-required", none_on_input_required},
  };
  return checks;
}

}  // namespace toolwire::conformance
