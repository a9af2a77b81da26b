#include "client/survey.hpp"

#include <algorithm>
#include <stdexcept>

#include "client/looking.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::size_t shown_errors = 2000;

bool is_tool_call(const Message& it) { return is_request(it, "tools/call"); }

bool any_message(const Play& play, const Test& test) {
  bool found = false;
  for_each_message(play, [&](const Message& it, const PlayedSession&) { found = found || test(it); });
  return found;
}

/// A request that a session is opened for.
bool is_use(const Message& it) {
  return is_request(it) && it.method() != "initialize" && it.method() != "server/discover" && it.method() != "ping";
}

/// With a handshake: whether the host went on when it was answered.
bool uses_opened(const PlayedSession& session) {
  const auto opened = std::ranges::find_if(session.lines, [](const PlayedLine& it) {
    return it.from == From::server && it.text.find("\"protocolVersion\"") != std::string::npos;
  });
  return std::any_of(opened, session.lines.end(), [](const PlayedLine& it) {
    return it.from == From::host && (is_use(it.message) || is_notification(it.message, "notifications/initialized"));
  });
}

/// Without: whether it asked for anything in this revision, or in none and had not come for a handshake.
bool uses_at_once(const PlayedSession& session) {
  bool greets = false;
  for (const PlayedLine* line : sent_by_host(session)) {
    greets = greets || is_request(line->message, "initialize");
    const Json& params = line->message.member("params");
    const std::string_view version = text_of(get(params, "_meta", "io.modelcontextprotocol/protocolVersion"));
    if (is_use(line->message) && (version == "2026-07-28" || !greets)) return true;
  }
  return false;
}

/// Whether it came to use the server in this revision.
bool speaks(const Play& play) {
  return std::ranges::any_of(play.sessions, play.revision->modern ? uses_at_once : uses_opened);
}

/// Where a host went on in no revision: the newest in which it sent anything, so that what it sent is judged.
const Play* speaks_none(const std::vector<Play>& plays) {
  if (std::ranges::any_of(plays, speaks)) return nullptr;
  const Play* newest = nullptr;
  for (const Play& play : plays) {
    const auto sends = [](const PlayedSession& it) { return !sent_by_host(it).empty(); };
    if (!play.revision->modern && std::ranges::any_of(play.sessions, sends)) newest = &play;
  }
  return newest;
}

Json info_of(const Play& play) {
  Json info = nullptr;
  for_each_message(play, [&](const Message& it, const PlayedSession&) {
    const Json& params = it.member("params");
    const Json& modern = get(params, "_meta", "io.modelcontextprotocol/clientInfo");
    if (is_request(it, "initialize")) info = get(params, "clientInfo");
    if (modern.is_object()) info = modern;
  });
  return info;
}

}  // namespace

HostTraits traits_of(const std::vector<Play>& plays) {
  HostTraits traits;
  for (const Play& play : plays) {
    if (!speaks(play)) continue;
    traits.calls = traits.calls || any_message(play, is_tool_call);
    traits.ends_by_itself = traits.ends_by_itself || play.ended_by_itself;
    traits.ends_well = traits.ends_well || (play.ended_by_itself && play.ending.code == 0);
  }
  for (const Play& play : plays) {
    if (!speaks(play)) continue;
    traits.shows_answers = traits.shows_answers || shows_answer(play, traits);
    traits.output = play.output, traits.errors = play.errors;
  }
  return traits;
}

void note_offers(const std::vector<Play>& plays, Target& target) {
  const Play* only = speaks_none(plays);
  for (const Play& play : plays) {
    Offer offer{.revision = play.revision, .served = speaks(play) || &play == only};
    offer.opening = {{"serverInfo", info_of(play)}};
    if (!offer.served) offer.problem = "the host did not go on in this revision: " + fate(play);
    target.offers.insert_or_assign(play.revision->name, std::move(offer));
  }
}

void require_sessions(const std::vector<Play>& plays) {
  if (std::ranges::any_of(plays, [](const Play& it) { return !it.sessions.empty(); })) return;
  std::string text = "the host started no server: {server} stands for its command, {config} for a file of mcpServers";
  if (plays.empty()) throw std::runtime_error(text);
  text += "; it " + plays.front().ending.text();
  const std::string& errors = plays.front().errors;
  if (!errors.empty())
    text += "; the last of its standard error: " + errors.substr(errors.size() - std::min(errors.size(), shown_errors));
  throw std::runtime_error(text);
}

}  // namespace toolwire::conformance
