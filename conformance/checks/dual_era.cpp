// Servers and clients of both eras on one process (2026-07-28 basic, versioning; basic/transports/stdio, backward
// compatibility).
#include <algorithm>
#include <cstdint>

#include "checks/groups.hpp"

namespace toolwire::conformance {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view modern_name = "2026-07-28";

bool serves_legacy(const Probe& probe) {
  return std::any_of(revisions.begin(), revisions.end(), [&](const Revision& revision) {
    auto offer = probe.target().offers.find(revision.name);
    return !revision.modern && offer != probe.target().offers.end() && offer->second.served;
  });
}

bool serves_modern(const Probe& probe) {
  auto offer = probe.target().offers.find(modern_name);
  return offer != probe.target().offers.end() && offer->second.served;
}

JsonObject handshake(std::string_view version) {
  return {{"protocolVersion", version},
          {"capabilities", JsonObject{}},
          {"clientInfo", {{"name", "toolwire-conformance"}, {"version", TOOLWIRE_VERSION}}}};
}

/// A run of the server in which both eras are spoken, so that the rules of one do not judge it.
Session& mixed_session(Probe& probe) {
  Session& session = probe.fresh();
  probe.do_not_judge(session);
  return session;
}

/// A request exactly as given, without what the session's revision would add.
Answer bare_request(Session& session, const Json& id, std::string_view method, const JsonObject& params) {
  session.send_line(to_json_text(JsonObject{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}}));
  return session.await(id);
}

JsonObject modern_params() {
  return {{"_meta",
           {{"io.modelcontextprotocol/protocolVersion", modern_name},
            {"io.modelcontextprotocol/clientCapabilities", JsonObject{}}}}};
}

void modern_only_rejects_initialize(Probe& probe) {
  if (serves_legacy(probe)) probe.skip("the server serves legacy revisions, too");
  Session& session = mixed_session(probe);
  const Answer answer = bare_request(session, "handshake", "initialize", handshake("2025-11-25"));
  probe.expect_answer(answer, "initialize");
  probe.expect(answer.is_error(), "an error", answer.text());
  probe.expect_alive(session);
}

void modern_only_names_versions(Probe& probe) {
  if (serves_legacy(probe)) probe.skip("the server serves legacy revisions, too");
  Session& session = mixed_session(probe);
  const Answer answer = bare_request(session, "handshake", "initialize", handshake("2025-11-25"));
  probe.expect(to_json_text(answer.result).find(modern_name) != std::string::npos,
               "an error that names a version, " + std::string(modern_name),
               to_json_text(answer.result).substr(0, 300));
}

void dual_initialize_works(Probe& probe) {
  if (!serves_legacy(probe)) probe.skip("the server serves no legacy revision");
  for (const auto& [name, offer] : probe.target().offers) {
    if (offer.revision->modern || !offer.served) continue;
    Session& session = mixed_session(probe);
    const Answer answer = bare_request(session, "handshake", "initialize", handshake(name));
    probe.expect_result(answer, "initialize");
    session.notify("notifications/initialized");
    probe.expect_result(bare_request(session, "after", "ping", {}), "ping in the session of " + std::string(name));
  }
}

void dual_modern_first(Probe& probe) {
  if (!serves_legacy(probe)) probe.skip("the server serves no legacy revision");
  Session& session = mixed_session(probe);
  const std::string_view method = probe.offer().has("tools") ? "tools/list" : "server/discover";
  const Answer answer = session.request(method);
  probe.expect_result(answer, std::string(method) + " without a handshake");
  probe.expect(get(answer.result, "resultType").is_string(), "a result of the modern era",
               to_json_text(answer.result).substr(0, 300));
}

void dual_discover_lists_both(Probe& probe) {
  if (!serves_legacy(probe)) probe.skip("the server serves no legacy revision");
  const JsonArray* listed = get(probe.offer().opening, "supportedVersions").if_array();
  if (listed == nullptr) probe.skip("server/discover lists no versions");
  for (const auto& [name, offer] : probe.target().offers) {
    if (offer.served && std::find(listed->begin(), listed->end(), Json(name)) == listed->end())
      probe.info("server/discover does not list " + std::string(name) + ", which initialize negotiates");
  }
}

void legacy_scope_process(Probe& probe) {
  if (!serves_legacy(probe)) probe.skip("the server serves no legacy revision");
  Session& session = mixed_session(probe);
  probe.expect_result(bare_request(session, "handshake", "initialize", handshake("2025-11-25")), "initialize");
  session.notify("notifications/initialized");
  const std::string_view method = probe.offer().has("tools") ? "tools/list" : "ping";
  const Answer answer = bare_request(session, "after", method, {});
  probe.expect_result(answer, std::string(method) + " without _meta after a handshake");
  probe.expect(get(answer.result, "resultType").is_null(), "a result of the legacy era",
               to_json_text(answer.result).substr(0, 300));
}

/// Clients may cancel a request that was just answered; this says nothing about the era.
void notification_selects_nothing(Probe& probe) {
  Session& session = mixed_session(probe);
  const Json id = session.send_request("server/discover");
  probe.expect_result(session.await(id), "server/discover");
  session.notify("notifications/cancelled", {{"requestId", id}});
  const Answer answer = session.request("server/discover");
  probe.expect_result(answer, "server/discover after notifications/cancelled");
  if (!probe.offer().has("tools")) return;
  const Answer list = session.request("tools/list");
  probe.expect_result(list, "tools/list after notifications/cancelled");
  probe.expect(get(list.result, "resultType").is_string(), "a result of the modern era", shown(list.result));
}

void modern_after_initialize(Probe& probe) {
  if (!serves_legacy(probe)) probe.skip("the server serves no legacy revision");
  Session& session = mixed_session(probe);
  probe.expect_result(bare_request(session, "handshake", "initialize", handshake("2025-11-25")), "initialize");
  session.notify("notifications/initialized");
  const Answer answer = session.request("server/discover");
  probe.expect_answer(answer, "server/discover in a legacy session");
  probe.expect(answer.is_error() || get(answer.result, "resultType").is_string(), "a modern result, or an error",
               answer.text());
}

bool is_modern_code(std::int64_t code) { return code <= -32020 && code >= -32029; }

/// What a tool says to a client that cannot answer it: a result or an error of the session's revision.
void expect_no_modern_code(Probe& probe) {
  Session& session = probe.opened();
  for (std::string_view kind : {"tool:needs-elicitation", "tool:needs-sampling", "tool:needs-roots"}) {
    if (!probe.find(kind)) continue;
    const Callable tool = probe.need_tool(kind);
    const Answer answer = session.request("tools/call", tool.params());
    probe.expect(!is_modern_code(answer.code()),
                 "no code of 2026-07-28 to a call of " + tool.name + ", which the client cannot answer", answer.text());
  }
}

void no_modern_shapes_in_legacy(Probe& probe) {
  expect_no_modern_code(probe);
  const Callable tool = probe.need_tool("tool:needs-elicitation");
  Session& session = probe.opened(all_capabilities(probe.revision()));
  const std::size_t before = session.mark();
  const Answer answer = session.request("tools/call", tool.params());
  probe.expect_answer(answer, "tools/call of " + tool.name);
  probe.expect(text_of(get(answer.result, "resultType")) != "input_required" && !is_modern_code(answer.code()),
               "a request of the server's own", answer.text());
  const bool asked = session.wait_for(
                         before, [](const Message& it) { return it.method() == "elicitation/create"; }, 0ms) != nullptr;
  probe.expect(asked, "elicitation/create", "no request");
}

void initialize_with_modern_version(Probe& probe) {
  Session& session = mixed_session(probe);
  const Answer answer = session.request("initialize", handshake(modern_name));
  probe.expect_answer(answer, "initialize with the modern version");
  const std::string_view offered = text_of(get(answer.result, "protocolVersion"));
  if (offered >= modern_name)
    probe.warn("a legacy version, or an error: the modern one has no handshake", std::string(offered));
}

void legacy_server_survives_probe(Probe& probe) {
  if (serves_modern(probe)) probe.skip("the server serves the modern revision");
  Session& session = mixed_session(probe);
  session.send_line(to_json_text(
      JsonObject{{"jsonrpc", "2.0"}, {"id", "probe"}, {"method", "server/discover"}, {"params", modern_params()}}));
  session.await("probe", probe.after_start(1s));
  const Answer opening = session.request("initialize", handshake(probe.revision().name));
  if (!opening.ok()) probe.broken("an initialize that works after server/discover", opening.text());
}

void probe_not_modern_error(Probe& probe) {
  if (serves_modern(probe)) probe.skip("the server serves the modern revision");
  Session& session = mixed_session(probe);
  session.send_line(to_json_text(
      JsonObject{{"jsonrpc", "2.0"}, {"id", "probe"}, {"method", "server/discover"}, {"params", modern_params()}}));
  const Answer answer = session.await("probe", probe.after_start(1s));
  probe.expect(answer.code() > -32020 || answer.code() < -32099, "no code of the modern era", answer.text());
}

}  // namespace

std::span<const Check> dual_era_checks() {
  static constexpr Check checks[] = {
      {"era-modern-only-rejects-initialize", modern_only_rejects_initialize},
      {"era-modern-only-names-versions", modern_only_names_versions},
      {"era-dual-initialize-works", dual_initialize_works},
      {"era-dual-modern-first", dual_modern_first},
      {"era-dual-discover-lists-both", dual_discover_lists_both},
      {"era-legacy-scope-process", legacy_scope_process},
      {"era-notification-selects-nothing", notification_selects_nothing},
      {"era-modern-after-initialize", modern_after_initialize},
      {"era-no-modern-shapes-in-legacy", no_modern_shapes_in_legacy},
      {"era-initialize-with-modern-version", initialize_with_modern_version},
      {"era-legacy-server-survives-probe", legacy_server_survives_probe},
      {"era-probe-not-modern-error", probe_not_modern_error},
  };
  return checks;
}

}  // namespace toolwire::conformance
