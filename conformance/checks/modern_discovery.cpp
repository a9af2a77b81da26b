// server/discover (2026-07-28 server/discover).
#include <algorithm>
#include <cctype>

#include "checks/modern_metadata.hpp"

namespace toolwire::conformance {
namespace {

void implemented(Probe& probe) {
  Session& session = probe.fresh();
  probe.expect_result(session.request("server/discover"), "server/discover as the first message");
}

void discovery_shape(Probe& probe) {
  const Json& result = probe.offer().opening;
  const JsonArray* versions = get(result, "supportedVersions").if_array();
  probe.expect(versions != nullptr &&
                   std::all_of(versions->begin(), versions->end(), [](const Json& it) { return it.is_string(); }),
               "supportedVersions, an array of strings", shown(result));
  probe.expect(get(result, "capabilities").is_object(), "capabilities, an object", shown(result));
  const Json& ttl = get(result, "ttlMs");
  probe.expect(ttl.is_number() && ttl.to_number<double>() >= 0, "ttlMs, a number of milliseconds", shown(result));
  const std::string_view scope = text_of(get(result, "cacheScope"));
  probe.expect(scope == "public" || scope == "private", "cacheScope, public or private", shown(result));
  probe.expect(get(result, "resultType").is_string(), "resultType, a string", shown(result));
}

void lists_requested_version(Probe& probe) {
  Session& session = probe.session();
  const Json& listed = get(probe.offer().opening, "supportedVersions");
  const JsonArray& versions = listed.as_array();
  probe.expect(std::find(versions.begin(), versions.end(), Json(probe.revision().name)) != versions.end(),
               "the revision that was accepted", shown(listed));
  for (const Json& version : versions) {
    if (text_of(version) < "2026") continue;  // a legacy revision is not for requests
    const JsonObject meta{{"io.modelcontextprotocol/protocolVersion", version}};
    probe.expect_result(session.request("server/discover", {{"_meta", meta}}), "a request in " + shown(version));
  }
}

void capabilities_truthful(Probe& probe) {
  Session& session = probe.session();
  const std::pair<std::string_view, std::string_view> features[] = {
      {"tools", "tools/list"}, {"resources", "resources/list"}, {"prompts", "prompts/list"}};
  for (const auto& [capability, method] : features) {
    const Answer answer = session.request(method);
    if (probe.offer().has(capability)) {
      probe.expect_result(answer, std::string(method) + ", which is declared,");
    } else {  // a list of nothing is no feature
      const JsonArray* items = get(answer.result, capability).if_array();
      probe.expect(!answer.ok() || (items != nullptr && items->empty()),
                   "nothing from " + std::string(method) + ", which is not declared", shown(answer.result));
    }
  }
}

void independent_of_client_caps(Probe& probe) {
  Session& session = probe.opened();
  session.options().capabilities = {};
  probe.expect_result(session.request("server/discover"), "server/discover with empty capabilities");
}

void discovery_instructions_string(Probe& probe) {
  const Json* instructions = probe.offer().opening.as_object().if_contains("instructions");
  probe.expect(instructions == nullptr || instructions->is_string(), "a string, or no member",
               shown(probe.offer().opening));
}

bool is_label(std::string_view label) {
  const auto alphanumeric = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  return !label.empty() && std::isalpha(static_cast<unsigned char>(label.front())) != 0 && alphanumeric(label.back()) &&
         std::all_of(label.begin(), label.end(), [&](char c) { return alphanumeric(c) || c == '-'; });
}

/// prefix/name, the prefix made of labels with dots between them (basic, _meta).
bool is_extension_key(std::string_view key) {
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos || slash + 1 == key.size()) return false;
  std::string_view prefix = key.substr(0, slash);
  while (true) {
    const std::size_t dot = std::min(prefix.find('.'), prefix.size());
    if (!is_label(prefix.substr(0, dot))) return false;
    if (dot == prefix.size()) return true;
    prefix.remove_prefix(dot + 1);
  }
}

void ext_id_format(Probe& probe) {
  const Json* extensions = probe.offer().capabilities.if_contains("extensions");
  if (extensions == nullptr) probe.skip("the server declares no extension");
  probe.expect(extensions->is_object(), "extensions, an object", shown(*extensions));
  for (const auto& [key, value] : extensions->get_object())
    probe.expect(is_extension_key(key) && value.is_object(), "keys with a prefix, and objects", shown(*extensions));
}

void ext_fallback(Probe& probe) {
  const Callable tool = probe.need_tool("tool:task", "SECONDS", 0);
  const Answer answer = probe.opened().request("tools/call", tool.params());
  if (answer.is_error()) return probe.expect_error(answer, {-32021}, "a call without the extension");
  probe.expect_result(answer, "a call without the extension");
  probe.expect(text_of(get(answer.result, "resultType")) != "task", "a result of the core protocol",
               shown(answer.result));
}

}  // namespace

std::span<const Check> modern_discovery_checks() {
  static constexpr Check checks[] = {
      {"discover-implemented", implemented},
      {"discover-shape", discovery_shape},
      {"discover-lists-requested-version", lists_requested_version},
      {"discover-capabilities-truthful", capabilities_truthful},
      {"discover-independent-of-client-caps", independent_of_client_caps},
      {"discover-instructions-string", discovery_instructions_string},
      {"ext-id-format", ext_id_format},
      {"ext-fallback", ext_fallback},
  };
  return checks;
}

}  // namespace toolwire::conformance
