// The four lists a server may have, and a walk over their pages.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "probe/probe.hpp"

namespace toolwire::conformance {

struct List {
  std::string_view capability, method, member, key;
};

inline constexpr std::array lists{List{"tools", "tools/list", "tools", "name"},
                                  List{"resources", "resources/list", "resources", "uri"},
                                  List{"resources", "resources/templates/list", "resourceTemplates", "uriTemplate"},
                                  List{"prompts", "prompts/list", "prompts", "name"}};

/// Calls `look(list)` for each list the server declares; skips if there is none.
template <class Look>
void each_list(const Probe& probe, Look look) {
  std::size_t count = 0;
  for (const List& list : lists) {
    if (!probe.offer().has(list.capability)) continue;
    ++count;
    look(list);
  }
  if (count == 0) probe.skip("the server has no list");
}

struct Walk {
  std::vector<Json> pages;  // the results
  std::vector<std::string> keys;
  std::vector<std::string> cursors;
  bool ended = false;
};

inline Walk walk(Session& session, const List& list, std::size_t max_pages = 200) {
  Walk result;
  JsonObject params;
  while (result.pages.size() < max_pages) {
    const Answer answer = session.request(list.method, params);
    if (!answer.ok()) return result;
    result.pages.push_back(answer.result);
    if (const JsonArray* items = get(answer.result, list.member).if_array()) {
      for (const Json& item : *items) result.keys.emplace_back(text_of(get(item, list.key)));
    }
    const Json& next = get(answer.result, "nextCursor");
    if (!next.is_string()) {
      result.ended = true;
      return result;
    }
    result.cursors.emplace_back(text_of(next));
    params["cursor"] = next;
  }
  return result;
}

/// What may have gone before in a session: a call, a reading and a prompt that come to something, and some that do not.
inline void use_otherwise(Probe& probe, Session& session) {
  if (probe.find("tool:text")) session.request("tools/call", probe.need_tool("tool:text").params());
  if (!probe.offer().resources.empty())
    session.request("resources/read", {{"uri", get(probe.offer().resources.front(), "uri")}});
  if (!probe.offer().prompts.empty())
    session.request("prompts/get", {{"name", get(probe.offer().prompts.front(), "name")}});
  session.request("tools/call", {{"name", "conformance-no-such-tool"}});
  session.request("resources/read", {{"uri", "conformance://nothing"}});
  session.request("prompts/get", {{"name", "no_such_prompt"}});
}

}  // namespace toolwire::conformance
