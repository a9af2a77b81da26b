// Streamable HTTP (basic, transports): what a POST is answered with, by the kind of its message.
#include "checks/http.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include <toolwire/error.hpp>

#include "checks/groups.hpp"

namespace toolwire::conformance {
namespace {

using namespace http;

void notification_accepted(Probe& probe) {
  const HttpReply& reply = probe.opened_peer().initialized();
  probe.expect(is_accepted(reply), "status 202 and no body to notifications/initialized", reply.text());
}

/// Either accepted, without a body, or refused.
void accepted_or_refused(Probe& probe, const Json& message, const std::string& what) {
  HttpPeer& peer = probe.opened_peer();
  const HttpReply reply = peer.send(peer.post(message));
  probe.expect(is_accepted(reply) || is_error_status(reply.status),
               "status 202 and no body, or an error status, to " + what, reply.text());
}

void notification_status(Probe& probe) {
  accepted_or_refused(probe, {{"jsonrpc", "2.0"}, {"method", "notifications/conformance-unknown"}},
                      "an unknown notification");
}

void response_accepted(Probe& probe) {
  accepted_or_refused(probe, {{"jsonrpc", "2.0"}, {"id", "never-asked"}, {"result", JsonObject{}}},
                      "a response that nobody waits for");
}

void batch_accepted(Probe& probe) {
  const Json notification{{"jsonrpc", "2.0"}, {"method", "notifications/conformance-unknown"}};
  accepted_or_refused(probe, JsonArray{notification, notification}, "a batch of notifications");
}

void reply_type(Probe& probe) {
  HttpPeer& peer = probe.opened_peer();
  std::vector<HttpReply> replies{probe.modern() ? peer.send(opening(probe, peer)) : peer.open()};
  if (probe.offer().has("tools")) replies.push_back(peer.send(peer.post("tools/list")));
  for (const HttpReply& reply : replies) {
    const std::string type = reply.content_type();
    probe.expect(type == "application/json" || type == "text/event-stream",
                 "a reply of the type application/json or text/event-stream", reply.text());
  }
}

void json_object(Probe& probe) {
  HttpPeer& peer = probe.opened_peer();
  const Json message = peer.message("one-object", harmless(probe));
  const HttpReply reply = peer.send(peer.post(message));
  if (reply.is_event_stream()) probe.skip("the server answers with streams");
  probe.expect(!response_in(reply, "one-object").is_null(), "one object, the response, as the whole body",
               reply.text());
}

void http_unknown_method(Probe& probe) {
  HttpPeer& peer = probe.opened_peer();
  const HttpReply reply = peer.send(peer.post("conformance/does-not-exist"));
  probe.expect(reply.status == 404 && error_code_in(reply) == error_code::method_not_found,
               "status 404 with the error -32601", reply.text());
}

void unsupported_version_400(Probe& probe) {
  HttpPeer& peer = probe.opened_peer();
  const JsonObject meta{{version_in_meta, "1999-01-01"}};
  const HttpReply reply = peer.send(peer.post("server/discover", {{"_meta", meta}}));
  probe.expect(reply.status == 400 && error_code_in(reply) == error_code::unsupported_protocol_version,
               "status 400 with the error -32022", reply.text());
}

void missing_capability_400(Probe& probe) {
  HttpPeer& peer = probe.opened_peer();
  for (std::string_view kind :
       {"tool:needs-missing-capability", "tool:needs-sampling", "tool:needs-elicitation", "tool:needs-roots"}) {
    if (!probe.find(kind)) continue;
    const HttpReply reply = peer.send(peer.post("tools/call", probe.need_tool(kind).params()));
    if (error_code_in(reply) != error_code::missing_client_capability) continue;
    probe.expect(reply.status == 400, "status 400 with the error -32021", reply.text());
    return;
  }
  probe.skip("no tool is known that refuses a client without capabilities by -32021");
}

void body_no_json(Probe& probe) {
  HttpPeer& peer = probe.opened_peer();
  HttpRequest request = peer.post(harmless(probe));
  request.body = R"({"jsonrpc":"2.0","id":)";
  const HttpReply reply = peer.send(request);
  probe.expect(is_error_status(reply.status) || error_code_in(reply) != 0,
               "an error status, or an error message, to half a message", reply.text());
  served(probe, peer, peer.post(harmless(probe)), "a server that goes on after half a message");
}

void response_refused(Probe& probe) {
  HttpPeer& peer = probe.opened_peer();
  const Json message{{"jsonrpc", "2.0"}, {"id", "never-asked"}, {"result", JsonObject{}}};
  const HttpReply reply = peer.send(peer.post(message));
  probe.expect(is_error_status(reply.status), "an error status to a response", reply.text());
  served(probe, peer, peer.post(harmless(probe)), "a server that goes on after a response");
}

void header_names_any_case(Probe& probe) {
  HttpPeer& peer = probe.opened_peer();
  for (const bool in_capitals : {true, false}) {
    const auto change = [&](unsigned char c) {
      return static_cast<char>(in_capitals ? std::toupper(c) : std::tolower(c));
    };
    HttpRequest request = peer.post(harmless(probe));
    for (auto& [name, value] : request.headers) std::ranges::transform(name, name.begin(), change);
    served(probe, peer, request, "a result whatever the case of the names of headers");
  }
}

/// Accept is a list, and a media type may have parameters (RFC 9110, sections 8.3.1 and 12.5.1).
void headers_in_other_forms(Probe& probe) {
  HttpPeer& peer = probe.opened_peer();
  for (const auto& [name, value] : {std::pair("Accept", "text/event-stream, application/json"),
                                    std::pair("Accept", "application/json;q=0.9,text/event-stream;q=0.8"),
                                    std::pair("Content-Type", "application/json; charset=utf-8")}) {
    HttpRequest request = peer.post(harmless(probe));
    request.set(name, value);
    served(probe, peer, request, "a result of a request with " + std::string(name) + ": " + value);
  }
}

constexpr Check message_checks[] = {
    {"http-notification-accepted", notification_accepted},
    {"http-notification-status", notification_status},
    {"http-response-accepted", response_accepted},
    {"http-batch-accepted", batch_accepted},
    {"http-reply-type", reply_type},
    {"http-json-object", json_object},
    {"http-unknown-method-404", http_unknown_method},
    {"http-unsupported-version-400", unsupported_version_400},
    {"http-missing-capability-400", missing_capability_400},
    {"http-body-no-json", body_no_json},
    {"http-response-refused", response_refused},
    {"http-header-names-any-case", header_names_any_case},
    {"http-header-names-any-case-legacy", header_names_any_case},
    {"http-header-forms", headers_in_other_forms},
};

}  // namespace

std::span<const Check> http_checks() {
  static const std::vector<Check> all = [] {
    std::vector<Check> checks(std::begin(message_checks), std::end(message_checks));
    for (const auto part : {http_caller_checks(), http_header_checks(), http_session_checks(), http_stream_checks()})
      checks.insert(checks.end(), part.begin(), part.end());
    return checks;
  }();
  return all;
}

}  // namespace toolwire::conformance
