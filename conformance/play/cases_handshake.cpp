// How a session is opened: every revision, wrong answers to the first request, and servers that offer less.
#include <array>

#include <toolwire/error.hpp>

#include "play/cases.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::chrono::milliseconds slow_answer{600};

void plain(Stage& stage) { stage.finish(); }

/// Answers `initialize` with these members, and then serves whatever comes.
void open_with(Stage& stage, JsonObject members) {
  stage.served().opening = std::move(members);
  const Message opening = stage.await("initialize");
  stage.note(note::stimulus);
  stage.serve(opening);
  stage.note(note::answered);
  stage.serve_for(stage.settings().wait / 2);
  stage.finish();
}

void version_unknown(Stage& stage) { open_with(stage, {{"protocolVersion", "1999-01-01"}}); }
void version_later(Stage& stage) { open_with(stage, {{"protocolVersion", "2999-12-31"}}); }
void version_number(Stage& stage) { open_with(stage, {{"protocolVersion", 20250618}}); }

void opening_error(Stage& stage) {
  const Message opening = stage.await("initialize");
  stage.note(note::stimulus);
  stage.send(error_response(opening.id().value_or(nullptr), error_code::invalid_params, "Unsupported protocol version",
                            JsonObject{{"supported", JsonArray{Json("1999-01-01")}}}));
  stage.note(note::answered);
  stage.serve_for(stage.settings().wait / 2);
  stage.finish();
}

void opening_slow(Stage& stage) {
  const Message opening = stage.await(stage.modern() ? "server/discover" : "initialize");
  stage.note(note::stimulus);
  stage.serve_for(slow_answer);
  stage.answer(opening);
  stage.finish();
}

void opening_ping(Stage& stage) {
  const Message opening = stage.await("initialize");
  stage.note(note::stimulus);
  stage.probe();
  stage.answer(opening);
  stage.finish();
}

void opening_log(Stage& stage) {
  const Message opening = stage.await("initialize");
  stage.note(note::stimulus);
  stage.send(notification("notifications/message", {{"level", "info"}, {"data", "it starts"}}));
  stage.answer(opening);
  stage.probe();
  stage.finish();
}

void offers_tools_only(Stage& stage) {
  stage.served().capabilities = {{"tools", JsonObject{}}};
  stage.finish();
}

void offers_nothing(Stage& stage) {
  stage.served().capabilities = {};
  stage.finish();
}

bool is_opening(const Message& it) { return it.method() == "server/discover" || it.method() == "initialize"; }

/// The first message of a host that speaks 2026-07-28 as well, and nothing if it begins with the handshake.
std::optional<Message> discovery(Stage& stage) {
  std::optional<Message> first = stage.serve_until(is_opening, stage.settings().wait * 5);
  if (first && first->method() == "server/discover") {
    stage.note(note::stimulus);
    return first;
  }
  if (first) stage.serve(*first);
  return std::nullopt;
}

void discovery_silent(Stage& stage) {
  if (discovery(stage)) stage.serve_for(std::chrono::milliseconds{1});
  stage.serve_for(stage.settings().wait);
  stage.finish();
}

void discovery_error(Stage& stage) {
  if (const auto first = discovery(stage))
    stage.send(error_response(first->id().value_or(nullptr), error_code::invalid_params, "initialize comes first"));
  stage.finish();
}

void discovery_ends(Stage& stage) {
  if (discovery(stage)) stage.end(1);
  stage.finish();
}

/// Modern, but of a revision that no host speaks.
void no_common_version(Stage& stage) {
  if (const auto first = discovery(stage)) {
    const JsonObject versions{{"supported", JsonArray{Json("2099-01-01")}}, {"requested", "2026-07-28"}};
    for (std::optional<Message> it = first; it; it = stage.next(stage.settings().wait / 2)) {
      if (it->kind == Message::Kind::request)
        stage.send(error_response(it->id().value_or(nullptr), error_code::unsupported_protocol_version,
                                  "Unsupported protocol version", versions));
    }
  }
  stage.finish();
}

void unknown_members(Stage& stage) {
  const JsonObject odd{{"toolwire/odd", JsonArray{Json(1), Json(nullptr)}}};
  stage.served().opening = {{"toolwireOdd", odd}, {"instructions", "Use the tool."}};
  stage.served().capabilities["toolwireOdd"] = odd;
  stage.served().capabilities["experimental"] = JsonObject{{"toolwire/odd", odd}};
  for (Json& tool : stage.served().tools) tool.as_object()["toolwireOdd"] = odd;
  stage.note(note::stimulus);
  const Message main = stage.await(stage.settings().main);
  stage.probe();
  stage.answer(main);
  stage.finish();
}

constexpr std::array all_handshake_cases{
    Case{"plain", Played::every, "a correct server", plain},
    Case{"version-unknown", Played::legacy, "answers initialize with the revision 1999-01-01", version_unknown},
    Case{"version-later", Played::legacy, "answers initialize with the revision 2999-12-31", version_later},
    Case{"version-number", Played::legacy, "answers initialize with a number as revision", version_number},
    Case{"opening-error", Played::legacy, "answers initialize with an error", opening_error},
    Case{"opening-slow", Played::newest, "answers the first request after 600 ms", opening_slow},
    Case{"opening-ping", Played::legacy, "sends a ping before it answers initialize", opening_ping},
    Case{"opening-log", Played::legacy, "sends a log message before it answers initialize", opening_log},
    Case{"tools-only", Played::newest, "offers tools and nothing else", offers_tools_only},
    Case{"nothing-offered", Played::newest, "offers nothing", offers_nothing},
    Case{"discovery-silent", Played::legacy, "does not answer server/discover", discovery_silent},
    Case{"discovery-error", Played::legacy, "answers server/discover with -32602", discovery_error},
    Case{"discovery-ends", Played::legacy, "ends at server/discover, and serves initialize", discovery_ends},
    Case{"no-common-version", Played::modern, "refuses every revision but 2099-01-01", no_common_version},
    Case{"unknown-members", Played::newest, "has members in its answers that no revision knows", unknown_members},
};

}  // namespace

std::span<const Case> handshake_cases() { return all_handshake_cases; }

}  // namespace toolwire::conformance
