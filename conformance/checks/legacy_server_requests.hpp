// What the checks of the server's own requests share.
#pragma once

#include <algorithm>
#include <vector>

#include "probe/check.hpp"
#include "probe/questions.hpp"

namespace toolwire::conformance {

std::span<const Check> legacy_server_requests_flow_checks();

namespace server_requests {

inline bool is_request(const Message& it) { return it.kind == Message::Kind::request && it.method() != "ping"; }

/// The requests of the server during one call of a fixture, answered by `responder`.
struct Asked {
  Answer answer;
  std::vector<Message> requests;
};

inline Asked ask(Probe& probe, std::string_view kind, JsonObject capabilities,
                 const Session::Responder& responder = default_response) {
  const Callable tool = probe.need_tool(kind);
  Session& session = probe.opened(std::move(capabilities));
  session.respond_with(responder);
  const std::size_t before = session.mark();
  Asked asked{session.request("tools/call", tool.params()), {}};
  probe.expect_answer(asked.answer, "tools/call of " + tool.name);
  for (std::size_t i = before; i < session.mark(); ++i) {
    if (is_request(session.messages()[i])) asked.requests.push_back(session.messages()[i]);
  }
  return asked;
}

inline JsonObject everything(const Probe& probe) { return all_capabilities(probe.revision()); }

}  // namespace server_requests

}  // namespace toolwire::conformance
