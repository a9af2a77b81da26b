// The metadata of each request (2026-07-28 basic, _meta).
#include <algorithm>
#include <vector>

#include <toolwire/error.hpp>

#include "checks/modern_metadata.hpp"
#include "checks/subscriptions.hpp"
#include "driver/arguments.hpp"
#include "probe/lists.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::string_view version_key = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view capabilities_key = "io.modelcontextprotocol/clientCapabilities";

/// A request exactly as given: nothing is added to its params.
Answer raw_request(Session& session, std::string_view method, const JsonObject& params) {
  static thread_local std::int64_t next = 500'000;
  const Json id = ++next;
  session.send_line(to_json_text(JsonObject{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}}));
  return session.await(id);
}

JsonObject with_meta(JsonObject meta) { return {{"_meta", std::move(meta)}}; }
JsonObject full_meta(const Probe& probe) {
  return {{version_key, probe.revision().name}, {capabilities_key, JsonObject{}}};
}

std::vector<std::string_view> methods_of(const Probe& probe) {
  std::vector<std::string_view> methods{"server/discover"};
  const std::pair<std::string_view, std::vector<std::string_view>> by_capability[] = {
      {"tools", {"tools/list", "tools/call"}},
      {"resources", {"resources/list", "resources/templates/list", "resources/read"}},
      {"prompts", {"prompts/list", "prompts/get"}},
      {"completions", {"completion/complete"}}};
  for (const auto& [capability, names] : by_capability) {
    if (probe.offer().has(capability)) methods.insert(methods.end(), names.begin(), names.end());
  }
  methods.emplace_back("subscriptions/listen");
  return methods;
}

/// A request that the server has, with tools or without.
std::string_view served_request(const Probe& probe) {
  return probe.offer().has("tools") ? "tools/list" : "server/discover";
}

void missing_rejected(Probe& probe) {
  Session& session = probe.opened();
  for (std::string_view method : {"server/discover", "tools/list", "tools/call"}) {
    if (method.starts_with("tools/") && !probe.offer().has("tools")) continue;  // unknown, with metadata or without
    probe.expect_error(raw_request(session, method, {}), {error_code::invalid_params},
                       std::string(method) + " without _meta");
  }
}

void missing_version_rejected(Probe& probe) {
  Session& session = probe.opened();
  const std::string_view method = served_request(probe);
  probe.expect_error(raw_request(session, method, with_meta({{capabilities_key, JsonObject{}}})),
                     {error_code::invalid_params}, std::string(method) + " without a protocol version");
}

void missing_capabilities_rejected(Probe& probe) {
  Session& session = probe.opened();
  const std::string_view method = served_request(probe);
  probe.expect_error(raw_request(session, method, with_meta({{version_key, probe.revision().name}})),
                     {error_code::invalid_params}, std::string(method) + " without client capabilities");
}

/// Of the first tool that may be called.
JsonObject params_of_a_call(const Probe& probe) {
  for (const Json& tool : probe.offer().tools) {
    const std::string_view name = text_of(get(tool, "name"));
    if (!probe.target().may_call(name)) continue;
    if (auto arguments = arguments_for(get(tool, "inputSchema")))
      return {{"name", name}, {"arguments", std::move(*arguments)}};
  }
  return {};
}

/// Each argument is a text.
JsonObject params_of_a_prompt(const Probe& probe) {
  if (probe.offer().prompts.empty()) return {};
  const Json& prompt = probe.offer().prompts.front();
  JsonObject arguments;
  if (const JsonArray* declared = get(prompt, "arguments").if_array()) {
    for (const Json& argument : *declared) arguments[text_of(get(argument, "name"))] = "text";
  }
  return {{"name", get(prompt, "name")}, {"arguments", std::move(arguments)}};
}

/// What the method would be served with: who refuses it has looked at the metadata. Empty where nothing is known that
/// fits.
JsonObject fitting_params(const Probe& probe, std::string_view method) {
  if (method == "tools/call") return params_of_a_call(probe);
  if (method == "prompts/get") return params_of_a_prompt(probe);
  if (method == "resources/read" && !probe.offer().resources.empty())
    return {{"uri", get(probe.offer().resources.front(), "uri")}};
  if (method == "subscriptions/listen") return {{"notifications", {{"toolsListChanged", true}}}};
  if (const auto fixture = probe.find("completion:prompt"); fixture && method == "completion/complete")
    return {{"ref", get(fixture->entry, "ref")},
            {"argument", {{"name", get(fixture->entry, "argument")}, {"value", ""}}}};
  return {};
}

void every_method_validated(Probe& probe) {
  Session& session = probe.opened();
  for (std::string_view method : methods_of(probe)) {
    JsonObject params = fitting_params(probe, method);
    params["_meta"] = JsonObject{{version_key, probe.revision().name}};
    const Answer answer = raw_request(session, method, params);
    if (method == "subscriptions/listen" && answer.is_error() && !subscribing::declares_changes(probe.offer()))
      continue;
    if (answer.code() == error_code::method_not_found && method == "subscriptions/listen") {
      params["_meta"] = full_meta(probe);  // what is not there may be unknown first
      if (raw_request(session, method, params).code() == error_code::method_not_found) continue;
    }
    probe.expect_error(answer, {error_code::invalid_params}, std::string(method) + " without client capabilities");
  }
}

void wrong_types_rejected(Probe& probe) {
  Session& session = probe.opened();
  auto refused = [&](const JsonObject& params) {
    const std::string what = "server/discover with " + to_json_text(params);
    probe.expect_error(raw_request(session, "server/discover", params), {error_code::invalid_params}, what);
  };
  JsonObject meta = full_meta(probe);
  meta[version_key] = 20260728;
  refused(with_meta(meta));
  for (const Json& wrong : {Json(nullptr), Json(JsonArray{}), Json("x")}) {
    meta = full_meta(probe);
    meta[capabilities_key] = wrong;
    refused(with_meta(meta));
  }
  // If _meta itself is malformed, a server may refuse the line as no request at all.
  for (const Json& wrong : {Json(JsonArray{}), Json(nullptr)}) {
    const Json id(wrong.is_null() ? "meta-null" : "meta-array");
    const JsonObject message{
        {"jsonrpc", "2.0"}, {"id", id}, {"method", "server/discover"}, {"params", {{"_meta", wrong}}}};
    session.send_line(to_json_text(message));
    const std::string what = "server/discover with the _meta " + to_json_text(wrong);
    probe.expect_error(probe.expect_reply(session, id, what), {error_code::invalid_params}, what);
  }
}

void clientinfo_optional(Probe& probe) {
  Session& session = probe.opened();
  const JsonObject params = with_meta(full_meta(probe));
  probe.expect_result(raw_request(session, "server/discover", params), "server/discover without clientInfo");
  for (const List& list : lists) {
    if (!probe.offer().has(list.capability) || list.member == "resourceTemplates")
      continue;  // who has none may lack it
    probe.expect_result(raw_request(session, list.method, params), std::string(list.method) + " without clientInfo");
  }
}

/// The second has no metadata, the third names the client its capabilities could be taken from.
void not_remembered(Probe& probe) {
  Session& session = probe.opened();
  probe.expect_result(session.request("server/discover"), "server/discover");
  probe.expect_error(raw_request(session, "server/discover", {}), {error_code::invalid_params},
                     "the same without _meta, after a request that had it");
  const JsonObject meta{
      {version_key, probe.revision().name},
      {"io.modelcontextprotocol/clientInfo", {{"name", session.options().client_name}, {"version", TOOLWIRE_VERSION}}}};
  probe.expect_error(raw_request(session, "server/discover", with_meta(meta)), {error_code::invalid_params},
                     "the same of the same client without clientCapabilities, after a request that had them");
}

/// Calls a tool that needs the form of the user, with and without the capability.
void capabilities_per_request(Probe& probe) {
  const Callable tool = probe.need_tool("tool:needs-elicitation");
  Session& session = probe.opened();
  session.options().capabilities = all_capabilities(probe.revision());
  const Answer with = session.request("tools/call", tool.params());
  probe.expect_result(with, "tools/call of a tool that asks");
  session.options().capabilities = {};
  const Answer without = session.request("tools/call", tool.params());
  probe.expect_error(without, {error_code::missing_client_capability}, "the same call without the capability");
}

void interleaved_clients(Probe& probe) {
  const Callable tool = probe.need_tool("tool:needs-elicitation");
  Session& session = probe.opened();
  for (int round = 0; round < 3; ++round) {
    session.options() = {.capabilities = all_capabilities(probe.revision()), .client_name = "client-a"};
    const Json first = session.send_request("tools/call", tool.params());
    session.options() = {.capabilities = {}, .client_name = "client-b"};
    const Json second = session.send_request("tools/call", tool.params());
    probe.expect(text_of(get(session.await(first).result, "resultType")) == "input_required",
                 "input_required for the client that can answer", session.await(first).text());
    probe.expect_error(session.await(second), {error_code::missing_client_capability},
                       "the call of the client that cannot");
  }
}

void first_request_any(Probe& probe) {
  Session& session = probe.fresh();
  const std::string_view method = served_request(probe);
  probe.expect_result(session.request(method), std::string(method) + " as the first message");
}

void clientinfo_no_behaviour(Probe& probe) {
  const std::string_view method = served_request(probe);
  Session& session = probe.opened();
  session.options().client_name = "claude-code";
  const Answer one = session.request(method);
  session.options().client_name = "somebody-else";
  const Answer other = session.request(method);
  const Answer nobody = raw_request(session, method, with_meta(full_meta(probe)));
  probe.expect_result(one, std::string(method));
  probe.expect(one.result == other.result && one.result == nobody.result, "the same result for every client",
               "another");
}

void missing_capability_error(Probe& probe) {
  std::size_t called = 0;
  Session& session = probe.opened();
  for (std::string_view kind : {"tool:needs-elicitation", "tool:needs-sampling", "tool:needs-roots"}) {
    if (!probe.find(kind)) continue;
    ++called;
    const Callable tool = probe.need_tool(kind);
    probe.expect_error(session.request("tools/call", tool.params()), {error_code::missing_client_capability},
                       "tools/call of " + tool.name + " without capabilities");
  }
  if (called == 0) probe.skip("the server has no tool that asks the client");
}

void missing_capability_data(Probe& probe) {
  const Callable tool = probe.need_tool("tool:needs-elicitation");
  Session& session = probe.opened();
  const Answer answer = session.request("tools/call", tool.params());
  probe.expect_error(answer, {error_code::missing_client_capability}, "tools/call of " + tool.name);
  const Json& required = get(answer.result, "data", "requiredCapabilities");
  probe.expect(get(required, "elicitation").is_object(), "data.requiredCapabilities {\"elicitation\":{…}}",
               to_json_text(answer.result).substr(0, 300));
  session.options().capabilities = required.get_object();
  probe.expect_result(session.request("tools/call", tool.params()), "the same call with just these capabilities");
}

void missing_capability_before_sideeffects(Probe& probe) {
  const Callable tool = probe.need_tool("tool:needs-elicitation");
  Session& session = probe.opened();
  session.options().capabilities = {{"sampling", JsonObject{}}};
  const Answer answer = session.request("tools/call", tool.params());
  probe.expect_error(answer, {error_code::missing_client_capability},
                     "tools/call of " + tool.name + " with sampling only");
}

void unknown_ext_ignored(Probe& probe) {
  Session& session = probe.opened();
  session.options().capabilities = {{"extensions", {{"com.example/none", JsonObject{}}}}};
  probe.expect_result(session.request("server/discover"), "server/discover with an unknown extension");
}

/// version-traceid-parentid-flags, in small hexadecimal digits (W3C Trace Context, section 3.2).
bool is_traceparent(std::string_view text) {
  constexpr std::string_view form = "hh-hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh-hhhhhhhhhhhhhhhh-hh";
  return text.size() == form.size() && std::ranges::equal(text, form, [](char c, char wanted) {
           return wanted == '-' ? c == '-' : (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

void trace_context_tolerated(Probe& probe) {
  Session& session = probe.opened();
  for (std::string_view parent : {"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "not-a-traceparent"}) {
    const JsonObject meta{{"traceparent", parent}, {"tracestate", "vendor=1"}, {"baggage", "key=value"}};
    const Answer answer = session.request("server/discover", {{"_meta", meta}});
    probe.expect_result(answer, "a request with a traceparent");
    const Json& given = get(answer.result, "_meta", "traceparent");
    if (given.is_null() || given == Json(parent)) continue;  // a bad one may come back as it was sent
    probe.expect(is_traceparent(text_of(given)), "a traceparent as W3C Trace Context has it, or none", shown(given));
  }
}

/// The first cursor of a list, at another run of the server, which has listed nothing yet: one that counts its cursors
/// would know the first of them by accident.
void no_process_affinity(Probe& probe) {
  std::size_t count = 0;
  each_list(probe, [&](const List& list) {
    const Walk first = walk(probe.session(), list, 1);
    if (first.cursors.empty()) return;
    ++count;
    const std::string page = std::string(list.method) + " with the cursor of another process";
    Session& other = probe.fresh();
    if (!other.open().ok()) probe.skip("no second session could be opened");
    const Answer next = other.request(list.method, {{"cursor", first.cursors.front()}});
    probe.expect_result(next, page);
    probe.expect(get(next.result, list.member).is_array(), "the next page of " + page, shown(next.result));
  });
  if (count == 0) probe.skip("no list has more than one page");
}

}  // namespace

std::span<const Check> modern_request_checks() {
  static constexpr Check checks[] = {
      {"meta-missing-rejected", missing_rejected},
      {"meta-missing-version-rejected", missing_version_rejected},
      {"meta-missing-capabilities-rejected", missing_capabilities_rejected},
      {"meta-every-method-validated", every_method_validated},
      {"meta-wrong-types-rejected", wrong_types_rejected},
      {"meta-clientinfo-optional", clientinfo_optional},
      {"meta-not-remembered", not_remembered},
      {"meta-capabilities-per-request", capabilities_per_request},
      {"meta-interleaved-clients", interleaved_clients},
      {"meta-first-request-any", first_request_any},
      {"meta-clientinfo-no-behaviour", clientinfo_no_behaviour},
      {"missing-capability-error", missing_capability_error},
      {"missing-capability-data", missing_capability_data},
      {"missing-capability-before-sideeffects", missing_capability_before_sideeffects},
      {"unknown-ext-ignored", unknown_ext_ignored},
      {"trace-context-tolerated", trace_context_tolerated},
      {"meta-no-process-affinity", no_process_affinity},
  };
  return checks;
}

}  // namespace toolwire::conformance
