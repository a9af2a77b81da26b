// How recordings are looked at: what the host sent, before and after the stimulus, and signs of its life.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/check.hpp"

namespace toolwire::conformance {

/// Why a check did not judge: there was no request to answer oddly, or no sign of life after it.
inline constexpr std::string_view not_tried =
    "the host made no request at which it could be tried, or nothing shows whether it goes on";
/// The same of questions to the host.
inline constexpr std::string_view could_not_be_asked = "the host made no request at which it could be asked";

using Lines = std::vector<const PlayedLine*>;

/// The session in which the stimulus was given; null if there is none. One that came to the answer of the main request
/// before others: some hosts ask a server that they start for that alone.
const PlayedSession* stimulated(const Play& play);

/// What the host sent in a session, from line `from` on.
Lines sent_by_host(const PlayedSession& session, std::size_t from = 0);
/// The same after the stimulus of the play; empty if there was none.
Lines sent_after_stimulus(const Play& play);
/// After its main request was answered; empty if it never was.
Lines sent_after_answer(const Play& play);

using Test = std::function<bool(const Message&)>;
/// The first that fits, or null.
const PlayedLine* first_of(const Lines& lines, const Test& test);
std::size_t count_of(const Lines& lines, const Test& test);

/// Calls `look` with each message of the host, in every session, those of batches one by one.
void for_each_message(const Play& play, const std::function<void(const Message&, const PlayedSession&)>& look);

bool is_request(const Message& it);
bool is_request(const Message& it, std::string_view method);
bool is_notification(const Message& it, std::string_view method);
/// Whether it answers the request of the server with this id.
bool answers(const Message& it, const Json& id);
const PlayedLine* answer_to(const Play& play, const Json& id);

/// Whether the host has printed the right answer to its main request.
bool shows_answer(const Play& play, const HostTraits& traits);
/// Whether it ended by a fault of its own.
bool crashed(const Play& play);
/// What shows that the host still works after the stimulus, which comes before the answer to its main request; empty if
/// nothing does.
std::string sign_of_life(const Play& play, const HostTraits& traits);
/// What became of a host without one, for people.
std::string fate(const Play& play);

/// The judge of many checks: whatever the server did, the session goes on. Not judged where nothing could show it.
void survives(const Play& play, const HostTraits& traits, Verdicts& verdicts);
/// The same of a stimulus that comes before the main request: the host gets as far as that, too.
void comes_through(const Play& play, const HostTraits& traits, Verdicts& verdicts);
/// The same of an answer that is right, in whatever form it comes: it is taken as well, where that can be seen.
void takes_answer(const Play& play, const HostTraits& traits, Verdicts& verdicts);
/// The same of a stimulus that comes after the answer to the main request: a host that is done may end, but well.
void survives_later(const Play& play, const HostTraits& traits, Verdicts& verdicts);
/// The same where the host may also end, but not hang or crash.
void ends_or_survives(const Play& play, const HostTraits& traits, Verdicts& verdicts);

/// Whether it is an object of objects, as all revisions have it.
bool are_capabilities(const Json& json);
/// The capabilities that the host has declared in this play.
Json declared(const Play& play);

/// "12 ms <- {…}": what the host sent (<-) and the server (->).
std::string transcript_of(const Play& play);

}  // namespace toolwire::conformance
