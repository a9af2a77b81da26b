// Streamable HTTP: from where it is called, and by whom (basic, transports and authorization).
#include "checks/http.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "checks/mrtr.hpp"
#include "driver/arguments.hpp"
#include "driver/http_challenge.hpp"

namespace toolwire::conformance {
namespace {

using namespace http;

// Pages

constexpr std::string_view foreign_origin = "http://rebinding.example";

HttpReply from_page(HttpPeer& peer, HttpRequest request, const std::string& origin) {
  request.set("Origin", origin);
  return peer.send(request);
}

HttpReply from_foreign_page(Probe& probe) {
  HttpPeer& peer = probe.peer();
  return from_page(peer, opening(probe, peer), std::string(foreign_origin));
}

void origin_refused(Probe& probe) {
  const HttpReply reply = from_foreign_page(probe);
  probe.expect(is_error_status(reply.status), "an error status to Origin: " + std::string(foreign_origin),
               reply.text());
}

void origin_403(Probe& probe) {
  const HttpReply reply = from_foreign_page(probe);
  probe.expect(reply.status == 403, "status 403 to Origin: " + std::string(foreign_origin), reply.text());
}

/// 403 is asked for since 2025-11-25.
bool is_refused_page(const Probe& probe, const HttpReply& reply) {
  return probe.since("2025-11-25") ? reply.status == 403 : is_error_status(reply.status);
}

/// Whoever does not refuse them as they are to be is told so already.
void need_refused_pages(Probe& probe) {
  if (!is_refused_page(probe, from_foreign_page(probe)))
    probe.skip("a foreign origin is not refused as it has to be, as http-origin-403 or http-origin-refused says");
}

void expect_refused_page(Probe& probe, const HttpReply& reply, const std::string& what) {
  probe.expect(is_refused_page(probe, reply),
               (probe.since("2025-11-25") ? "status 403 to " : "an error status to ") + what, reply.text());
}

void origin_lookalike(Probe& probe) {
  need_refused_pages(probe);
  const HttpUrl& url = probe.target().launch.http->url();
  HttpPeer& peer = probe.peer();
  for (const std::string& host : {url.host + ".rebinding.example", "rebinding-" + url.host}) {
    for (const std::string& origin : {"http://" + host, "http://" + host + ":" + url.port})
      expect_refused_page(probe, from_page(peer, opening(probe, peer), origin), "Origin: " + origin);
  }
}

void origin_everywhere(Probe& probe) {
  need_refused_pages(probe);
  HttpPeer& peer = probe.opened_peer();
  const std::string origin(foreign_origin);
  const std::string from = " with Origin: " + origin;
  for (const std::string_view method : {harmless(probe), std::string_view("tools/list")})
    expect_refused_page(probe, from_page(peer, peer.post(method), origin), std::string(method) + from);
  for (const char* const method : {"GET", "DELETE"}) {  // 405 is right, too, where there is nothing to get
    HttpRequest request = peer.bare(method);
    request.set("Origin", origin);
    HttpExchange& exchange = peer.start(request);
    peer.wait([&] { return exchange.reply().has_headers || exchange.is_over(); });
    probe.expect(is_error_status(exchange.reply().status), std::string("an error status to ") + method + from,
                 exchange.reply().text());
  }
}

// Callers

/// The refusal of a request without Authorization; skips if there is none.
HttpReply refused_stranger(Probe& probe) {
  HttpPeer& peer = probe.peer();
  HttpRequest request = opening(probe, peer);
  const std::size_t headers = request.headers.size();
  request.remove("Authorization");
  if (request.headers.size() == headers)
    probe.skip("it is not known how the server is told who calls (--header 'Authorization: …')");
  HttpReply reply = peer.send(request);
  if (reply.status == 0) probe.broken("an answer to a request without Authorization", reply.text());
  if (!is_error_status(reply.status)) probe.skip("the server serves whoever does not say who calls");
  return reply;
}

void unauthorized_challenge(Probe& probe) {
  const HttpReply reply = refused_stranger(probe);
  probe.expect(reply.status == 401 && reply.header("WWW-Authenticate") != nullptr,
               "status 401 with WWW-Authenticate to a request without Authorization", reply.text());
}

void invalid_token(Probe& probe) {
  refused_stranger(probe);
  HttpPeer& peer = probe.peer();
  HttpRequest request = opening(probe, peer);
  request.set("Authorization", "Bearer conformance-unknown-token");
  const HttpReply reply = peer.send(request);
  probe.expect(reply.status == 401, "status 401 to a token that nobody has issued", reply.text());
}

void session_is_no_caller(Probe& probe) {
  HttpPeer& peer = probe.opened_peer();
  if (peer.session().empty()) probe.skip("the server assigns no session id");
  refused_stranger(probe);
  HttpRequest request = peer.post("ping");
  request.remove("Authorization");
  const HttpReply reply = peer.send(request);
  probe.expect(reply.status == 401, "status 401 to a request of a session without Authorization", reply.text());
}

/// The same server as another caller sees it, who is served too; skips if nobody else is known.
std::unique_ptr<HttpPeer> other_caller(Probe& probe, JsonObject capabilities = {}) {
  const HttpServer& server = *probe.target().launch.http;
  if (server.other_caller().empty()) probe.skip("no other caller is known (--other-header 'Authorization: …')");
  HttpRequest merged{.headers = server.headers()};
  for (const auto& [name, value] : server.other_caller()) merged.set(name, value);
  auto same = std::make_shared<HttpServer>(server.text(), merged.headers);
  same->find();
  auto peer = std::make_unique<HttpPeer>(std::move(same), probe.revision(), std::move(capabilities), probe.timeout());
  peer->open();
  const HttpReply reply = peer->send(peer->post(harmless(probe)));
  if (reply.status < 200 || reply.status > 299) probe.skip("the other caller is not served: " + reply.text());
  return peer;
}

void session_other_caller(Probe& probe) {
  HttpPeer& peer = probe.opened_peer();
  if (peer.session().empty()) probe.skip("the server assigns no session id");
  refused_stranger(probe);
  const std::unique_ptr<HttpPeer> other = other_caller(probe);
  HttpRequest request = peer.post("ping");
  for (const auto& [name, value] : probe.target().launch.http->other_caller()) request.set(name, value);
  const HttpReply reply = peer.send(request);
  probe.expect(is_error_status(reply.status), "an error status to another caller in the session of the first",
               reply.text());
}

/// The reply, and the response in it; null if there is none.
struct Told {
  HttpReply reply;
  Json response;

  bool is_refused() const {
    return is_error_status(reply.status) || get(response, "error").is_object() ||
           get(response, "result", "isError") == Json(true);
  }
};

Told told(HttpPeer& peer, std::string_view method, JsonObject params) {
  const Json id = peer.next_id();
  HttpReply reply = peer.send(peer.post(peer.message(id, method, std::move(params))));
  Json response = response_in(reply, id);
  return {std::move(reply), std::move(response)};
}

/// A tool that asks, and goes on with the state that it was given.
Told asked_of(Probe& probe, HttpPeer& peer, const Callable& tool, const std::string& by_whom) {
  Told question = told(peer, "tools/call", tool.params());
  if (!asks(get(question.response, "result"))) probe.skip(tool.name + " asks nothing of " + by_whom);
  if (text_of(get(question.response, "result", "requestState")).empty()) probe.skip("the tool has no state");
  return question;
}

/// Who may not call the tool at all says nothing, so the other caller is asked as well; and in the end the state is
/// good for whom it was made.
void state_other_caller(Probe& probe) {
  const Callable tool = probe.need_tool("tool:mrtr-state");
  refused_stranger(probe);
  const JsonObject capabilities = all_capabilities(probe.revision());
  const std::unique_ptr<HttpPeer> other = other_caller(probe, capabilities);
  HttpPeer& peer = probe.opened_peer(capabilities);
  const Json question = get(asked_of(probe, peer, tool, "the first caller").response, "result");
  asked_of(probe, *other, tool, "the other caller");
  JsonObject params = tool.params();
  params["inputResponses"] = answers_to(question);
  params["requestState"] = get(question, "requestState");
  const Told stranger = told(*other, "tools/call", params);
  probe.expect(stranger.is_refused() || asks(get(stranger.response, "result")),
               "an error, or a question of its own, to another caller with the state of the first",
               stranger.reply.text());
  if (told(peer, "tools/call", params).is_refused()) probe.skip("the state is not good for its own caller either");
}

JsonObject capabilities_for_tasks(const Probe& probe) {
  JsonObject capabilities = all_capabilities(probe.revision());
  if (probe.modern()) capabilities["extensions"] = {{"io.modelcontextprotocol/tasks", JsonObject()}};
  return capabilities;
}

/// The id of a task of this caller; skips if there is none.
std::string begun_task(Probe& probe, HttpPeer& peer) {
  const Callable tool = probe.need_tool("tool:task", "SECONDS", 0);
  JsonObject params = tool.params();
  if (!probe.modern()) params["task"] = JsonObject{{"ttl", 60'000}};
  const Json result = get(told(peer, "tools/call", std::move(params)).response, "result");
  std::string id(text_of(probe.modern() ? get(result, "taskId") : get(result, "task", "taskId")));
  if (id.empty()) probe.skip("the call of " + tool.name + " becomes no task");
  return id;
}

void need_tasks(const Probe& probe) {
  if (!probe.modern()) return probe.need_capability("tasks");
  if (!get(Json(probe.offer().capabilities), "extensions", "io.modelcontextprotocol/tasks").is_object())
    probe.skip("the server has no tasks");
}

/// In the end its own caller still finds it.
void task_other_caller(Probe& probe) {
  need_tasks(probe);
  refused_stranger(probe);
  const JsonObject capabilities = capabilities_for_tasks(probe);
  const std::unique_ptr<HttpPeer> other = other_caller(probe, capabilities);
  HttpPeer& peer = probe.opened_peer(capabilities);
  const std::string id = begun_task(probe, peer);
  const std::string_view for_one = probe.modern() ? "tasks/update" : "tasks/result";
  for (const std::string_view method : {std::string_view("tasks/get"), for_one, std::string_view("tasks/cancel")}) {
    JsonObject params{{"taskId", id}};
    if (method == "tasks/update") params["inputResponses"] = JsonObject();
    const Told stranger = told(*other, method, std::move(params));
    probe.expect(stranger.is_refused(), "an error to " + std::string(method) + " of another caller's task",
                 stranger.reply.text());
  }
  if (!probe.modern()) {
    const Told list = told(*other, "tasks/list", {});
    probe.expect(to_json_text(list.response).find(id) == std::string::npos, "a list without the tasks of other callers",
                 list.reply.text());
  }
  if (told(peer, "tasks/get", {{"taskId", id}}).is_refused()) probe.skip("its own caller does not find it either");
}

struct Refused {
  std::string what;
  HttpReply reply;
};

/// What the other caller may not do, of what does no harm; skips if there is nothing.
std::vector<Refused> refused_to_other(Probe& probe) {
  constexpr std::size_t at_most = 32;
  const std::unique_ptr<HttpPeer> peer = other_caller(probe);
  std::vector<Refused> refused;
  std::size_t tried = 0;
  const auto ask = [&](const std::string& method, const std::string& what, JsonObject params) {
    if (++tried > at_most) return;
    HttpReply reply = peer->send(peer->post(method, std::move(params)));
    if (reply.status == 401 || reply.status == 403) refused.push_back({method + " of " + what, std::move(reply)});
  };
  for (const Json& tool : probe.offer().tools) {
    const std::string name(text_of(get(tool, "name")));
    auto arguments = probe.target().may_call(name) ? arguments_for(get(tool, "inputSchema")) : std::nullopt;
    if (arguments) ask("tools/call", name, {{"name", name}, {"arguments", std::move(*arguments)}});
  }
  for (const Json& resource : probe.offer().resources) {
    const std::string uri(text_of(get(resource, "uri")));
    ask("resources/read", uri, {{"uri", uri}});
  }
  if (refused.empty()) probe.skip("the other caller is refused nothing by status 401 or 403");
  return refused;
}

void forbidden_403(Probe& probe) {
  for (const Refused& one : refused_to_other(probe))
    probe.expect(one.reply.status == 403, "status 403 to a caller who is known and may not do it: " + one.what,
                 one.reply.text());
}

void scope_challenge(Probe& probe) {
  const std::vector<Refused> refused = refused_to_other(probe);
  const bool has_metadata = !parameter(bearer_challenge(refused_stranger(probe)), "resource_metadata").empty();
  for (const Refused& one : refused) {
    const auto challenge = bearer_challenge(one.reply);
    const std::string* const said = one.reply.header("WWW-Authenticate");
    const std::string got = one.reply.text() + (said != nullptr ? ", " + *said : ", no WWW-Authenticate");
    probe.expect(parameter(challenge, "error") == "insufficient_scope" && !parameter(challenge, "scope").empty(),
                 R"(WWW-Authenticate: Bearer error="insufficient_scope", scope="…" to )" + one.what, got);
    probe.expect(!has_metadata || !parameter(challenge, "resource_metadata").empty(),
                 "resource_metadata, as with status 401, to " + one.what, got);
  }
}

// Where tokens are to be had

std::string path_of(std::string_view url) {
  const std::size_t authority = url.find("://");
  const std::size_t slash = authority == std::string_view::npos ? authority : url.find('/', authority + 3);
  return slash == std::string_view::npos ? "/" : std::string(url.substr(slash));
}

HttpReply page_at(HttpPeer& peer, const std::string& path) {
  HttpRequest request{.method = "GET", .headers = {{"Accept", "application/json"}}, .target = path};
  return peer.send(request);
}

Json object_in(const HttpReply& reply) {
  try {
    Json json = parse_json(reply.body);
    return json.is_object() ? json : Json();
  } catch (const JsonError&) {
    return {};
  }
}

struct Metadata {
  std::string place;
  HttpReply reply;
  bool is_here = true;  // at the address of the server
};

/// What the server says of itself (RFC 9728), at the place it names or at those that are usual; skips if it names none
/// and has none there.
Metadata metadata_of(Probe& probe, const HttpReply& refusal) {
  constexpr std::string_view well_known = "/.well-known/oauth-protected-resource";
  HttpPeer& peer = probe.peer();
  const HttpUrl& url = probe.target().launch.http->url();
  if (const std::string named = parameter(bearer_challenge(refusal), "resource_metadata"); !named.empty())
    return {named, page_at(peer, path_of(named)), named.find("://" + url.authority + "/") != std::string::npos};
  const std::string path = url.target.substr(0, url.target.find('?'));
  for (const std::string& place : {std::string(well_known) + path, std::string(well_known)}) {
    Metadata found{place, page_at(peer, place)};
    if (found.reply.status == 200 && object_in(found.reply).is_object()) return found;
  }
  probe.skip("the server does not say where tokens are to be had");
}

bool are_texts(const Json& list) {
  const JsonArray* const all = list.if_array();
  return all != nullptr && !all->empty() &&
         std::ranges::all_of(*all, [](const Json& one) { return one.is_string() && !one.get_string().empty(); });
}

void resource_metadata(Probe& probe) {
  const Metadata found = metadata_of(probe, refused_stranger(probe));
  const Json metadata = object_in(found.reply);
  const bool is_there = found.reply.status == 200 && metadata.is_object();
  if (!is_there && !found.is_here) probe.skip("the metadata of the server is somewhere else: " + found.place);
  probe.expect(is_there, "status 200 and an object of JSON at " + found.place, found.reply.text());
  probe.expect(!text_of(get(metadata, "resource")).empty(), "metadata with \"resource\"", to_json_text(metadata));
  probe.expect(are_texts(get(metadata, "authorization_servers")),
               "metadata with \"authorization_servers\", at least one of them", to_json_text(metadata));
}

bool has_word(std::string_view text, std::string_view word) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (text.substr(0, end) == word) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

void no_offline_access(Probe& probe) {
  constexpr std::string_view offline = "offline_access";
  const HttpReply refusal = refused_stranger(probe);
  const std::string scope = parameter(bearer_challenge(refusal), "scope");
  probe.expect(!has_word(scope, offline), "a challenge without the scope offline_access", scope);
  const Json metadata = object_in(metadata_of(probe, refusal).reply);
  const JsonArray* const supported = get(metadata, "scopes_supported").if_array();
  probe.expect(supported == nullptr || std::ranges::find(*supported, Json(offline)) == supported->end(),
               "scopes_supported without offline_access", to_json_text(metadata));
}

// Machines

/// Who takes connections at all addresses of a machine does so at another one of the loopback network, too.
void bound_locally(Probe& probe) {
  const HttpServer& server = *probe.target().launch.http;
  if (!server.address().is_ipv4() || (server.url().host != "127.0.0.1" && server.url().host != "localhost"))
    probe.skip("the server is not reached at 127.0.0.1");
  HttpRequest stranger = opening(probe, probe.peer());
  stranger.remove("Authorization");
  if (is_error_status(probe.peer().send(stranger).status))
    probe.skip("the server asks who calls, and may be meant for other machines");
  const std::string elsewhere = "http://127.0.0.2:" + server.url().port + server.url().target;
  HttpPeer peer(std::make_shared<HttpServer>(elsewhere, server.headers()), probe.revision(), JsonObject(),
                probe.timeout());
  const HttpReply reply = peer.send(opening(probe, peer));
  probe.expect(reply.status == 0, "nobody at " + elsewhere, reply.text());
}

}  // namespace

std::span<const Check> http_caller_checks() {
  static constexpr Check checks[] = {
      {"http-origin-refused", origin_refused},
      {"http-origin-403", origin_403},
      {"http-origin-lookalike", origin_lookalike},
      {"http-origin-everywhere", origin_everywhere},
      {"http-unauthorized-challenge", unauthorized_challenge},
      {"http-invalid-token-401", invalid_token},
      {"http-session-is-no-caller", session_is_no_caller},
      {"http-session-other-caller", session_other_caller},
      {"http-state-other-caller", state_other_caller},
      {"http-task-other-caller", task_other_caller},
      {"http-forbidden-403", forbidden_403},
      {"http-scope-challenge", scope_challenge},
      {"http-resource-metadata", resource_metadata},
      {"http-no-offline-access", no_offline_access},
      {"http-bound-locally", bound_locally},
  };
  return checks;
}

}  // namespace toolwire::conformance
