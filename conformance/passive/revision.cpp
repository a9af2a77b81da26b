// Passive check of what a revision can be sent: nothing that came with a later one. Further members are allowed by
// every schema; types of content and of results are not.
#include <array>

#include "passive/tables.hpp"

namespace toolwire::conformance {
namespace {

struct Newer {
  std::string_view type;
  std::string_view since;
};

constexpr std::array content_types{Newer{"audio", "2025-03-26"}, Newer{"resource_link", "2025-06-18"},
                                   Newer{"tool_use", "2025-11-25"}, Newer{"tool_result", "2025-11-25"}};

/// The content blocks of a result or a prompt's messages.
template <class Look>
void each_block(const Json& result, Look look) {
  for (std::string_view member : {"content", "messages"}) {
    const JsonArray* array = get(result, member).if_array();
    if (array == nullptr) continue;
    for (const Json& item : *array) look(member == "content" ? item : get(item, "content"));
  }
}

void nothing_newer(const Session& session, Watch& watch) {
  const std::string_view revision = session.revision().name;
  for (const Message& message : session.messages()) {
    if (message.kind != Message::Kind::response) continue;
    ++watch.looked_at;
    const Json& result = message.member("result");
    if (!get(result, "resultType").is_null() && text_of(get(result, "resultType")) != "complete")
      watch.violation("results of the negotiated revision", message.text.substr(0, 500));
    each_block(result, [&](const Json& block) {
      for (const Newer& newer : content_types) {
        if (text_of(get(block, "type")) == newer.type && revision < newer.since)
          watch.violation("no content newer than the negotiated revision", message.text.substr(0, 500));
      }
    });
  }
}

}  // namespace

std::span<const PassiveCheck> revision_passive_checks() {
  static constexpr PassiveCheck checks[] = {
      {"init-operate-negotiated-version", nothing_newer},
      {"init-operate-negotiated-version-early", nothing_newer},
  };
  return checks;
}

}  // namespace toolwire::conformance
