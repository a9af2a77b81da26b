// The group client-handshake: how a host opens a session, and that it keeps to what was agreed.
#include <array>

#include "client/looking.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::string_view initialized = "notifications/initialized";
constexpr std::string_view unseen_opening = "the host sent no initialize";

bool is_probe(const Message& it) { return is_request(it, "server/discover") || is_request(it, "ping"); }

/// The first request of each session that is not a probe has to be initialize.
void handshake_first(const Play& play, const HostTraits&, Verdicts& verdicts) {
  if (play.revision->modern) return;
  for (const PlayedSession& session : play.sessions) {
    for (const PlayedLine* line : sent_by_host(session)) {
      if (is_probe(line->message)) continue;
      ++verdicts.looked_at;
      if (!is_request(line->message, "initialize")) verdicts.fault(play, "initialize before anything else", line->text);
      break;
    }
  }
}

/// Calls `look` with each request initialize.
template <class Look>
void for_each_opening(const Play& play, const Look& look) {
  for_each_message(play, [&](const Message& it, const PlayedSession&) {
    if (is_request(it, "initialize")) look(it);
  });
}

void params(const Play& play, const HostTraits&, Verdicts& verdicts) {
  for_each_opening(play, [&](const Message& it) {
    ++verdicts.looked_at;
    const Json& params = it.member("params");
    const Json& info = get(params, "clientInfo");
    if (!get(params, "protocolVersion").is_string() || !are_capabilities(get(params, "capabilities")) ||
        !get(info, "name").is_string() || !get(info, "version").is_string())
      verdicts.fault(play, "protocolVersion, capabilities and clientInfo with name and version", it.text);
  });
}

void version(const Play& play, const HostTraits&, Verdicts& verdicts) {
  for_each_opening(play, [&](const Message& it) {
    ++verdicts.looked_at;
    const Revision* asked = find_revision(text_of(get(it.member("params"), "protocolVersion")));
    if (asked == nullptr || asked->modern) verdicts.fault(play, "a published revision that has initialize", it.text);
  });
}

/// A host that goes on in a newer revision than it asked for speaks that as well.
void newest_asked(const Play& play, const HostTraits&, Verdicts& verdicts) {
  for_each_message(play, [&](const Message& it, const PlayedSession& session) {
    if (!is_request(it, "initialize")) return;
    const std::string_view asked = text_of(get(it.member("params"), "protocolVersion"));
    const bool goes_on = first_of(sent_by_host(session),
                                  [](const Message& sent) { return is_notification(sent, initialized); }) != nullptr;
    if (!goes_on) return;
    ++verdicts.looked_at;
    if (asked < play.revision->name)
      verdicts.fault(play, "the newest revision that the host speaks, at least " + std::string(play.revision->name),
                     "it asked for " + std::string(asked) + ", and took " + std::string(play.revision->name));
  });
}

/// Of the answer to initialize, or the end of the lines.
std::size_t place_of_opening(const PlayedSession& session) {
  const auto found = std::ranges::find_if(session.lines, [](const PlayedLine& it) {
    return it.from == From::server && it.text.find("\"protocolVersion\"") != std::string::npos;
  });
  return static_cast<std::size_t>(found - session.lines.begin());
}

bool was_opened(const PlayedSession& session) {
  const auto lines = sent_by_host(session);
  return first_of(lines, [](const Message& it) { return is_request(it, "initialize"); }) != nullptr &&
         place_of_opening(session) < session.lines.size();
}

void says_initialized(const Play& play, const HostTraits&, Verdicts& verdicts) {
  for (const PlayedSession& session : play.sessions) {
    if (!was_opened(session)) continue;
    ++verdicts.looked_at;
    const auto is_it = [](const Message& it) { return is_notification(it, initialized); };
    const auto count = count_of(sent_by_host(session, place_of_opening(session)), is_it);
    if (count != 1)
      verdicts.fault(play, "one notifications/initialized behind the answer", std::to_string(count) + " of them");
  }
}

/// Between the answer to initialize and notifications/initialized nothing is asked but pings.
void initialized_first(const Play& play, const HostTraits&, Verdicts& verdicts) {
  for (const PlayedSession& session : play.sessions) {
    if (!was_opened(session)) continue;
    ++verdicts.looked_at;
    for (const PlayedLine* line : sent_by_host(session)) {
      if (is_notification(line->message, initialized)) break;
      if (is_request(line->message) && !is_probe(line->message) && !is_request(line->message, "initialize"))
        verdicts.fault(play, "notifications/initialized before other requests", line->text);
    }
  }
}

void waits_for_opening(const Play& play, const HostTraits&, Verdicts& verdicts) {
  const PlayedSession* session = stimulated(play);
  if (session == nullptr) return;
  ++verdicts.looked_at;
  bool asked = false;
  for (const PlayedLine& line : session->lines) {
    if (line.from == From::note && line.text == note::answered) break;
    if (line.from != From::host || !is_request(line.message)) continue;
    if (asked && !is_probe(line.message))
      verdicts.fault(play, "no request but pings before initialize is answered", line.text);
    asked = asked || is_request(line.message, "initialize");
  }
}

void opening_not_cancelled(const Play& play, const HostTraits&, Verdicts& verdicts) {
  for_each_message(play, [&](const Message& it, const PlayedSession& session) {
    if (!is_request(it, "initialize")) return;
    ++verdicts.looked_at;
    const auto cancels = [&](const Message& sent) {
      return is_notification(sent, "notifications/cancelled") &&
             std::optional<Json>(get(sent.member("params"), "requestId")) == it.id();
    };
    if (const PlayedLine* line = first_of(sent_by_host(session), cancels))
      verdicts.fault(play, "initialize is not cancelled", line->text);
  });
}

/// What was sent after the wrong answer to initialize and is no farewell.
void gives_up(const Play& play, Verdicts& verdicts, const std::string& expected) {
  if (stimulated(play) == nullptr) return;
  ++verdicts.looked_at;
  const auto goes_on = [](const Message& it) {
    return is_notification(it, initialized) || (is_request(it) && !is_request(it, "initialize") && !is_probe(it));
  };
  if (const PlayedLine* line = first_of(sent_after_answer(play), goes_on)) verdicts.fault(play, expected, line->text);
}

void unknown_version(const Play& play, const HostTraits&, Verdicts& verdicts) {
  gives_up(play, verdicts, "the host leaves: it speaks no such revision");
}

void handshake_refused(const Play& play, const HostTraits&, Verdicts& verdicts) {
  gives_up(play, verdicts, "no further request: the server has refused initialize");
}

void malformed_opening(const Play& play, const HostTraits&, Verdicts& verdicts) {
  gives_up(play, verdicts, "the host leaves: a number is no revision");
}

void ping_before_opening(const Play& play, const HostTraits&, Verdicts& verdicts) {
  if (stimulated(play) == nullptr) return;
  ++verdicts.looked_at;
  if (answer_to(play, "toolwire-probe") == nullptr) verdicts.fault(play, "an answer to the ping", fate(play));
}

/// No request whose method begins so. A host that is told to call does so whatever the server offers, for it was the
/// suite that told it.
template <const char* prefix>
void not_asked(const Play& play, const HostTraits& traits, Verdicts& verdicts) {
  if (play.sessions.empty()) return;
  ++verdicts.looked_at;
  for_each_message(play, [&](const Message& it, const PlayedSession&) {
    if (traits.is_told_to_call && is_request(it, "tools/call")) return;
    if (is_request(it) && it.method().starts_with(prefix))
      verdicts.fault(play, "no request of a capability that the server has not declared", it.text);
  });
}

constexpr char tools[] = "tools/";
constexpr char prompts[] = "prompts/";
constexpr char resources[] = "resources/";
constexpr char logging[] = "logging/";
constexpr char completion[] = "completion/";

/// Whether the host came to serve itself of the server in the era with a handshake.
bool opened_legacy(const Play& play) {
  for (const PlayedSession& session : play.sessions) {
    const auto lines = sent_by_host(session);
    if (first_of(lines, [](const Message& it) { return is_notification(it, initialized); }) != nullptr) return true;
  }
  return false;
}

/// Only of hosts that ask server/discover.
void falls_back(const Play& play, const HostTraits&, Verdicts& verdicts) {
  if (stimulated(play) == nullptr) return;
  ++verdicts.looked_at;
  if (!opened_legacy(play)) verdicts.fault(play, "initialize, as the server is of the other era", fate(play));
}

constexpr std::string_view no_probe = "the host does not ask server/discover";
constexpr std::string_view no_stimulus = "the host did not come so far";

constexpr std::array all_handshake_checks{
    HostCheck{"client-initialize-first", "*", handshake_first, unseen_opening},
    HostCheck{"client-initialize-params", "*", params, unseen_opening},
    HostCheck{"client-initialize-version", "*", version, unseen_opening},
    HostCheck{"client-initialize-newest", "plain", newest_asked, unseen_opening},
    HostCheck{"client-initialized-once", "plain roots ids tools-only opening-slow", says_initialized, unseen_opening},
    HostCheck{"client-initialized-before-requests", "*", initialized_first, unseen_opening},
    HostCheck{"client-initialize-waits", "opening-slow", waits_for_opening, unseen_opening},
    HostCheck{"client-initialize-not-cancelled", "*", opening_not_cancelled, unseen_opening},
    HostCheck{"client-version-unknown-leaves", "version-unknown version-later", unknown_version, unseen_opening},
    HostCheck{"client-version-malformed-leaves", "version-number", malformed_opening, unseen_opening},
    HostCheck{"client-initialize-error-ends", "opening-error", handshake_refused, unseen_opening},
    HostCheck{"client-ping-before-opening", "opening-ping", ping_before_opening, unseen_opening},
    HostCheck{"client-log-before-opening", "opening-log", survives, unseen_opening},
    HostCheck{"client-undeclared-tools", "nothing-offered", not_asked<tools>, no_stimulus},
    HostCheck{"client-undeclared-prompts", "tools-only nothing-offered", not_asked<prompts>, no_stimulus},
    HostCheck{"client-undeclared-resources", "tools-only nothing-offered", not_asked<resources>, no_stimulus},
    HostCheck{"client-undeclared-logging", "tools-only nothing-offered", not_asked<logging>, no_stimulus},
    HostCheck{"client-undeclared-completion", "tools-only nothing-offered", not_asked<completion>, no_stimulus},
    HostCheck{"client-falls-back-on-error", "discovery-error", falls_back, no_probe},
    HostCheck{"client-falls-back-on-silence", "discovery-silent", falls_back, no_probe},
    HostCheck{"client-falls-back-on-end", "discovery-ends", falls_back, no_probe},
    HostCheck{"client-unknown-members-tolerated", "unknown-members", comes_through, no_stimulus},
};

}  // namespace

std::span<const HostCheck> handshake_host_checks() { return all_handshake_checks; }

}  // namespace toolwire::conformance
