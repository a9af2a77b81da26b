#include "client/looking.hpp"

#include <algorithm>

namespace toolwire::conformance {
namespace {

constexpr std::size_t shown_bytes = 2000;

std::string_view tail(std::string_view text) {
  return text.size() <= shown_bytes ? text : text.substr(text.size() - shown_bytes);
}

constexpr int of_shell = 128;  // that says with its status by which signal the host was ended

std::string_view arrow(From from) { return from == From::host ? " <- " : from == From::server ? " -> " : " -- "; }

}  // namespace

const PlayedSession* stimulated(const Play& play) {
  const PlayedSession* first = nullptr;
  for (const PlayedSession& session : play.sessions) {
    if (!session.has(note::stimulus)) continue;
    if (session.has(note::answered)) return &session;
    if (first == nullptr) first = &session;
  }
  return first;
}

Lines sent_by_host(const PlayedSession& session, std::size_t from) {
  Lines all;
  for (std::size_t i = from; i < session.lines.size(); ++i) {
    if (session.lines[i].from == From::host) all.push_back(&session.lines[i]);
  }
  return all;
}

Lines sent_after_stimulus(const Play& play) {
  const PlayedSession* session = stimulated(play);
  return session == nullptr ? Lines{} : sent_by_host(*session, session->place_of(note::stimulus));
}

Lines sent_after_answer(const Play& play) {
  const PlayedSession* session = stimulated(play);
  return session == nullptr ? Lines{} : sent_by_host(*session, session->place_of(note::answered));
}

const PlayedLine* first_of(const Lines& lines, const Test& test) {
  const auto found = std::ranges::find_if(lines, [&](const PlayedLine* it) { return test(it->message); });
  return found == lines.end() ? nullptr : *found;
}

std::size_t count_of(const Lines& lines, const Test& test) {
  return static_cast<std::size_t>(
      std::ranges::count_if(lines, [&](const PlayedLine* it) { return test(it->message); }));
}

void for_each_message(const Play& play, const std::function<void(const Message&, const PlayedSession&)>& look) {
  for (const PlayedSession& session : play.sessions) {
    for (const PlayedLine* line : sent_by_host(session)) {
      if (line->message.kind != Message::Kind::batch) {
        look(line->message, session);
        continue;
      }
      for (const Json& one : line->message.json.as_array()) look(read_message(to_json_text(one), true), session);
    }
  }
}

bool is_request(const Message& it) { return it.kind == Message::Kind::request; }
bool is_request(const Message& it, std::string_view method) { return is_request(it) && it.method() == method; }
bool is_notification(const Message& it, std::string_view method) {
  return it.kind == Message::Kind::notification && it.method() == method;
}

bool answers(const Message& it, const Json& id) {
  return it.kind == Message::Kind::response && it.id() == std::optional<Json>(id);
}

const PlayedLine* answer_to(const Play& play, const Json& id) {
  return first_of(sent_after_stimulus(play), [&](const Message& it) { return answers(it, id); });
}

bool shows_answer(const Play& play, const HostTraits& traits) {
  return play.output.find(traits.calls ? answer_marker : listed_marker) != std::string::npos;
}

bool crashed(const Play& play) {
  return is_of_a_fault(play.ending.signal != 0 ? play.ending.signal : play.ending.code - of_shell);
}

std::string sign_of_life(const Play& play, const HostTraits& traits) {
  if (answer_to(play, "toolwire-probe") != nullptr) return "it answered a ping";
  const auto works = [](const Message& it) { return is_request(it); };
  if (const PlayedLine* line = first_of(sent_after_answer(play), works)) return "it sent " + line->message.method();
  if (traits.shows_answers && shows_answer(play, traits)) return "it showed the answer";
  return "";
}

std::string fate(const Play& play) {
  std::string text;
  if (play.ended_by_itself)
    text = "the host ended (" + play.ending.text() + ")";
  else
    text = "the host gave no sign of life in time";
  if (!play.errors.empty()) text += "; the last of its standard error: " + std::string(tail(play.errors));
  return text;
}

namespace {

/// Of a host that answers pings elsewhere: whether it has missed the one that came before the answer.
bool misses_probe(const Play& play, const HostTraits& traits) {
  const PlayedSession& session = *stimulated(play);
  const auto answered = session.lines.begin() + static_cast<std::ptrdiff_t>(session.place_of(note::answered));
  const bool probed = std::any_of(session.lines.begin(), answered, [](const PlayedLine& it) {
    return it.from == From::server && it.text.find("\"toolwire-probe\"") != std::string::npos;
  });
  return traits.hears && probed && answer_to(play, "toolwire-probe") == nullptr;
}

}  // namespace

void survives(const Play& play, const HostTraits& traits, Verdicts& verdicts) {
  if (stimulated(play) == nullptr) return;
  if (play.revision->modern && !traits.shows_answers) return;
  ++verdicts.looked_at;
  if (sign_of_life(play, traits).empty()) verdicts.fault(play, "the session goes on", fate(play));
  if (misses_probe(play, traits))
    verdicts.fault(play, "the next message is taken", "the host missed the ping behind it");
}

void comes_through(const Play& play, const HostTraits& traits, Verdicts& verdicts) {
  const PlayedSession* session = stimulated(play);
  if (session == nullptr) return;
  if (session->has(note::answered)) return survives(play, traits, verdicts);
  ++verdicts.looked_at;
  verdicts.fault(play, "the session goes on", fate(play));
}

void takes_answer(const Play& play, const HostTraits& traits, Verdicts& verdicts) {
  survives(play, traits, verdicts);
  if (stimulated(play) != nullptr && traits.shows_answers && !shows_answer(play, traits))
    verdicts.fault(play, "the answer is taken", "the host did not show it; " + fate(play));
}

void survives_later(const Play& play, const HostTraits& traits, Verdicts& verdicts) {
  const PlayedSession* session = stimulated(play);
  if (session == nullptr || !session->has(note::answered)) return;
  const auto works = [](const Message& it) { return is_request(it) || answers(it, "toolwire-probe"); };
  const bool goes_on = first_of(sent_after_answer(play), works) != nullptr;
  if (!goes_on && !traits.ends_by_itself) return;
  ++verdicts.looked_at;
  const bool failed = traits.ends_well && play.ended_by_itself && play.ending.code != 0;
  if (crashed(play) || (failed && !goes_on)) verdicts.fault(play, "the session goes on, or ends well", fate(play));
}

void ends_or_survives(const Play& play, const HostTraits& traits, Verdicts& verdicts) {
  if (stimulated(play) == nullptr || !traits.ends_by_itself) return;
  ++verdicts.looked_at;
  if (crashed(play) || !play.ended_by_itself)
    verdicts.fault(play, "the host tells its user, or goes on; it neither waits for ever nor crashes", fate(play));
}

bool are_capabilities(const Json& json) {
  const JsonObject* all = json.if_object();
  return all != nullptr && std::ranges::all_of(*all, [](const auto& it) { return it.value().is_object(); });
}

Json declared(const Play& play) {
  Json all = JsonObject{};
  for_each_message(play, [&](const Message& it, const PlayedSession&) {
    const Json& params = it.member("params");
    const Json& modern = get(params, "_meta", "io.modelcontextprotocol/clientCapabilities");
    if (is_request(it, "initialize")) all = get(params, "capabilities");
    if (modern.is_object()) all = modern;
  });
  return all;
}

std::string transcript_of(const Play& play) {
  std::string text;
  for (const PlayedSession& session : play.sessions) {
    text += "-- process " + std::to_string(session.process) + " of the played server (" +
            std::string(play.played->name) + ": " + std::string(play.played->says) + ")\n";
    for (const PlayedLine& line : session.lines) {
      text += std::to_string((line.at - play.begun).count()) + " ms" + std::string(arrow(line.from)) +
              line.text.substr(0, shown_bytes);
      if (line.size > shown_bytes) text += "… (" + std::to_string(line.size) + " bytes)";
      if (!text.ends_with('\n')) text += '\n';
    }
  }
  text += "-- the host " + play.ending.text() + (play.ended_by_itself ? "" : ", after it was asked to end") + "\n";
  if (!play.errors.empty()) text += "!! " + std::string(tail(play.errors)) + "\n";
  return text;
}

}  // namespace toolwire::conformance
