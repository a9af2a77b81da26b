// What the checks of Streamable HTTP share: their parts, and how replies are judged.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "probe/check.hpp"

namespace toolwire::conformance {

std::span<const Check> http_caller_checks();
std::span<const Check> http_header_checks();
std::span<const Check> http_session_checks();
std::span<const Check> http_stream_checks();

namespace http {

constexpr int header_mismatch = -32020;

inline bool is_error_status(int status) { return status >= 400 && status <= 599; }
inline bool is_accepted(const HttpReply& reply) { return reply.status == 202 && reply.body.empty(); }

/// Whether the reply is a response to that request with a result.
inline bool is_result(const HttpReply& reply, const Json& id) {
  return get(response_in(reply, id), "result").is_object();
}

/// Sends a request that must be served; fails with `expected` if it is not.
inline HttpReply served(Probe& probe, HttpPeer& peer, const HttpRequest& request, const std::string& expected) {
  HttpReply reply = peer.send(request);
  if (reply.status == 0) probe.broken(expected, reply.text());
  const auto messages = messages_in(reply);
  const bool has_result =
      std::ranges::any_of(messages, [](const Message& it) { return it.member("result").is_object(); });
  probe.expect(has_result, expected,
               reply.is_event_stream() && !messages.empty() ? messages.back().text : reply.text());
  return reply;
}

/// Something whose reply every server gives at once.
inline HttpRequest opening(const Probe& probe, HttpPeer& peer) {
  if (probe.modern()) return peer.post("server/discover");
  return peer.post("initialize", {{"protocolVersion", probe.revision().name},
                                  {"capabilities", JsonObject{}},
                                  {"clientInfo", {{"name", "toolwire-conformance"}, {"version", TOOLWIRE_VERSION}}}});
}

/// Whether the server serves that revision.
inline bool serves(const Probe& probe, std::string_view revision) {
  const auto offer = probe.target().offers.find(revision);
  return offer != probe.target().offers.end() && offer->second.served;
}

}  // namespace http
}  // namespace toolwire::conformance
