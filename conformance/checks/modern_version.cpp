// Unknown versions (2026-07-28 basic, versioning) and removed methods.
#include <algorithm>
#include <array>

#include <toolwire/error.hpp>

#include "checks/modern_metadata.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::array unknown_versions{"1900-01-01", "2999-01-01", "", "DRAFT-2099"};

/// Over HTTP an empty version would be an empty header, which may be called missing.
bool can_be_sent(const Probe& probe, std::string_view version) {
  return !version.empty() || !probe.target().launch.http;
}

Answer at_version(Session& session, std::string_view version, std::string_view method = "server/discover") {
  return session.request(method, {{"_meta", {{"io.modelcontextprotocol/protocolVersion", version}}}});
}

/// An empty text may be taken for a version that is missing.
bool says_it_is_missing(std::string_view version, const Answer& answer) {
  return version.empty() && answer.code() == error_code::invalid_params;
}

void unsupported_error(Probe& probe) {
  Session& session = probe.opened();
  for (std::string_view version : unknown_versions) {
    if (!can_be_sent(probe, version)) continue;
    for (std::string_view method : {"server/discover", "tools/list"}) {
      if (method == "tools/list" && !probe.offer().has("tools")) continue;  // unknown at any version
      const Answer answer = at_version(session, version, method);
      if (says_it_is_missing(version, answer)) continue;
      probe.expect_error(answer, {error_code::unsupported_protocol_version},
                         std::string(method) + " at the version \"" + std::string(version) + "\"");
    }
  }
}

void error_data(Probe& probe) {
  Session& session = probe.opened();
  for (std::string_view version : unknown_versions) {
    if (!can_be_sent(probe, version)) continue;
    const Answer answer = at_version(session, version);
    if (says_it_is_missing(version, answer)) continue;
    probe.expect_error(answer, {error_code::unsupported_protocol_version}, "an unknown version");
    const JsonArray* supported = get(answer.result, "data", "supported").if_array();
    const std::string got = to_json_text(answer.result).substr(0, 500);
    probe.expect(supported != nullptr && !supported->empty() && supported->front().is_string(),
                 "data.supported, an array of at least one string", got);
    probe.expect(get(answer.result, "data", "requested") == Json(version), "data.requested, the version that was sent",
                 got);
  }
}

void error_list_consistent(Probe& probe) {
  Session& session = probe.opened();
  const Answer answer = at_version(session, "2999-01-01");
  const JsonArray* supported = get(answer.result, "data", "supported").if_array();
  if (supported == nullptr) probe.skip("the error has no list");
  JsonArray in_error = *supported;
  JsonArray in_discover = get(probe.offer().opening, "supportedVersions").as_array();
  auto by_text = [](const Json& a, const Json& b) { return text_of(a) < text_of(b); };
  std::sort(in_error.begin(), in_error.end(), by_text);
  std::sort(in_discover.begin(), in_discover.end(), by_text);
  probe.expect(in_error == in_discover, "the list of server/discover " + to_json_text(in_discover),
               to_json_text(in_error));
  for (const Json& version : in_error) {
    if (text_of(version) < "2026") continue;  // a legacy revision is not for requests
    probe.expect_result(at_version(session, text_of(version)), "a request at a version from the list");
  }
}

void error_no_state(Probe& probe) {
  Session& session = probe.opened();
  for (int round = 0; round < 2; ++round) {
    probe.expect_error(at_version(session, "2999-01-01"), {error_code::unsupported_protocol_version},
                       "an unknown version");
    probe.expect_result(session.request("server/discover"), "the next request");
  }
}

void gone(Probe& probe, std::string_view method, JsonObject params = {}) {
  probe.expect_error(probe.session().request(method, std::move(params)), {error_code::method_not_found},
                     std::string(method));
}

void removed_ping(Probe& probe) { gone(probe, "ping"); }
void removed_set_level(Probe& probe) { gone(probe, "logging/setLevel", {{"level", "info"}}); }
void removed_subscribe(Probe& probe) { gone(probe, "resources/subscribe", {{"uri", "test://watched-resource"}}); }
void removed_unsubscribe(Probe& probe) { gone(probe, "resources/unsubscribe", {{"uri", "test://watched-resource"}}); }

void removed_notifications(Probe& probe) {
  Session& session = probe.opened();
  const std::size_t before = session.mark();
  session.notify("notifications/roots/list_changed");
  session.notify("notifications/initialized");
  probe.expect_alive(session);
  probe.expect(session.mark() == before + 1, "no answer to these notifications",
               session.messages()[before].text.substr(0, 300));
}

void retired_codes(Probe& probe) {
  if (!probe.offer().has("resources") && !probe.find("tool:needs-elicitation-url"))
    probe.skip("the server has neither resources nor a tool that asks for a page");
  Session& session = probe.opened();
  auto judge = [&](const Answer& answer) {
    probe.expect(answer.code() != -32002 && answer.code() != -32042, "neither -32002 nor -32042", answer.text());
  };
  if (probe.offer().has("resources")) judge(session.request("resources/read", {{"uri", "conformance://nothing"}}));
  if (!probe.find("tool:needs-elicitation-url")) return;
  const Callable page = probe.need_tool("tool:needs-elicitation-url");
  judge(session.request("tools/call", page.params()));
  session.options().capabilities = all_capabilities(probe.revision());  // a client that can open it
  judge(session.request("tools/call", page.params()));
}

}  // namespace

std::span<const Check> modern_version_checks() {
  static constexpr Check checks[] = {
      {"version-unsupported-error", unsupported_error},
      {"version-error-data", error_data},
      {"version-error-list-consistent", error_list_consistent},
      {"version-error-no-state", error_no_state},
  };
  return checks;
}

std::span<const Check> modern_removed_checks() {
  static constexpr Check checks[] = {
      {"removed-ping", removed_ping},
      {"removed-logging-setlevel", removed_set_level},
      {"removed-resources-subscribe", removed_subscribe},
      {"removed-resources-unsubscribe", removed_unsubscribe},
      {"removed-roots-list-changed", removed_notifications},
      {"errcode-retired", retired_codes},
  };
  return checks;
}

}  // namespace toolwire::conformance
