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

/// Answers the question of a fixture with an error, which a responder cannot give; the call has to be answered.
inline void refuse(Probe& probe, std::string_view kind, int code, std::string_view message) {
  const Callable tool = probe.need_tool(kind);
  Session& session = probe.opened(everything(probe));
  session.respond_with(nullptr);
  const std::size_t before = session.mark();
  const Json call = session.send_request("tools/call", tool.params());
  const Message* request = session.wait_for(before, is_request, probe.timeout());
  if (request == nullptr) probe.skip("the tool asks nothing");
  session.send_line(to_json_text(JsonObject{
      {"jsonrpc", "2.0"}, {"id", request->id().value()}, {"error", {{"code", code}, {"message", message}}}}));
  probe.expect_answer(session.await(call), "a call whose question was refused");
}

}  // namespace server_requests

}  // namespace toolwire::conformance
