// The group client-modern: what 2026-07-28 asks of hosts.
#include <algorithm>
#include <array>
#include <set>

#include "client/looking.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::string_view modern_first = "2026-07-28";  // of the revisions that are named so
constexpr std::size_t most_rounds = 200;
constexpr std::string_view prefix = "io.modelcontextprotocol/";
constexpr std::string_view state = "{\"step\": 1} é/+==\\\"";
constexpr std::string_view modern_nothing_sent = "the host sent no request of 2026-07-28";
constexpr std::string_view no_call = "the host called no tool, or declares nothing that it could be asked";
constexpr std::string_view no_second_call = "the host did not call again";
constexpr std::string_view modern_shows_nothing = "the host does not show what a tool answers, or called none";

const Json& meta_of(const Message& it, std::string_view name) {
  return get(it.member("params"), "_meta", std::string(prefix) + std::string(name));
}

template <class Look>
void for_each_request(const Play& play, const Look& look) {
  if (!play.revision->modern) return;
  for_each_message(play, [&](const Message& it, const PlayedSession&) {
    if (is_request(it) && it.method() != "initialize") look(it);
  });
}

void has_version(const Play& play, const HostTraits&, Verdicts& verdicts) {
  for_each_request(play, [&](const Message& it) {
    ++verdicts.looked_at;
    const std::string_view named = text_of(meta_of(it, "protocolVersion"));
    if (named.size() != modern_first.size() || named < modern_first)
      verdicts.fault(play, "the revision in _meta of every request", it.text);
  });
}

void has_capabilities(const Play& play, const HostTraits&, Verdicts& verdicts) {
  for_each_request(play, [&](const Message& it) {
    ++verdicts.looked_at;
    if (!are_capabilities(meta_of(it, "clientCapabilities")))
      verdicts.fault(play, "the capabilities in _meta of every request", it.text);
  });
}

void has_info(const Play& play, const HostTraits&, Verdicts& verdicts) {
  for_each_request(play, [&](const Message& it) {
    ++verdicts.looked_at;
    const Json info = meta_of(it, "clientInfo");
    if (!get(info, "name").is_string() || !get(info, "version").is_string())
      verdicts.fault(play, "clientInfo with name and version in _meta of every request", it.text);
  });
}

/// Once the server has answered in 2026-07-28, the host stays there.
void stays_modern(const Play& play, const HostTraits&, Verdicts& verdicts) {
  for (const PlayedSession& session : play.sessions) {
    bool answered = false;
    for (const PlayedLine& line : session.lines) {
      if (line.from == From::server && line.text.find("\"resultType\"") != std::string::npos) answered = true;
      if (line.from != From::host || !answered) continue;
      ++verdicts.looked_at;
      if (is_request(line.message, "initialize") || is_notification(line.message, "notifications/initialized"))
        verdicts.fault(play, "no handshake with a server that has answered in 2026-07-28", line.text);
    }
  }
}

void named_version(const Play& play, const HostTraits&, Verdicts& verdicts) {
  for (const PlayedSession& session : play.sessions) {
    bool answered = false;
    for (const PlayedLine& line : session.lines) {
      if (line.from == From::server && line.text.find("supportedVersions") != std::string::npos) answered = true;
      if (line.from != From::host || !answered || !is_request(line.message)) continue;
      ++verdicts.looked_at;
      if (text_of(meta_of(line.message, "protocolVersion")) != play.revision->name)
        verdicts.fault(play, "one of the revisions that the server has named", line.text);
    }
  }
}

void no_common_version(const Play& play, const HostTraits&, Verdicts& verdicts) {
  if (stimulated(play) == nullptr) return;
  ++verdicts.looked_at;
  if (const PlayedLine* line =
          first_of(sent_after_stimulus(play), [](const Message& it) { return is_request(it, "initialize"); }))
    verdicts.fault(play, "no handshake: the error says that the server is of 2026-07-28 or later", line->text);
}

void no_endless_retry(const Play& play, const HostTraits&, Verdicts& verdicts) {
  if (stimulated(play) == nullptr) return;
  ++verdicts.looked_at;
  const auto requests = count_of(sent_after_stimulus(play), [](const Message& it) { return is_request(it); });
  if (requests > 5)
    verdicts.fault(play, "an end: no revision is spoken by both", std::to_string(requests) + " requests");
}

/// The calls of the tool from the stimulus on.
Lines modern_calls(const Play& play) {
  Lines all;
  const PlayedSession* session = stimulated(play);
  if (session == nullptr) return all;
  for (const PlayedLine* line : sent_by_host(*session)) {
    if (is_request(line->message, "tools/call")) all.push_back(line);
  }
  return all;
}

const Json& param(const PlayedLine* line, std::string_view name) { return get(line->message.member("params"), name); }

void calls_again(const Play& play, const HostTraits&, Verdicts& verdicts) {
  const Lines all = modern_calls(play);
  if (all.empty()) return;
  ++verdicts.looked_at;
  if (all.size() < 2) verdicts.fault(play, "the call again, with what was asked for", fate(play));
}

void answers_keyed(const Play& play, const HostTraits&, Verdicts& verdicts) {
  const Lines all = modern_calls(play);
  if (all.size() < 2) return;
  ++verdicts.looked_at;
  const JsonObject* responses = param(all[1], "inputResponses").if_object();
  if (responses == nullptr) return verdicts.fault(play, "inputResponses", all[1]->text);
  const Json declared_then = get(param(all[0], "_meta"), std::string(prefix) + "clientCapabilities");
  const std::pair<const char*, const char*> keys[] = {
      {"elicitation", "toolwire form"}, {"sampling", "model"}, {"roots", "0"}};
  for (const auto& [capability, key] : keys) {
    if (get(declared_then, capability).is_object() != responses->contains(key))
      verdicts.fault(play, "an answer under the key of each question, and no other", all[1]->text);
  }
}

/// Results, not responses of JSON-RPC.
void answers_shaped(const Play& play, const HostTraits&, Verdicts& verdicts) {
  const Lines all = modern_calls(play);
  if (all.size() < 2) return;
  const Json& responses = param(all[1], "inputResponses");
  const Json& form = get(responses, "toolwire form");
  const Json& model = get(responses, "model");
  const Json& roots = get(responses, "0");
  verdicts.looked_at += static_cast<std::size_t>(!form.is_null()) + static_cast<std::size_t>(!model.is_null()) +
                        static_cast<std::size_t>(!roots.is_null());
  if (!form.is_null() && !get(form, "action").is_string())
    verdicts.fault(play, "an action in the answer to the form", all[1]->text);
  if (!model.is_null() && (!get(model, "model").is_string() || !get(model, "role").is_string()))
    verdicts.fault(play, "role, content and model in the answer of the model", all[1]->text);
  if (!roots.is_null() && !get(roots, "roots").is_array()) verdicts.fault(play, "an array of roots", all[1]->text);
}

void echoes_state(const Play& play, const HostTraits&, Verdicts& verdicts) {
  const Lines all = modern_calls(play);
  if (all.size() < 2) return;
  ++verdicts.looked_at;
  if (param(all[1], "requestState") != Json(state))
    verdicts.fault(play, "requestState as the server has sent it", all[1]->text);
}

void invents_no_state(const Play& play, const HostTraits&, Verdicts& verdicts) {
  const Lines all = modern_calls(play);
  if (all.size() < 2) return;
  ++verdicts.looked_at;
  if (param(all[1], "requestState") != Json(nullptr))
    verdicts.fault(play, "no requestState, as the server has sent none", all[1]->text);
}

void new_id(const Play& play, const HostTraits&, Verdicts& verdicts) {
  const Lines all = modern_calls(play);
  if (all.size() < 2) return;
  ++verdicts.looked_at;
  if (all[0]->message.id() == all[1]->message.id())
    verdicts.fault(play, "another id than that of the first call", all[1]->text);
}

void same_call(const Play& play, const HostTraits&, Verdicts& verdicts) {
  const Lines all = modern_calls(play);
  if (all.size() < 2) return;
  ++verdicts.looked_at;
  if (param(all[0], "name") != param(all[1], "name") || param(all[0], "arguments") != param(all[1], "arguments"))
    verdicts.fault(play, "the tool and the arguments of the first call", all[1]->text);
}

void newest_state(const Play& play, const HostTraits&, Verdicts& verdicts) {
  const Lines all = modern_calls(play);
  if (all.size() < 3) return;
  ++verdicts.looked_at;
  if (param(all[2], "requestState") != Json("round 2"))
    verdicts.fault(play, "the state of the last answer", all[2]->text);
}

void goes_round(const Play& play, const HostTraits&, Verdicts& verdicts) {
  const Lines all = modern_calls(play);
  if (all.size() < 2) return;
  ++verdicts.looked_at;
  if (all.size() < 3) verdicts.fault(play, "the call a third time", fate(play));
}

/// A question of an unknown kind has no answer that a host could make up.
void invents_no_answer(const Play& play, const HostTraits&, Verdicts& verdicts) {
  if (stimulated(play) == nullptr) return;
  ++verdicts.looked_at;
  const Lines all = modern_calls(play);
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (!get(param(all[i], "inputResponses"), "odd").is_null())
      verdicts.fault(play, "no answer to a question of an unknown kind", all[i]->text);
  }
}

void rounds_end(const Play& play, const HostTraits&, Verdicts& verdicts) {
  const Lines all = modern_calls(play);
  if (all.size() < 2) return;
  ++verdicts.looked_at;
  if (all.size() > most_rounds)
    verdicts.fault(play, "an end after so many rounds", std::to_string(all.size()) + " calls");
}

void odd_type_refused(const Play& play, const HostTraits& traits, Verdicts& verdicts) {
  if (stimulated(play) == nullptr || !traits.shows_answers) return;
  ++verdicts.looked_at;
  if (shows_answer(play, traits))
    verdicts.fault(play, "an error: the result is of an unknown type", "the host showed the result");
}

void no_type_is_complete(const Play& play, const HostTraits& traits, Verdicts& verdicts) {
  if (stimulated(play) == nullptr || !traits.shows_answers) return;
  ++verdicts.looked_at;
  if (!shows_answer(play, traits)) verdicts.fault(play, "the result is taken as complete", fate(play));
}

void forbidden_request(const Play& play, const HostTraits& traits, Verdicts& verdicts) {
  survives(play, traits, verdicts);
}

void subscription_shape(const Play& play, const HostTraits&, Verdicts& verdicts) {
  for_each_request(play, [&](const Message& it) {
    if (it.method() != "subscriptions/listen") return;
    ++verdicts.looked_at;
    if (!get(it.member("params"), "notifications").is_object())
      verdicts.fault(play, "an object notifications that says what to tell of", it.text);
  });
}

void hears_subscription(const Play& play, const HostTraits&, Verdicts& verdicts) {
  if (stimulated(play) == nullptr) return;
  const PlayedLine* listen = first_of(sent_by_host(*stimulated(play)),
                                      [](const Message& it) { return is_request(it, "subscriptions/listen"); });
  if (listen == nullptr || get(param(listen, "notifications"), "toolsListChanged") != Json(true)) return;
  const auto is_list = [](const Message& it) { return is_request(it, "tools/list"); };
  const bool lists = first_of(sent_after_stimulus(play), is_list) != nullptr;
  if (!lists && !stimulated(play)->has(note::played)) return;  // it was about to end
  ++verdicts.looked_at;
  if (!lists) verdicts.fault(play, "tools/list after the change it has asked to hear of", fate(play));
}

void refused_version(const Play& play, const HostTraits&, Verdicts& verdicts) {
  if (stimulated(play) == nullptr) return;
  ++verdicts.looked_at;
  if (const PlayedLine* line =
          first_of(sent_after_stimulus(play), [](const Message& it) { return is_request(it, "initialize"); }))
    verdicts.fault(play, "no handshake after the error -32022", line->text);
}

constexpr std::array all_modern_checks{
    HostCheck{"client-meta-version", "*", has_version, modern_nothing_sent},
    HostCheck{"client-meta-capabilities", "*", has_capabilities, modern_nothing_sent},
    HostCheck{"client-meta-info", "*", has_info, modern_nothing_sent},
    HostCheck{"client-stays-modern", "plain tools-only input-required", stays_modern, modern_nothing_sent},
    HostCheck{"client-version-named-by-server", "plain tools-only input-required", named_version,
              "the host did not ask server/discover on the connection that it uses"},
    HostCheck{"client-no-common-version", "no-common-version", no_common_version,
              "the host does not ask server/discover"},
    HostCheck{"client-no-endless-retry", "no-common-version version-refused", no_endless_retry, modern_nothing_sent},
    HostCheck{"client-version-refused", "version-refused", refused_version, modern_nothing_sent},
    HostCheck{"client-input-called-again", "input-required input-without-state", calls_again, no_call},
    HostCheck{"client-input-keys", "input-required input-without-state", answers_keyed, no_second_call},
    HostCheck{"client-input-shapes", "input-required input-without-state", answers_shaped, no_second_call},
    HostCheck{"client-state-echoed", "input-required state-only", echoes_state, no_second_call},
    HostCheck{"client-state-not-invented", "input-without-state", invents_no_state, no_second_call},
    HostCheck{"client-retry-new-id", "input-required input-without-state state-only rounds", new_id, no_second_call},
    HostCheck{"client-retry-same-call", "input-required input-without-state state-only rounds", same_call,
              no_second_call},
    HostCheck{"client-state-only-called-again", "state-only", calls_again, no_call},
    HostCheck{"client-rounds-state", "rounds", newest_state, no_second_call},
    HostCheck{"client-rounds-go-on", "rounds", goes_round, no_second_call},
    HostCheck{"client-unknown-input-not-answered", "undeclared-input", invents_no_answer, no_call},
    HostCheck{"client-endless-rounds-end", "endless-input", rounds_end, no_second_call},
    HostCheck{"client-unknown-result-type", "odd-result-type", odd_type_refused, modern_shows_nothing},
    HostCheck{"client-absent-result-type", "no-result-type", no_type_is_complete, modern_shows_nothing},
    HostCheck{"client-forbidden-request", "forbidden-request", forbidden_request, modern_shows_nothing},
    HostCheck{"client-listen-params", "*", subscription_shape, "the host opened no subscription"},
    HostCheck{"client-subscription-heard", "subscription", hears_subscription,
              "the host did not ask to hear of changes of the tools, or ended with the change"},
};

}  // namespace

std::span<const HostCheck> modern_host_checks() { return all_modern_checks; }

}  // namespace toolwire::conformance
