// Streamable HTTP of 2026-07-28, request metadata: headers that repeat what the body says.
#include "checks/http.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "driver/arguments.hpp"

namespace toolwire::conformance {
namespace {

using namespace http;

void headers_refused(Probe& probe, HttpPeer& peer, const HttpRequest& request, const std::string& what) {
  const HttpReply reply = peer.send(request);
  probe.expect(reply.status == 400 && error_code_in(reply) == header_mismatch,
               "status 400 with the error -32020 to " + what, reply.text());
}

void headers_not_refused(Probe& probe, HttpPeer& peer, const HttpRequest& request, const std::string& what) {
  const HttpReply reply = peer.send(request);
  if (reply.status == 0) probe.broken("an answer to " + what, reply.text());
  probe.expect(error_code_in(reply) != header_mismatch && reply.status != 400, "a request that is served: " + what,
               reply.text());
}

void version_missing(Probe& probe) {
  if (serves(probe, "2025-03-26")) probe.skip("the server supports clients that do not send the header");
  HttpPeer& peer = probe.opened_peer();
  HttpRequest request = peer.post("server/discover");
  request.remove(version_header);
  headers_refused(probe, peer, request, "a request without MCP-Protocol-Version");
}

void version_mismatch(Probe& probe) {
  HttpPeer& peer = probe.opened_peer();
  HttpRequest request = peer.post("server/discover");
  request.set(version_header, "2025-11-25");
  headers_refused(probe, peer, request, "the header 2025-11-25 with 2026-07-28 in _meta");
}

void method_missing(Probe& probe) {
  HttpPeer& peer = probe.opened_peer();
  HttpRequest request = peer.post("server/discover");
  request.remove(method_header);
  headers_refused(probe, peer, request, "a request without Mcp-Method");
}

void method_is(Probe& probe, const std::string& value) {
  HttpPeer& peer = probe.opened_peer();
  HttpRequest request = peer.post("server/discover");
  request.set(method_header, value);
  headers_refused(probe, peer, request, "server/discover with Mcp-Method: " + value);
}

void method_mismatch(Probe& probe) { method_is(probe, "tools/list"); }
void method_case(Probe& probe) { method_is(probe, "SERVER/DISCOVER"); }

/// A request whose name or URI a header repeats, and that does no harm if it is served.
struct Named {
  std::string method, name;
  JsonObject params;
};

std::optional<Named> named_tool(const Probe& probe) {
  for (const Json& tool : probe.offer().tools) {
    const std::string name(text_of(get(tool, "name")));
    auto arguments = probe.target().may_call(name) ? arguments_for(get(tool, "inputSchema")) : std::nullopt;
    if (arguments) return Named{"tools/call", name, {{"name", name}, {"arguments", std::move(*arguments)}}};
  }
  return std::nullopt;
}

Named need_named(const Probe& probe) {
  if (auto tool = named_tool(probe)) return std::move(*tool);
  for (const Json& resource : probe.offer().resources) {
    const std::string uri(text_of(get(resource, "uri")));
    return {"resources/read", uri, {{"uri", uri}}};
  }
  for (const Json& prompt : probe.offer().prompts) {
    const std::string name(text_of(get(prompt, "name")));
    return {"prompts/get", name, {{"name", name}}};
  }
  probe.skip("the server has neither a tool that may be called, nor a resource, nor a prompt");
}

void name_missing(Probe& probe) {
  const Named named = need_named(probe);
  HttpPeer& peer = probe.opened_peer();
  HttpRequest request = peer.post(named.method, named.params);
  request.remove(name_header);
  headers_refused(probe, peer, request, named.method + " without Mcp-Name");
}

void name_mismatch(Probe& probe) {
  const Named named = need_named(probe);
  HttpPeer& peer = probe.opened_peer();
  for (const std::string& other : {named.name + "-other", encoded_header_value(named.name + "-other")}) {
    HttpRequest request = peer.post(named.method, named.params);
    request.set(name_header, other);
    headers_refused(probe, peer, request, named.method + " of " + named.name + " with Mcp-Name: " + other);
  }
}

void name_is_checked(Probe& probe, const Named& named) {
  HttpPeer& peer = probe.opened_peer();
  HttpRequest request = peer.post(named.method, named.params);
  request.remove(name_header);
  headers_refused(probe, peer, request, named.method + " without Mcp-Name");
  request.set(name_header, named.name + "-other");
  headers_refused(probe, peer, request,
                  named.method + " of " + named.name + " with Mcp-Name: " + named.name + "-other");
}

void name_of_resource(Probe& probe) {
  if (probe.offer().resources.empty()) probe.skip("the server has no resource");
  const std::string uri(text_of(get(probe.offer().resources.front(), "uri")));
  name_is_checked(probe, {"resources/read", uri, {{"uri", uri}}});
}

void name_of_prompt(Probe& probe) {
  if (probe.offer().prompts.empty()) probe.skip("the server has no prompt");
  const std::string name(text_of(get(probe.offer().prompts.front(), "name")));
  name_is_checked(probe, {"prompts/get", name, {{"name", name}}});
}

void name_encoded(Probe& probe) {
  const Named named = need_named(probe);
  HttpPeer& peer = probe.opened_peer();
  HttpRequest request = peer.post(named.method, named.params);
  request.set(name_header, encoded_header_value(named.name));
  headers_not_refused(probe, peer, request, named.method + " with Mcp-Name: " + encoded_header_value(named.name));
}

/// The marks around base64 are in small letters, and what stands between them is base64.
void name_is(Probe& probe, const std::string& value) {
  const Named named = need_named(probe);
  HttpPeer& peer = probe.opened_peer();
  HttpRequest request = peer.post(named.method, named.params);
  request.set(name_header, value);
  headers_refused(probe, peer, request, named.method + " of " + named.name + " with Mcp-Name: " + value);
}

void name_no_base64(Probe& probe) { name_is(probe, "=?base64?@@@?="); }

void name_marked_otherwise(Probe& probe) {
  std::string value = encoded_header_value(need_named(probe).name);
  name_is(probe, value.replace(2, 6, "BASE64"));
}

/// There need not be such a task: the header is looked at first.
void name_of_task(Probe& probe) {
  if (!get(Json(probe.offer().capabilities), "extensions", "io.modelcontextprotocol/tasks").is_object())
    probe.skip("the server has no tasks");
  HttpPeer& peer = probe.opened_peer();
  HttpRequest request = peer.post("tasks/get", {{"taskId", "conformance-task"}});
  request.set(name_header, "conformance-other-task");
  headers_refused(probe, peer, request, "tasks/get of conformance-task with Mcp-Name: conformance-other-task");
}

/// A call with an argument that a header repeats.
struct MirroredCall {
  JsonObject params;
  MirroredArgument argument;
  Json value;
};

bool is_required(const Json& schema, const std::string& name) {
  const JsonArray* required = get(schema, "required").if_array();
  return required != nullptr && std::ranges::find(*required, Json(name)) != required->end();
}

/// Arguments of the tool's own top level only: those further down need what is above them.
std::optional<MirroredCall> mirrored_call(const Probe& probe, const Json& tool, std::string_view type) {
  const Json& schema = get(tool, "inputSchema");
  const std::string_view name = text_of(get(tool, "name"));
  auto arguments = probe.target().may_call(name) ? arguments_for(schema) : std::nullopt;
  if (!arguments) return std::nullopt;
  for (MirroredArgument& mirrored : mirrored_arguments(schema)) {
    if (mirrored.path.size() != 1) continue;
    const std::string& argument = mirrored.path.front();
    if (text_of(get(schema, "properties", argument, "type")) != type) continue;
    JsonObject all = *arguments;
    all.emplace(argument, type == "integer" ? Json(42) : Json("conformance"));
    if (!may_fit(schema, all)) continue;
    const Json value = all[argument];
    return MirroredCall{{{"name", name}, {"arguments", std::move(all)}}, std::move(mirrored), value};
  }
  return std::nullopt;
}

MirroredCall need_mirrored(const Probe& probe, std::string_view type = "string") {
  for (const Json& tool : probe.offer().tools) {
    if (auto call = mirrored_call(probe, tool, type)) return std::move(*call);
  }
  probe.skip("no tool may be called that mirrors an argument of the type " + std::string(type) + " by x-mcp-header");
}

HttpRequest with_header(HttpPeer& peer, const MirroredCall& call, const std::string& value) {
  HttpRequest request = peer.post("tools/call", call.params);
  request.set(call.argument.header, value);
  return request;
}

void param_missing(Probe& probe) {
  const MirroredCall call = need_mirrored(probe);
  HttpPeer& peer = probe.opened_peer();
  HttpRequest request = peer.post("tools/call", call.params);
  request.remove(call.argument.header);
  headers_refused(probe, peer, request, "tools/call without " + call.argument.header);
}

void param_mismatch(Probe& probe) {
  const MirroredCall call = need_mirrored(probe);
  HttpPeer& peer = probe.opened_peer();
  const std::string other = std::string(text_of(call.value)) + "-other";
  for (const std::string& value : {other, encoded_header_value(other)})
    headers_refused(probe, peer, with_header(peer, call, value),
                    call.argument.header + ": " + value + " with another argument");
}

void param_no_base64(Probe& probe) {
  const MirroredCall call = need_mirrored(probe);
  HttpPeer& peer = probe.opened_peer();
  const std::string value = "=?base64?@@@?=";
  headers_refused(probe, peer, with_header(peer, call, value), call.argument.header + ": " + value);
}

void param_case(Probe& probe) {
  const MirroredCall call = need_mirrored(probe);
  std::string other(text_of(call.value));
  std::ranges::transform(other, other.begin(), [](unsigned char c) {
    return static_cast<char>(std::isupper(c) != 0 ? std::tolower(c) : std::toupper(c));
  });
  if (other == text_of(call.value)) probe.skip("no argument that a header mirrors has a letter");
  HttpPeer& peer = probe.opened_peer();
  headers_refused(probe, peer, with_header(peer, call, other),
                  call.argument.header + ": " + other + " with the argument " + to_json_text(call.value));
}

void param_null(Probe& probe) {
  MirroredCall call = need_mirrored(probe);
  call.params["arguments"].as_object()[call.argument.path.front()] = nullptr;
  HttpPeer& peer = probe.opened_peer();
  HttpRequest request = peer.post("tools/call", call.params);
  request.remove(call.argument.header);
  const HttpReply reply = peer.send(request);
  if (reply.status == 0) probe.broken("an answer to tools/call with an argument that is null", reply.text());
  probe.expect(error_code_in(reply) != header_mismatch,
               "no error -32020 to an argument that is null without " + call.argument.header, reply.text());
}

void param_encoded(Probe& probe) {
  const MirroredCall call = need_mirrored(probe);
  HttpPeer& peer = probe.opened_peer();
  const std::string value = encoded_header_value(text_of(call.value));
  headers_not_refused(probe, peer, with_header(peer, call, value), call.argument.header + ": " + value);
}

void param_absent(Probe& probe) {
  for (const Json& tool : probe.offer().tools) {
    auto call = mirrored_call(probe, tool, "string");
    if (!call || is_required(get(tool, "inputSchema"), call->argument.path.front())) continue;
    call->params["arguments"].as_object().erase(call->argument.path.front());
    HttpPeer& peer = probe.opened_peer();
    HttpRequest request = peer.post("tools/call", call->params);
    request.remove(call->argument.header);
    headers_not_refused(probe, peer, request, "tools/call with neither the argument nor " + call->argument.header);
    return;
  }
  probe.skip("no tool may be called that mirrors an argument it does not require");
}

void param_numeric(Probe& probe) {
  const MirroredCall call = need_mirrored(probe, "integer");
  HttpPeer& peer = probe.opened_peer();
  const std::string value = to_json_text(call.value) + ".0";
  headers_not_refused(probe, peer, with_header(peer, call, value),
                      call.argument.header + ": " + value + " with " + to_json_text(call.value));
}

}  // namespace

std::span<const Check> http_header_checks() {
  static constexpr Check checks[] = {
      {"http-version-header-missing", version_missing},
      {"http-version-header-mismatch", version_mismatch},
      {"http-method-header-missing", method_missing},
      {"http-method-header-mismatch", method_mismatch},
      {"http-method-header-case", method_case},
      {"http-name-header-missing", name_missing},
      {"http-name-header-mismatch", name_mismatch},
      {"http-name-header-encoded", name_encoded},
      {"http-name-header-resource", name_of_resource},
      {"http-name-header-prompt", name_of_prompt},
      {"http-param-header-missing", param_missing},
      {"http-param-header-mismatch", param_mismatch},
      {"http-param-header-encoded", param_encoded},
      {"http-param-header-absent", param_absent},
      {"http-param-header-numeric", param_numeric},
      {"http-name-header-no-base64", name_no_base64},
      {"http-encoding-marks-case", name_marked_otherwise},
      {"http-name-header-task", name_of_task},
      {"http-param-header-no-base64", param_no_base64},
      {"http-param-header-case", param_case},
      {"http-param-header-null", param_null},
  };
  return checks;
}

}  // namespace toolwire::conformance
