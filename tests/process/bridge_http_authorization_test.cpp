// A bridge over HTTP that takes the tokens of an authorization server, here on a port of this machine.
#define BOOST_TEST_MODULE bridge_http_authorization_test
#include <boost/test/unit_test.hpp>

#include <csignal>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <toolwire/http/protected_resource.hpp>

#include "http_test_server.hpp"
#include "jwt_issuer.hpp"
#include "process_bench.hpp"
#include "raw_http.hpp"
#include "remote_script.hpp"
#include "serve_bench.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string bearer(const std::string& token) { return "Authorization: Bearer " + token + "\r\n"; }

/// An issuer that can be asked for its metadata and its keys.
struct ReachableIssuer {
  std::mutex mutex;
  bool is_ill = false;
  bool is_another = false;
  JwtIssuer issuer;
  HttpTestServer server{[this](const std::string& request) { return answer(request); }};

  ReachableIssuer() {
    issuer.url = server.origin();
    issuer.resource = "http://127.0.0.1:8080/mcp";
  }
  HttpAnswer answer(const std::string& request) {
    const std::lock_guard lock(mutex);
    if (is_ill) return HttpAnswer::of(500, "");
    if (request.starts_with("GET /.well-known/oauth-authorization-server "))
      return HttpAnswer::json(to_json_text(JsonObject{{"issuer", is_another ? "https://evil.example" : server.origin()},
                                                      {"jwks_uri", server.url("/keys")}}));
    return request.starts_with("GET /keys ") ? HttpAnswer::json(issuer.jwks()) : HttpAnswer::of(404, "");
  }
  void set(bool ReachableIssuer::*what, bool value) {
    const std::lock_guard lock(mutex);
    this->*what = value;
  }
};

struct AuthorizationFixture : ReachableIssuer {
  ScratchFolder folder;

  AuthorizationFixture() {
    configure({{"issuer", issuer.url}, {"resource", issuer.resource}, {"scopes", JsonArray{"tools"}}});
  }

  void configure(const JsonObject& authorization) const {
    JsonObject servers;
    servers["many"] = JsonObject{{"command", TOOLWIRE_BIN_DIR "/mcp_back_end"}};
    folder.file("mcp.json", to_json_text(JsonObject{{"mcpServers", std::move(servers)},
                                                    {"toolwire", JsonObject{{"authorization", authorization}}}}));
  }
  std::string path(const char* name) const { return (folder / name).string(); }
  Program program(std::vector<std::string> arguments) const {
    Program made{.command = {bridge_program}};
    made.command.insert(made.command.end(), arguments.begin(), arguments.end());
    made.environment["XDG_STATE_HOME"] = path("state");
    return made;
  }
  Program listening(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"serve", path("mcp.json"), "--listen", "http://127.0.0.1:0/mcp",
                                   "--log", path("log")};
    words.insert(words.end(), more.begin(), more.end());
    return program(std::move(words));
  }
};

class Listening {
 public:
  explicit Listening(const AuthorizationFixture& fixture, const std::vector<std::string>& more = {})
      : log_(fixture.path("log")), process_(fixture.listening(more)) {
    const std::string before = "listening on http://127.0.0.1:";
    BOOST_REQUIRE(eventually([&] { return has(content_of(log_), before); }));
    const std::string log = content_of(log_);
    port_ = static_cast<std::uint16_t>(std::stoi(log.substr(log.find(before) + before.size())));
  }
  ~Listening() { process_.signal(SIGTERM); }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;

  RawAnswer send(const std::string& text) const {
    RawHttp connection(port_);
    BOOST_TEST(connection.send(text));
    return connection.answer().value();
  }
  RawAnswer call(const std::string& fields, const std::string& tool = "echo",
                 const std::string& arguments = R"({"text":"over HTTP"})") const {
    return send(RawCall{.tool = tool, .arguments = arguments, .more = fields, .host = host()}.text());
  }
  /// A message of 2025-06-18.
  RawAnswer post(const std::string& body, const std::string& fields) const {
    return send("POST /mcp HTTP/1.1\r\nHost: " + host() +
                "\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" + fields +
                "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
  }
  RawAnswer get(const std::string& target, const std::string& fields = {}) const {
    return send("GET " + target + " HTTP/1.1\r\nHost: " + host() + "\r\n" + fields + "\r\n");
  }
  /// Within the time that the log takes to be written.
  bool logs(const std::string& text) const {
    return eventually([&] { return has(content_of(log_), text); });
  }
  /// All of the log, after the end.
  std::string end() {
    process_.signal(SIGTERM);
    BOOST_TEST(process_.wait().code == 0);
    return content_of(log_);
  }

 private:
  std::string host() const { return "127.0.0.1:" + std::to_string(port_); }

  std::string log_;
  ChildProcess process_;
  std::uint16_t port_ = 0;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(who_has_a_token_of_the_issuer_calls_tools, AuthorizationFixture) {
  Listening bridge(*this);
  const std::string needed =
      "scope=\"tools\", resource_metadata=\"http://127.0.0.1:8080/.well-known/"
      "oauth-protected-resource/mcp\"";
  const RawAnswer without = bridge.call("");
  BOOST_TEST(without.status == 401);
  BOOST_TEST(without.field("www-authenticate") == "Bearer " + needed);
  BOOST_TEST(server.requests().empty());  // nobody is asked for nothing

  const RawAnswer called = bridge.call(bearer(issuer.token_of("ann")));
  BOOST_TEST(called.status == 200);
  BOOST_TEST(has(called.body, "over HTTP"), called.body);
  BOOST_TEST(bridge.call(bearer(issuer.token_of("ben"))).status == 200);
  BOOST_TEST(server.requests().size() == 2U);  // metadata and keys, once

  JsonObject little = issuer.claims();
  little["scope"] = "other";
  const RawAnswer lacking = bridge.call(bearer(issuer.token(little)));
  BOOST_TEST(lacking.status == 403);
  BOOST_TEST(lacking.field("www-authenticate") == "Bearer error=\"insufficient_scope\", " + needed);

  JsonObject elsewhere = issuer.claims();
  elsewhere["aud"] = "http://127.0.0.1:9090/mcp";
  const RawAnswer refused = bridge.call(bearer(issuer.token(elsewhere)));
  BOOST_TEST(refused.status == 401);
  BOOST_TEST(refused.field("www-authenticate").starts_with("Bearer error=\"invalid_token\", " + needed));

  bridge.end();
}

BOOST_FIXTURE_TEST_CASE(where_tokens_are_to_be_had_is_told_without_one, AuthorizationFixture) {
  const Listening bridge(*this);
  for (const char* const target :
       {"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"}) {
    const RawAnswer answer = bridge.get(target);
    BOOST_TEST(answer.status == 200);
    const Json told = parse_json(answer.body);
    BOOST_TEST(told.at("resource").as_string() == issuer.resource);
    BOOST_TEST(told.at("authorization_servers") == Json(JsonArray{Json(issuer.url)}));
    BOOST_TEST(told.at("scopes_supported") == Json(JsonArray{Json("tools")}));
    BOOST_TEST(told.at("bearer_methods_supported") == Json(JsonArray{Json("header")}));
  }
  BOOST_TEST(bridge.get("/health").status == 200);
  BOOST_TEST(bridge.get("/.well-known/other").status == 404);
}

BOOST_FIXTURE_TEST_CASE(a_session_is_its_owners_alone, AuthorizationFixture) {
  const Listening bridge(*this);
  const std::string ann = bearer(issuer.token_of("ann"));
  const std::string ben = bearer(issuer.token_of("ben"));
  const RawAnswer begun = bridge.post(
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},)"
      R"("clientInfo":{"name":"c","version":"1"}}})",
      ann);
  BOOST_TEST_REQUIRE(begun.status == 200);
  const std::string session =
      "MCP-Protocol-Version: 2025-06-18\r\nMcp-Session-Id: " + begun.field("mcp-session-id") + "\r\n";
  const std::string list = R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})";
  BOOST_TEST(bridge.post(list, session + ann).status == 200);
  BOOST_TEST(bridge.post(list, session + ben).status == 404);
  BOOST_TEST(bridge.post(list, session).status == 401);
}

/// 2026-07-28 basic/authorization, access token privilege restriction: it is for this server, and for no other.
BOOST_FIXTURE_TEST_CASE(a_token_goes_no_further_than_the_bridge, AuthorizationFixture) {
  RemoteScript far("2026-07-28", {{"tools/list",
                                   [](const RemoteRequest& request) {
                                     return result(request, R"({"tools":[{"name":"run","inputSchema":{"type":"object",
"properties":{"text":{"type":"string"}}}}]})");
                                   }},
                                  {"tools/call", [](const RemoteRequest& request) {
                                     return result(request, R"({"content":[{"type":"text","text":"far away"}]})");
                                   }}});
  const std::string near =
      "env > '" + path("environment") + "'; tee '" + path("input") + "' | " TOOLWIRE_BIN_DIR "/mcp_back_end";
  JsonObject servers{{"far", {{"type", "http"}, {"url", far.server().url("/mcp")}}},
                     {"near", {{"command", "/bin/sh"}, {"args", {"-c", near}}}}};
  folder.file("mcp.json",
              to_json_text(JsonObject{
                  {"mcpServers", std::move(servers)},
                  {"toolwire", {{"authorization", {{"issuer", issuer.url}, {"resource", issuer.resource}}}}}}));
  Listening bridge(*this);
  const std::string token = issuer.token_of("ann");
  const RawAnswer there = bridge.call(bearer(token), "run");
  BOOST_TEST(there.status == 200);
  BOOST_TEST(has(there.body, "far away"), there.body);
  BOOST_TEST(has(bridge.call(bearer(token)).body, "over HTTP"));
  const RawAnswer begun = bridge.post(
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},)"
      R"("clientInfo":{"name":"c","version":"1"}}})",
      bearer(token));
  const std::string session = "Mcp-Session-Id: " + begun.field("mcp-session-id") + "\r\n";
  for (const std::string tool : {"run", "echo"}) {
    const RawAnswer called = bridge.post(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":")" + tool +
                                             R"(","arguments":{"text":"in a session"}}})",
                                         session + bearer(token));
    BOOST_TEST(called.status == 200);
    BOOST_TEST(has(called.body, tool == "run" ? "far away" : "in a session"), called.body);
  }
  bridge.end();

  const auto signature = token.substr(token.rfind('.') + 1);
  const auto is_clean = [&](const std::string& text) {
    return !has(text, signature) && !has(text, begun.field("mcp-session-id"));
  };
  BOOST_TEST(far.requests("tools/call").size() == 2U);
  for (const std::string& text : far.server().requests()) {
    BOOST_TEST(is_clean(text), text);
    BOOST_TEST(!has(text, "uthorization:"), text);
  }
  BOOST_TEST(has(content_of(path("input")), "in a session"));
  BOOST_TEST(is_clean(content_of(path("input"))));
  BOOST_TEST(has(content_of(path("environment")), "PATH="));
  BOOST_TEST(is_clean(content_of(path("environment"))));
}

BOOST_FIXTURE_TEST_CASE(no_token_is_in_the_log, AuthorizationFixture) {
  Listening bridge(*this);
  JsonObject expired = issuer.claims();
  expired["exp"] = 1;
  std::vector<std::string> tokens{issuer.token_of("ann"), issuer.token(expired), issuer.token_of("ben") + "x",
                                  issuer.token(R"({"alg":"ES256","typ":"at+jwt","kid":"unknown"})", "{}"),
                                  "not-even-a-token-but-a-secret"};
  for (const std::string& token : tokens) {
    const RawAnswer answer = bridge.call(bearer(token));
    BOOST_TEST(answer.status == (token == tokens.front() ? 200 : 401));
    BOOST_TEST(!has(answer.body, token));
    for (const auto& [name, value] : answer.fields) BOOST_TEST(!has(value, token));
  }
  const std::string log = bridge.end();
  BOOST_TEST(has(log, "listening on"));
  for (const std::string& token : tokens) {
    BOOST_TEST(!has(log, token.substr(0, 20)), log);
    BOOST_TEST(!has(log, token.substr(token.size() - 20)), log);
  }
}

BOOST_FIXTURE_TEST_CASE(an_issuer_that_is_ill_lets_nobody_in_and_keeps_nobody_out, AuthorizationFixture) {
  {
    set(&ReachableIssuer::is_ill, true);
    const Listening bridge(*this);
    const RawAnswer answer = bridge.call(bearer(issuer.token_of("ann")));
    BOOST_TEST(answer.status == 503);
    BOOST_TEST(answer.field("retry-after") == "1");
    BOOST_TEST(bridge.logs("the keys of " + issuer.url +
                           " cannot be had (no metadata was found: it answers with status 500)"));
  }
  set(&ReachableIssuer::is_ill, false);
  std::filesystem::remove(path("log"));
  const Listening bridge(*this);
  BOOST_TEST(bridge.call(bearer(issuer.token_of("ann"))).status == 200);
  set(&ReachableIssuer::is_ill, true);
  BOOST_TEST(bridge.call(bearer(issuer.token_of("ben"))).status == 200);
  BOOST_TEST(bridge.call("").status == 401);
}

BOOST_FIXTURE_TEST_CASE(the_metadata_of_another_issuer_gives_no_keys, AuthorizationFixture) {
  set(&ReachableIssuer::is_another, true);
  const Listening bridge(*this);
  BOOST_TEST(bridge.call(bearer(issuer.token_of("ann"))).status == 503);
  BOOST_TEST(bridge.logs("it is that of another issuer"));
  BOOST_TEST(server.requests().size() == 1U);
}

BOOST_FIXTURE_TEST_CASE(nothing_is_served_without_what_is_configured, AuthorizationFixture) {
  struct Mistake {
    std::vector<std::string> arguments;
    std::string said;
  };
  const auto tokens = folder.file("tokens", "ann 0123456789abcdef0123456789abcdef\n");
  std::filesystem::permissions(tokens, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  const std::vector<Mistake> mistakes{
      {{"serve", path("mcp.json"), "--listen", "http://127.0.0.1:0/mcp", "--token-file", tokens.string()},
       "the configuration has \"authorization\"; expected one of the two"},
      {{"serve", path("mcp.json"), "--listen", "http://0.0.0.0:0/mcp"}, "name the hosts"},
      {{"http", path("mcp.json")}, "\"authorization\" is for \"serve --listen http://…\""}};
  for (const Mistake& mistake : mistakes) {
    const ProgramRun ended = run_program(program(mistake.arguments));
    BOOST_TEST(ended.status == 2, mistake.said);
    BOOST_TEST(has(ended.errors, mistake.said), ended.errors);
  }
  configure({{"issuer", "http://login.example.com"}, {"resource", issuer.resource}});
  const ProgramRun refused = run_program(listening());
  BOOST_TEST(refused.status == 2);
  BOOST_TEST(has(refused.errors, "/toolwire/authorization/issuer: expected https://"), refused.errors);
  const ProgramRun checked = run_program(program({"check", path("mcp.json")}));
  BOOST_TEST(checked.status == 1);
  BOOST_TEST(has(checked.out, "/toolwire/authorization/issuer: expected https://"), checked.out);
}

BOOST_FIXTURE_TEST_CASE(how_the_bridge_is_doing_is_told_to_who_may_call, AuthorizationFixture) {
  const Listening bridge(*this);
  const std::string token = bearer(issuer.token_of("ann"));
  BOOST_TEST(bridge.call(token).status == 200);
  const RawAnswer metrics = bridge.get("/metrics", token);
  BOOST_TEST(metrics.status == 200);
  BOOST_TEST(has(metrics.body, "echo"), metrics.body);
  const RawAnswer status = bridge.get("/status.json", token);
  BOOST_TEST(parse_json(status.body).at("back_ends").at(0).at("name") == Json("many"));
  BOOST_TEST(has(bridge.get("/status", token).body, "<table"));
  for (const char* const path : {"/metrics", "/status", "/status.json"})
    BOOST_TEST(bridge.get(path).status == 401, path);
  BOOST_TEST(bridge.get("/health").status == 200);
}

/// Here a test stands in for the proxy; see bridge_authorization_test for what may be configured.
BOOST_FIXTURE_TEST_CASE(a_proxy_says_who_calls, AuthorizationFixture) {
  const std::string secret = "0123456789abcdef0123456789abcdef";
  const auto file = folder.file("proxy-secret", secret + "\n");
  std::filesystem::permissions(file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  configure({{"proxy", JsonObject{{"principal_field", "X-User"},
                                  {"secret_field", "X-Proxy-Secret"},
                                  {"secret_file", "proxy-secret"}}}});
  Listening bridge(*this);
  BOOST_TEST(bridge.call("X-User: ann\r\nX-Proxy-Secret: " + secret + "\r\n").status == 200);
  BOOST_TEST(bridge.call("X-User: ann\r\n").status == 401);
  BOOST_TEST(bridge.call("X-Proxy-Secret: " + secret + "\r\n").status == 401);
  BOOST_TEST(bridge.call("X-User: ann\r\nX-Proxy-Secret: " + secret + "x\r\n").status == 401);
  BOOST_TEST(!has(bridge.end(), secret), "the log shows the secret");

  std::filesystem::permissions(file, std::filesystem::perms::group_read, std::filesystem::perm_options::add);
  const ProgramRun refused = run_program(listening());
  BOOST_TEST(refused.status == 2);
  BOOST_TEST(has(content_of(path("log")), "\"secret_file\": expected a file of yours"));
}

namespace {

/// A server whose tools need scopes, all of it one and `echo` another.
void configure_scopes(const AuthorizationFixture& fixture, const JsonObject& authorization, JsonObject more = {}) {
  JsonObject own{{"authorization", authorization},
                 {"servers", {{"many", {{"scopes", JsonArray{"many"}}}}}},
                 {"tools", {{"many/e*", {{"scopes", JsonArray{"texts"}}}}, {"many/echo", {{"rate_per_minute", 100}}}}}};
  for (const auto& [name, value] : more) own[name] = value;
  fixture.folder.file(
      "mcp.json", to_json_text(JsonObject{{"mcpServers", {{"many", {{"command", TOOLWIRE_BIN_DIR "/mcp_back_end"}}}}},
                                          {"toolwire", std::move(own)}}));
}

std::string token_with(const JwtIssuer& issuer, const std::string& scopes) {
  JsonObject claims = issuer.claims();
  claims["scope"] = scopes;
  return bearer(issuer.token(claims));
}

std::string challenge_of(const RawAnswer& answer) {
  return std::to_string(answer.status) + " " + answer.field("www-authenticate");
}

const std::string where = ", resource_metadata=\"http://127.0.0.1:8080/.well-known/oauth-protected-resource/mcp\"";

std::string needs(const std::string& scopes) {
  return "403 Bearer error=\"insufficient_scope\", scope=\"" + scopes + "\"" + where;
}

}  // namespace

/// 2026-07-28 basic/authorization, scope challenge handling: all that a call needs, at once.
BOOST_FIXTURE_TEST_CASE(a_tool_may_need_more_scopes_than_others, AuthorizationFixture) {
  configure_scopes(*this, {{"issuer", issuer.url},
                           {"resource", issuer.resource},
                           {"scopes", JsonArray{"tools"}},
                           {"scopes_supported", JsonArray{"many"}},
                           {"implied_scopes", {{"all", JsonArray{"many", "texts"}}}}});
  const Listening bridge(*this);
  BOOST_TEST(challenge_of(bridge.call(token_with(issuer, "tools"))) == needs("many texts tools"));
  BOOST_TEST(challenge_of(bridge.call(token_with(issuer, "tools many"))) == needs("many texts tools"));
  BOOST_TEST(bridge.call(token_with(issuer, "tools many texts")).status == 200);
  BOOST_TEST(bridge.call(token_with(issuer, "tools all")).status == 200);
  BOOST_TEST(challenge_of(bridge.call(token_with(issuer, "tools"), "structured")) == needs("many tools"));
  BOOST_TEST(challenge_of(bridge.call(token_with(issuer, "many texts"))) ==
             "403 Bearer error=\"insufficient_scope\", scope=\"tools\"" + where);
  BOOST_TEST(parse_json(bridge.get("/.well-known/oauth-protected-resource").body).at("scopes_supported") ==
             Json(JsonArray{"tools", "many"}));
}

/// A batch of 2025-03-26 has one status.
BOOST_FIXTURE_TEST_CASE(a_batch_with_a_call_that_needs_more_is_refused, AuthorizationFixture) {
  configure_scopes(*this, {{"issuer", issuer.url}, {"resource", issuer.resource}});
  const Listening bridge(*this);
  const std::string token = token_with(issuer, "tools");
  const RawAnswer begun = bridge.post(
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},)"
      R"("clientInfo":{"name":"c","version":"1"}}})",
      token);
  const std::string session = "Mcp-Session-Id: " + begun.field("mcp-session-id") + "\r\n";
  const std::string batch =
      R"([{"jsonrpc":"2.0","id":2,"method":"ping"},{"jsonrpc":"2.0","id":3,"method":"tools/call",)"
      R"("params":{"name":"echo","arguments":{"text":"x"}}}])";
  BOOST_TEST(challenge_of(bridge.post(batch, session + token)) == needs("many texts tools"));
  const RawAnswer served = bridge.post(batch, session + token_with(issuer, "many texts"));
  BOOST_TEST(served.status == 200);
  BOOST_TEST(has(served.body, "\"id\":3,\"result\""), served.body);
}

/// The tool that calls others is no way around their scopes.
BOOST_FIXTURE_TEST_CASE(what_is_found_by_search_needs_its_scopes, AuthorizationFixture) {
  configure_scopes(*this, {{"issuer", issuer.url}, {"resource", issuer.resource}}, {{"search", true}});
  const Listening bridge(*this);
  const auto called = [&](const std::string& scopes) {
    return bridge.call(token_with(issuer, scopes), "call_tool", R"({"name":"echo","arguments":{"text":"found"}})");
  };
  BOOST_TEST(challenge_of(called("tools")) == needs("many texts tools"));
  BOOST_TEST(has(called("many texts").body, "found"));
}

BOOST_FIXTURE_TEST_CASE(a_proxy_says_which_scopes, AuthorizationFixture) {
  const std::string secret = "0123456789abcdef0123456789abcdef";
  const auto file = folder.file("proxy-secret", secret + "\n");
  std::filesystem::permissions(file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  JsonObject proxy{{"principal_field", "X-User"}, {"secret_field", "X-Proxy-Secret"}, {"secret_file", "proxy-secret"}};
  configure_scopes(*this, {{"proxy", proxy}});
  const ProgramRun without = run_program(listening());
  BOOST_TEST(without.status == 2);
  BOOST_TEST(has(without.errors, "/toolwire/authorization/proxy: expected \"scopes_field\" too"), without.errors);
  proxy["scopes_field"] = "X-Scopes";
  configure({{"proxy", proxy}});
  const ProgramRun useless = run_program(listening());
  BOOST_TEST(useless.status == 2);
  BOOST_TEST(has(useless.errors, "/toolwire/authorization/proxy/scopes_field: nothing follows"), useless.errors);
  configure_scopes(*this, {{"proxy", proxy}});
  const Listening bridge(*this);
  const std::string ann = "X-User: ann\r\nX-Proxy-Secret: " + secret + "\r\n";
  BOOST_TEST(bridge.call(ann + "X-Scopes: many texts\r\n").status == 200);
  BOOST_TEST(challenge_of(bridge.call(ann + "X-Scopes: many\r\n")) ==
             "403 Bearer error=\"insufficient_scope\", scope=\"many texts\"");
  BOOST_TEST(bridge.call(ann).status == 403);
}

/// Tools that nobody could call over HTTP, and settings of scopes that nobody would look at.
BOOST_FIXTURE_TEST_CASE(scopes_that_cannot_be_meant_start_nothing, AuthorizationFixture) {
  const JsonObject plain{{"issuer", issuer.url}, {"resource", issuer.resource}};
  const auto refused = [&](const std::string& said) {
    const ProgramRun ended = run_program(listening());
    BOOST_TEST(ended.status == 2, said);
    BOOST_TEST(has(ended.errors, said), ended.errors);
  };
  configure_scopes(*this, plain, {{"authorization", nullptr}});
  refused("tools need scopes (\"scopes\"), and nobody would have any");
  configure_scopes(*this, plain, {{"servers", {{"many", {{"scopes", "many"}}}}}});
  refused("/toolwire/servers/many/scopes: expected an array");
  configure_scopes(*this, plain, {{"servers", {{"many", {{"scopes", JsonArray()}}}}}});
  refused("/toolwire/servers/many/scopes: expected an array");
  configure_scopes(*this, plain, {{"tools", {{"many/echo", {{"scopes", JsonArray{"two words"}}}}}}});
  refused("/toolwire/tools/many~1echo/scopes: expected an array of names of scopes");
  JsonObject implying = plain;
  implying["implied_scopes"] = JsonObject{{"all", JsonArray{"many"}}};
  configure(implying);
  refused("/toolwire/authorization/implied_scopes: nothing follows");
  configure_scopes(*this, plain, {{"authorization", nullptr}});
  const ProgramRun local = run_program(program({"serve", path("mcp.json"), "--call", "echo", R"({"text":"here"})"}));
  BOOST_TEST(local.status == 0, local.errors);  // whoever starts it may do all
}

BOOST_FIXTURE_TEST_CASE(a_file_of_tokens_says_which_scopes, AuthorizationFixture) {
  const std::string token = "0123456789abcdef0123456789abcdef";
  const auto file = folder.file("tokens", "ann " + token + " many texts\nben " + token + "x many\n");
  std::filesystem::permissions(file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  configure_scopes(*this, {}, {{"authorization", nullptr}});
  const Listening bridge(*this, {"--token-file", file.string()});
  BOOST_TEST(bridge.call(bearer(token)).status == 200);
  BOOST_TEST(challenge_of(bridge.call(bearer(token + "x"))) ==
             "403 Bearer error=\"insufficient_scope\", scope=\"many texts\"");
}

/// An edit counts from the next call on; what would be served without its scopes stays as it was.
BOOST_FIXTURE_TEST_CASE(an_edit_of_scopes_counts_at_once, AuthorizationFixture) {
  const JsonObject plain{{"issuer", issuer.url}, {"resource", issuer.resource}};
  configure_scopes(*this, plain);
  const Listening bridge(*this);
  const std::string token = token_with(issuer, "many texts");
  BOOST_TEST(bridge.call(token).status == 200);
  configure_scopes(*this, plain, {{"tools", {{"many/echo", {{"scopes", JsonArray{"more"}}}}}}});
  BOOST_TEST(eventually([&] { return bridge.call(token).status == 403; }));
  BOOST_TEST(challenge_of(bridge.call(token)) == needs("many more texts"));
}

BOOST_FIXTURE_TEST_CASE(a_host_of_this_machine_needs_no_token, AuthorizationFixture) {
  const ProgramRun listed = run_program(program({"serve", path("mcp.json"), "--list"}));
  BOOST_TEST(listed.status == 0, listed.errors);
  BOOST_TEST(has(listed.out, "echo"), listed.out);
  BOOST_TEST(run_program(program({"check", path("mcp.json")})).status == 0);
}

BOOST_FIXTURE_TEST_CASE(without_openssl_the_start_says_what_to_install, AuthorizationFixture) {
  folder.file("libcrypto.so.3", "no library");
  Program without = program({"serve", path("mcp.json"), "--listen", "http://127.0.0.1:0/mcp"});
  without.environment["LD_LIBRARY_PATH"] = folder.text();
  const ProgramRun ended = run_program(without);
  BOOST_TEST(ended.status != 0);
  BOOST_TEST(has(ended.errors, "signed tokens need OpenSSL 3 (on Debian: apt-get install libssl3)"), ended.errors);
}
