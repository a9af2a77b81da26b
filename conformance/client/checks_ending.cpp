// The group client-process: how a host starts and ends its server, and what it does when that ends by itself.
#include <algorithm>
#include <array>

#include "client/looking.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::string_view ending_unseen = "the host did not come so far";
constexpr std::string_view stays = "the host does not end by itself, so nothing shows whether it has noticed";
constexpr std::chrono::milliseconds short_time{100};

void never_crashes(const Play& play, const HostTraits&, Verdicts& verdicts) {
  ++verdicts.looked_at;
  if (crashed(play)) verdicts.fault(play, "the host never crashes", fate(play));
}

const PlayedLine* note_in(const PlayedSession& session, std::string_view note) {
  const std::size_t place = session.place_of(note);
  return place < session.lines.size() ? &session.lines[place] : nullptr;
}

/// The last session of the play: probes of a host may be ended in any way.
const PlayedSession* last_session(const Play& play) { return play.sessions.empty() ? nullptr : &play.sessions.back(); }

void closes_input_first(const Play& play, const HostTraits&, Verdicts& verdicts) {
  const PlayedSession* session = last_session(play);
  if (session == nullptr) return;
  ++verdicts.looked_at;
  const PlayedLine* end = note_in(*session, note::input_ended);
  const PlayedLine* terminated = note_in(*session, note::terminated);
  if (end == nullptr || (terminated != nullptr && terminated->at < end->at))
    verdicts.fault(play, "the server's input is closed before any signal",
                   terminated != nullptr ? "a signal came first" : "the server was killed");
}

/// A server that needs 300 ms for its end gets them.
void waits_for_end(const Play& play, const HostTraits&, Verdicts& verdicts) {
  const PlayedSession* session = last_session(play);
  if (session == nullptr || play.left_server) return;
  ++verdicts.looked_at;
  const PlayedLine* end = note_in(*session, note::input_ended);
  const PlayedLine* terminated = note_in(*session, note::terminated);
  if (end != nullptr && terminated != nullptr && terminated->at - end->at < short_time)
    verdicts.fault(play, "time for the server to end by itself", "a signal came at once");
  if (!session->has(note::ended)) verdicts.fault(play, "time for the server to end by itself", "it was killed");
}

void ends_stubborn(const Play& play, const HostTraits&, Verdicts& verdicts) {
  const PlayedSession* session = last_session(play);
  if (session == nullptr || !session->has(note::input_ended)) return;
  ++verdicts.looked_at;
  if (play.left_server) verdicts.fault(play, "no server is left behind", "it still runs: " + fate(play));
}

void leaves_nothing(const Play& play, const HostTraits&, Verdicts& verdicts) {
  if (play.sessions.empty()) return;
  ++verdicts.looked_at;
  if (play.left_server) verdicts.fault(play, "no server is left behind", "one still runs when the host has ended");
}

/// The host does not wait for what will not come.
void notices(const Play& play, const HostTraits& traits, Verdicts& verdicts) {
  if (stimulated(play) == nullptr) return;
  const bool starts_again = play.sessions.size() > 1 && stimulated(play) != &play.sessions.back();
  if (!traits.ends_by_itself && !starts_again) return;
  ++verdicts.looked_at;
  if (!play.ended_by_itself && !starts_again)
    verdicts.fault(play, "the host notices that nothing will come any more", "it waited until it was ended");
  if (crashed(play)) verdicts.fault(play, "the host says what has happened", fate(play));
}

/// A failure is told: by its status, or by a word that the host has not for success.
void tells(const Play& play, const HostTraits& traits, Verdicts& verdicts) {
  if (stimulated(play) == nullptr || !traits.ends_by_itself || !play.ended_by_itself) return;
  if (play.sessions.size() > 1) return;  // it tried again
  ++verdicts.looked_at;
  const bool said_nothing = traits.output.starts_with(play.output) && traits.errors.starts_with(play.errors);
  if (play.ending.code == 0 && said_nothing)
    verdicts.fault(play, "a word or a status that says that it failed", "the host ended as if all was well");
}

void starts_bounded(const Play& play, const HostTraits& traits, Verdicts& verdicts) {
  const bool starts_forever = play.sessions.size() > 10;
  if (play.sessions.empty()) return;
  ++verdicts.looked_at;
  if (starts_forever)
    verdicts.fault(play, "a few starts of a server that ends at once",
                   std::to_string(play.sessions.size()) + " starts");
  notices(play, traits, verdicts);
}

void drains_errors(const Play& play, const HostTraits&, Verdicts& verdicts) {
  const PlayedSession* session = stimulated(play);
  if (session == nullptr) return;
  ++verdicts.looked_at;
  if (!session->has("the flood is through"))
    verdicts.fault(play, "standard error is read, or leads elsewhere", "the server hangs while it writes there");
}

void starts_slowly(const Play& play, const HostTraits&, Verdicts& verdicts) {
  const PlayedSession* session = stimulated(play);
  if (session == nullptr) return;
  ++verdicts.looked_at;
  if (!session->has(note::answered))
    verdicts.fault(play, "patience with a server that starts within 700 ms", fate(play));
}

constexpr std::array all_ending_checks{
    HostCheck{"client-never-crashes", "*", never_crashes, ending_unseen},
    HostCheck{"client-closes-input-first", "plain", closes_input_first, ending_unseen},
    HostCheck{"client-waits-for-end", "ends-slowly", waits_for_end, "the host left the server behind"},
    HostCheck{"client-ends-stubborn-server", "stubborn", ends_stubborn, "the host did not close the server's input"},
    HostCheck{"client-leaves-nothing", "plain output-closed", leaves_nothing, ending_unseen},
    HostCheck{"client-server-ends-at-start", "exits-at-start", starts_bounded, stays},
    HostCheck{"client-failed-start-told", "exits-at-start", tells, stays},
    HostCheck{"client-server-silent", "silent", ends_or_survives, stays},
    HostCheck{"client-server-ends-in-call", "exits-in-call", notices, stays},
    HostCheck{"client-failed-call-told", "exits-in-call killed-in-call", tells, stays},
    HostCheck{"client-server-ends-well-in-call", "exits-well-in-call", notices, stays},
    HostCheck{"client-server-killed", "killed-in-call", notices, stays},
    HostCheck{"client-half-an-answer", "half-an-answer", notices, stays},
    HostCheck{"client-last-line-without-feed", "no-line-feed", ends_or_survives, stays},
    HostCheck{"client-output-closed", "output-closed", notices, stays},
    HostCheck{"client-input-closed", "input-closed", ends_or_survives, stays},
    HostCheck{"client-drains-errors", "errors-flood", drains_errors, ending_unseen},
    HostCheck{"client-errors-flood", "errors-flood", survives, ending_unseen},
    HostCheck{"client-errors-bytes", "errors-bytes", survives, ending_unseen},
    HostCheck{"client-errors-are-no-failure", "errors-words", survives, ending_unseen},
    HostCheck{"client-slow-start", "starts-slowly", starts_slowly, ending_unseen},
};

}  // namespace

std::span<const HostCheck> ending_host_checks() { return all_ending_checks; }

}  // namespace toolwire::conformance
