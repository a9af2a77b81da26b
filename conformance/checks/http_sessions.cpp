// Streamable HTTP: sessions and versions of the handshake revisions, and what 2026-07-28 has left of them.
#include "checks/http.hpp"

#include <algorithm>

namespace toolwire::conformance {
namespace {

using namespace http;

const std::string& need_session(const Probe& probe, const HttpPeer& peer) {
  if (peer.session().empty()) probe.skip("the server assigns no session id");
  return peer.session();
}

void id_visible(Probe& probe) {
  const std::string& id = need_session(probe, probe.opened_peer());
  const bool is_visible = std::ranges::all_of(id, [](unsigned char c) { return c >= 0x21 && c <= 0x7E; });
  probe.expect(is_visible, "a session id of visible ASCII characters", id);
}

void ids_differ(Probe& probe) {
  const std::string first = need_session(probe, probe.opened_peer());
  const std::string& second = need_session(probe, probe.opened_peer());
  probe.expect(first != second, "another id for another session", second);
}

void id_needed(Probe& probe) {
  HttpPeer& peer = probe.opened_peer();
  need_session(probe, peer);
  HttpRequest request = peer.post("ping");
  request.remove(session_header);
  const HttpReply reply = peer.send(request);
  if (!is_error_status(reply.status)) return;  // it requires none
  probe.expect(reply.status == 400, "status 400 to a request without Mcp-Session-Id", reply.text());
}

void ended_404(Probe& probe) {
  HttpPeer& peer = probe.opened_peer();
  need_session(probe, peer);
  const HttpReply end = peer.send(peer.bare("DELETE"));
  if (end.status == 405) probe.skip("the server does not let clients end sessions");
  if (end.status < 200 || end.status > 299) probe.skip("DELETE did not end the session: " + end.text());
  const HttpReply reply = peer.send(peer.post("ping"));
  probe.expect(reply.status == 404, "status 404 to a request in a session that was ended", reply.text());
}

void version_unsupported(Probe& probe) {
  HttpPeer& peer = probe.opened_peer();
  for (const char* version : {"1999-01-01", "no-version"}) {
    HttpRequest request = peer.post("ping");
    request.set(version_header, version);
    const HttpReply reply = peer.send(request);
    probe.expect(reply.status == 400, std::string("status 400 to MCP-Protocol-Version: ") + version, reply.text());
  }
}

void version_absent(Probe& probe) {
  if (!serves(probe, "2025-03-26")) probe.skip("the server does not serve 2025-03-26");
  HttpPeer& peer = probe.opened_peer();
  HttpRequest request = peer.post("ping");
  request.remove(version_header);
  served(probe, peer, request, "a result of a request without MCP-Protocol-Version");
}

void get_stream(Probe& probe) {
  HttpPeer& peer = probe.opened_peer();
  HttpExchange& stream = peer.start(peer.bare("GET"));
  peer.wait([&] { return stream.reply().has_headers || stream.is_over(); });
  const HttpReply& reply = stream.reply();
  probe.expect(reply.status == 405 || (reply.status == 200 && reply.is_event_stream()),
               "a text/event-stream or status 405 to GET", reply.text());
}

/// The rules for what older clients send are made for servers that serve none of them.
void need_modern_only(const Probe& probe) {
  if (probe.target().serves_legacy()) probe.skip("the server serves earlier revisions, too");
}

void is_not_allowed(Probe& probe, const char* method) {
  need_modern_only(probe);
  HttpPeer& peer = probe.peer();
  const HttpReply reply = peer.send(peer.bare(method));
  probe.expect(reply.status == 405, std::string("status 405 to ") + method, reply.text());
}

void get_405(Probe& probe) { is_not_allowed(probe, "GET"); }
void delete_405(Probe& probe) { is_not_allowed(probe, "DELETE"); }

void not_minted(Probe& probe) {
  need_modern_only(probe);
  HttpPeer& peer = probe.peer();
  HttpRequest without = peer.post("server/discover");
  HttpRequest with = peer.post("server/discover");
  with.set(session_header, "conformance-session");
  for (const HttpRequest& request : {without, with}) {
    const HttpReply reply = peer.send(request);
    const std::string* id = reply.header(session_header);
    probe.expect(id == nullptr, "a reply without Mcp-Session-Id", id != nullptr ? *id : "");
  }
}

void session_ignored(Probe& probe) {
  need_modern_only(probe);
  HttpPeer& peer = probe.peer();
  HttpRequest request = peer.post("server/discover");
  request.set(session_header, "conformance-session");
  request.set("Last-Event-ID", "conformance-event");
  served(probe, peer, request, "a result of a request with Mcp-Session-Id and Last-Event-ID");
}

}  // namespace

std::span<const Check> http_session_checks() {
  static constexpr Check checks[] = {
      {"http-session-id-visible", id_visible},
      {"http-session-ids-differ", ids_differ},
      {"http-session-id-needed", id_needed},
      {"http-session-ended-404", ended_404},
      {"http-version-header-unsupported", version_unsupported},
      {"http-version-header-absent", version_absent},
      {"http-get-stream", get_stream},
      {"http-get-405", get_405},
      {"http-delete-405", delete_405},
      {"http-session-not-minted", not_minted},
      {"http-session-header-ignored", session_ignored},
  };
  return checks;
}

}  // namespace toolwire::conformance
