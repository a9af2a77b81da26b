// Scopes of single tools, prompts and resources (ToolInfo::scopes): over HTTP who lacks one is told so before anything
// is done (2026-07-28 and 2025-11-25 basic/authorization, scope challenge handling), elsewhere where callers are named.
#include <toolwire/server.hpp>

#define BOOST_TEST_MODULE scopes_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <toolwire/json_members.hpp>
#include "http_recorder.hpp"
#include "toolwire/testing.hpp"

using namespace toolwire;
using namespace toolwire::test;

namespace {

using Scopes = std::vector<std::string>;

const http::ProtectedResource known{.resource = "https://mcp.example.com/mcp",
                                    .authorization_servers = {"https://login.example.com"},
                                    .scopes = {"tools"},
                                    .implied_scopes = {{"admin", {"files"}}, {"files", {"files:read", "files:write"}}}};
const std::string metadata = ", resource_metadata=\"https://mcp.example.com/.well-known/oauth-protected-resource/mcp\"";

struct Note {
  std::string name;
  static constexpr auto describe() { return fields(field<&Note::name>("Of the note")); }
};

/// `meta.caller` names who calls, and `meta.scopes` what that one has.
void identify(const UnidentifiedRequest& request, Done<Principal> done) {
  Scopes scopes;
  if (const JsonArray* const list = array_member(request.meta, "scopes")) {
    for (const Json& one : *list) scopes.emplace_back(one.get_string());
  }
  done(Principal(text_or(request.meta, "caller"), std::move(scopes)));
}

struct ScopesFixture {
  explicit ScopesFixture(ServerOptions options = {}, http::HandlerOptions handled = {.resource = known})
      : server({"s", "1"}, std::move(options)), handler(server, patient(std::move(handled))) {
    const auto counted = [this] {
      ++runs;
      return "done";
    };
    server.tool("open", "For everybody", counted);
    server.tool({.name = "read", .scopes = {"files:read"}}, counted);
    server.tool({.name = "write", .scopes = {"files:read", "files:write"}}, counted);
    server.tool({.name = "task", .long_running = true, .only_as_task = true, .scopes = {"files:write"}}, counted);
    server.tool({.name = "by_name",
                 .input_schema = JsonObject{{"type", "object"}},
                 .scopes = {"files:read"},
                 .scopes_of_call =
                     [](const Json& arguments) {
                       if (text_member(arguments, "name") == "broken") throw std::runtime_error("no directory");
                       return Scopes{"file:" + text_or(arguments, "name")};
                     }},
                [counted](const Json&) { return counted(); });
    server.prompt({.name = "review", .completers = {{"name", suggests}}, .scopes = {"prompts"}},
                  [](const Note& note) { return note.name; });
    server.resource({.uri = "note://secret", .subscribable = true, .scopes = {"notes"}}, [] { return "text"; });
    server.resource_template({.uri_template = "page://{name}", .complete = {{"name", suggests}}, .scopes = {"pages"}},
                             [](const Note& note) { return note.name; });
  }
  static Completion suggests(std::string_view, const CompletionContext&) { return {{"a"}}; }

  std::shared_ptr<HttpRecorder> sent(http::Request request, Scopes scopes, const std::string& who = "ann") {
    request.principal = Principal(who, std::move(scopes));
    return send(handler, std::move(request));
  }
  std::string challenged(http::Request request, Scopes scopes = {"tools"}, const std::string& who = "ann") {
    const auto answer = sent(std::move(request), std::move(scopes), who);
    if (answer->status() != 403) return std::to_string(answer->status()) + " " + answer->body();
    const Json error = answer->json().at("error");
    BOOST_TEST(error.at("code") == Json(403));
    BOOST_TEST(error.at("data").at("code") == Json("insufficient_scope"));
    return answer->field("WWW-Authenticate");
  }

  std::atomic<int> runs{0};
  Server server;
  http::Handler handler;
};

std::string needs(const std::string& scopes) {
  return "Bearer error=\"insufficient_scope\", scope=\"" + scopes + "\"" + metadata;
}

/// In a session of a revision with a handshake.
http::Request in_session(ScopesFixture& fixture, const std::string& version, const std::string& body, Scopes scopes) {
  http::Request begin = post_of(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":")" +
                                version + R"(","capabilities":{},"clientInfo":{"name":"c","version":"1"}}})");
  http::Request request = post_of(body);
  with(request, "Mcp-Session-Id", fixture.sent(std::move(begin), std::move(scopes))->field("Mcp-Session-Id"));
  return with(request, "MCP-Protocol-Version", version);
}

std::string call_of(const std::string& tool, int id) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"tools/call","params":{"name":")" + tool +
         R"(","arguments":{}}})";
}

}  // namespace

// Over HTTP

BOOST_FIXTURE_TEST_CASE(a_call_without_the_scope_is_told_all_that_it_needs_and_nothing_is_run, ScopesFixture) {
  BOOST_TEST(challenged(modern_call("write")) == needs("files:read files:write tools"));
  BOOST_TEST(challenged(modern_call("write"), {"tools", "files:read"}) == needs("files:read files:write tools"));
  BOOST_TEST(challenged(modern_call("read"), {}) == needs("files:read tools"));
  const auto refused = sent(modern_call("read"), {});
  BOOST_TEST(refused->json().at("id") == Json(1));
  BOOST_TEST(refused->json().at("error").at("data").at("scopes") == Json(JsonArray{"files:read"}));
  BOOST_TEST(!refused->is_stream());
  BOOST_TEST(runs == 0);
  BOOST_TEST(sent(modern_call("write"), {"files:write", "files:read"})->status() == 200);
  BOOST_TEST(sent(modern_call("open"), {})->status() == 200);
  BOOST_TEST(runs == 2);
}

/// So that a client which asks for exactly these keeps what it has (2025-11-25, the recommended approach); but for what
/// no resource needs (2026-07-28, refresh tokens).
BOOST_FIXTURE_TEST_CASE(what_the_caller_has_is_named_too, ScopesFixture) {
  BOOST_TEST(challenged(modern_call("read"), {"tools", "mail", "offline_access"}) == needs("files:read tools mail"));
}

BOOST_FIXTURE_TEST_CASE(a_broader_scope_is_enough, ScopesFixture) {
  for (const char* const scope : {"files", "admin"}) BOOST_TEST(sent(modern_call("write"), {scope})->status() == 200);
  BOOST_TEST(challenged(modern_call("write"), {"files:"}) == needs("files:read files:write tools files:"));
}

BOOST_FIXTURE_TEST_CASE(who_is_nobody_has_no_scopes, ScopesFixture) {
  BOOST_TEST(challenged(modern_call("read"), {}, "") == needs("files:read tools"));
  BOOST_TEST(challenged(modern_call("read"), {"files:read"}, "").starts_with("200"));  // a program may know this much
}

BOOST_AUTO_TEST_CASE(without_a_resource_nothing_is_said_of_its_metadata) {
  ScopesFixture fixture({}, {});
  BOOST_TEST(fixture.challenged(modern_call("read")) ==
             "Bearer error=\"insufficient_scope\", scope=\"files:read tools\"");
}

BOOST_FIXTURE_TEST_CASE(prompts_and_resources_need_theirs, ScopesFixture) {
  const JsonObject arguments{{"name", "x"}};
  BOOST_TEST(challenged(modern("prompts/get", {{"name", "review"}, {"arguments", arguments}})) ==
             needs("prompts tools"));
  BOOST_TEST(challenged(modern("resources/read", {{"uri", "note://secret"}})) == needs("notes tools"));
  BOOST_TEST(challenged(modern("resources/read", {{"uri", "page://one"}})) == needs("pages tools"));
  const auto complete = [](const JsonObject& reference) {
    return modern("completion/complete", {{"ref", reference}, {"argument", {{"name", "name"}, {"value", ""}}}});
  };
  BOOST_TEST(challenged(complete({{"type", "ref/prompt"}, {"name", "review"}})) == needs("prompts tools"));
  BOOST_TEST(challenged(complete({{"type", "ref/resource"}, {"uri", "page://{name}"}})) == needs("pages tools"));
  BOOST_TEST(
      challenged(modern("subscriptions/listen",
                        {{"notifications", {{"resourceSubscriptions", JsonArray{"note://secret", "x://y"}}}}})) ==
      needs("notes tools"));
  BOOST_TEST(sent(modern("prompts/get", {{"name", "review"}, {"arguments", arguments}}), {"prompts"})->status() == 200);
  BOOST_TEST(sent(modern("resources/read", {{"uri", "page://one"}}), {"pages"})->status() == 200);
}

BOOST_FIXTURE_TEST_CASE(a_task_needs_them_before_it_is_promised, ScopesFixture) {
  const JsonObject follows{{"extensions", {{"io.modelcontextprotocol/tasks", JsonObject()}}}};
  BOOST_TEST(challenged(modern_call("task", {}, {}, follows)) == needs("files:write tools"));
  BOOST_TEST(sent(modern_call("task", {}, {}, follows), {"files:write"})->json().at("result").at("resultType") ==
             Json("task"));
}

BOOST_FIXTURE_TEST_CASE(what_a_call_needs_may_depend_on_its_arguments, ScopesFixture) {
  BOOST_TEST(challenged(modern_call("by_name", {{"name", "a"}})) == needs("files:read file:a tools"));
  BOOST_TEST(sent(modern_call("by_name", {{"name", "a"}}), {"files:read", "file:a"})->status() == 200);
  BOOST_TEST(challenged(modern_call("by_name", {{"name", "b"}}), {"files:read", "file:a"}) ==
             needs("files:read file:b tools file:a"));
  const auto untold = sent(modern_call("by_name", {{"name", "broken"}}), {"files:read", "file:broken"});
  BOOST_TEST(untold->json().at("error").at("code") == Json(error_code::internal_error));
  BOOST_TEST(runs == 1);
}

BOOST_FIXTURE_TEST_CASE(of_what_is_hidden_nothing_is_told, ScopesFixture) {
  server.tool({.name = "hidden",
               .visible = [](Context& context) { return context.principal().id == "root"; },
               .scopes = {"files:write"}},
              [] { return "there"; });
  const auto answer = [&](const char* tool) {
    std::string body = sent(modern_call(tool), {})->body();
    for (std::size_t at = body.find(tool); at != std::string::npos; at = body.find(tool))
      body.replace(at, std::string(tool).size(), "$");
    return body;
  };
  BOOST_TEST(answer("hidden") == answer("nowhere"));
  BOOST_TEST(challenged(modern_call("hidden"), {}, "root") == needs("files:write tools"));
}

BOOST_FIXTURE_TEST_CASE(every_revision_has_the_status, ScopesFixture) {
  for (const char* const version : {"2025-03-26", "2025-06-18", "2025-11-25"}) {
    BOOST_TEST_CONTEXT(version) {
      BOOST_TEST(challenged(in_session(*this, version, call_of("read", 2), {})) == needs("files:read tools"));
      BOOST_TEST(sent(in_session(*this, version, call_of("read", 2), {}), {"files:read"})->status() == 200);
      BOOST_TEST(challenged(in_session(
                     *this, version,
                     R"({"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"note://secret"}})",
                     {})) == needs("notes tools"));
    }
  }
}

/// It has one status, and a client that comes again with another token sends all of it again.
BOOST_FIXTURE_TEST_CASE(a_batch_is_refused_as_a_whole, ScopesFixture) {
  const std::string batch = "[" + call_of("open", 2) + "," + call_of("read", 3) + "," + call_of("write", 4) + "]";
  const http::Request request = in_session(*this, "2025-03-26", batch, {});
  BOOST_TEST(challenged(request) == needs("files:read files:write tools"));
  BOOST_TEST(challenged(request, {"files:read"}) == needs("files:read files:write tools"));
  BOOST_TEST(runs == 0);
  const auto served = sent(request, {"files:read", "files:write"});
  BOOST_TEST(served->status() == 200);
  BOOST_TEST(served->json().as_array().size() == 3u);
  BOOST_TEST(runs == 3);
}

/// The handler cannot know then, and the answer has the status.
BOOST_AUTO_TEST_CASE(who_is_identified_later_is_judged_then) {
  ServerOptions options;
  options.identify = identify;
  ScopesFixture fixture(std::move(options));
  const auto call = [](JsonArray scopes) {
    return modern_call("read", {}, {{"caller", "ben"}, {"scopes", std::move(scopes)}});
  };
  BOOST_TEST(fixture.challenged(call({}), {}, "") == needs("files:read tools"));
  BOOST_TEST(fixture.challenged(modern_call("read"), {}, "") == needs("files:read tools"));  // still nobody
  BOOST_TEST(fixture.runs == 0);
  BOOST_TEST(fixture.sent(call({"files:read"}), {}, "")->status() == 200);
}

/// Only a refusal for scopes is one, whatever codes a program has for its errors.
BOOST_FIXTURE_TEST_CASE(errors_of_a_tool_are_not_taken_for_it, ScopesFixture) {
  server.tool("own", "Fails", []() -> std::string { throw ProtocolError(403, "mine", JsonObject{{"code", "other"}}); });
  const auto answer = sent(modern_call("own"), {});
  BOOST_TEST(answer->status() == 200);
  BOOST_TEST(answer->field("WWW-Authenticate") == "");
}

// Elsewhere

BOOST_FIXTURE_TEST_CASE(whoever_has_started_the_server_may_do_all, ScopesFixture) {
  for (const auto& revision : known_revisions()) {
    testing::Client client(server, {.revision = std::string(revision)});
    BOOST_TEST(client.call("write").text() == "done");
    BOOST_TEST(read_resource(client, "note://secret").at(0).contents == "text");
  }
}

BOOST_AUTO_TEST_CASE(where_callers_are_named_they_need_scopes_on_streams_too) {
  ServerOptions options;
  options.identify = identify;
  ScopesFixture fixture(std::move(options));
  testing::Client client(fixture.server, {.revision = "2025-11-25"});
  const auto refusal = [&](const char* method, JsonObject params, JsonObject meta) {
    params["_meta"] = std::move(meta);
    try {
      client.request(method, std::move(params));
    } catch (const ProtocolError& error) {
      return std::to_string(error.code) + " " + to_json_text(error.data.at("scopes"));
    }
    return std::string("none");
  };
  const JsonObject ann{{"caller", "ann"}, {"scopes", JsonArray{"files:read"}}};
  BOOST_TEST(refusal("tools/call", {{"name", "write"}}, ann) == R"(403 ["files:read","files:write"])");
  BOOST_TEST(refusal("tools/call", {{"name", "read"}}, ann) == "none");
  BOOST_TEST(refusal("tools/call", {{"name", "write"}}, {}) == "none");  // nobody in particular, as on any pipe
  BOOST_TEST(refusal("prompts/get", {{"name", "review"}, {"arguments", {{"name", "x"}}}}, ann) == R"(403 ["prompts"])");
  BOOST_TEST(refusal("resources/read", {{"uri", "page://x"}}, ann) == R"(403 ["pages"])");
  BOOST_TEST(refusal("resources/subscribe", {{"uri", "note://secret"}}, ann) == R"(403 ["notes"])");
  BOOST_TEST(
      refusal("completion/complete",
              {{"ref", {{"type", "ref/prompt"}, {"name", "review"}}}, {"argument", {{"name", "name"}, {"value", ""}}}},
              ann) == R"(403 ["prompts"])");
}

BOOST_FIXTURE_TEST_CASE(what_is_mounted_needs_what_it_needs, ScopesFixture) {
  Server outer({"outer", "1"});
  outer.mount("inner", server);
  http::Handler other(outer, patient({.resource = known}));
  http::Request request = modern_call("inner_read");
  request.principal = "ann";
  BOOST_TEST(send(other, request)->status() == 403);
  request.principal = Principal("ann", {"files:read"});
  BOOST_TEST(send(other, request)->status() == 200);
}

BOOST_FIXTURE_TEST_CASE(a_server_says_what_a_tool_needs, ScopesFixture) {
  BOOST_TEST(server.needed_scopes("by_name", JsonObject{{"name", "a"}}) == (Scopes{"files:read", "file:a"}));
  BOOST_TEST(server.needed_scopes("open", JsonObject()).empty());
  BOOST_TEST(server.needed_scopes("nowhere", JsonObject()).empty());
}

// What cannot be meant

BOOST_AUTO_TEST_CASE(what_is_no_scope_is_refused) {
  Server server({"s", "1"});
  const auto says = [](const char* name) {
    return [name](const std::invalid_argument& error) {
      const std::string text = error.what();
      return text.find(name) != std::string::npos && text.find("a scope has") != std::string::npos;
    };
  };
  for (const char* const scope : {"", "two words", "a\"b", "a\\b", "a\n", "\xc3\xa4"}) {
    BOOST_CHECK_EXCEPTION(server.tool({.name = "t", .scopes = {"a", scope}}, [] { return 1; }), std::invalid_argument,
                          says("tool \"t\""));
    BOOST_CHECK_EXCEPTION(server.prompt({.name = "p", .scopes = {scope}}, [] { return "x"; }), std::invalid_argument,
                          says("prompt \"p\""));
    BOOST_CHECK_EXCEPTION(server.resource({.uri = "x://y", .scopes = {scope}}, [] { return "x"; }),
                          std::invalid_argument, says("x://y"));
    BOOST_CHECK_EXCEPTION(
        server.resource_template({.uri_template = "x://{name}", .scopes = {scope}}, [](const Note&) { return "x"; }),
        std::invalid_argument, says("x://{name}"));
    const auto refused = [&](const std::function<void(http::ProtectedResource&)>& change) {
      http::HandlerOptions options{.resource = known};
      change(*options.resource);
      BOOST_CHECK_THROW(http::Handler(server, options), std::invalid_argument);
    };
    refused([&](http::ProtectedResource& resource) { resource.offered_scopes = {scope}; });
    refused([&](http::ProtectedResource& resource) { resource.implied_scopes = {{scope, {"a"}}}; });
    refused([&](http::ProtectedResource& resource) { resource.implied_scopes = {{"a", {scope}}}; });
    refused([&](http::ProtectedResource& resource) { resource.implied_scopes = {{"a", {}}}; });
  }
}

BOOST_AUTO_TEST_CASE(scopes_that_imply_each_other_come_to_an_end) {
  const http::ProtectedResource circle{.implied_scopes = {{"a", {"b"}}, {"b", {"a", "c"}}}};
  Principal principal("ann", {"a"});
  http::grant_implied(principal, circle);
  BOOST_TEST(principal.scopes == (Scopes{"a", "b", "c"}));
}

BOOST_AUTO_TEST_CASE(metadata_lists_what_clients_may_begin_with) {
  http::ProtectedResource resource = known;
  const auto supported = [&] { return parse_json(http::metadata_reply(resource, "GET").body).at("scopes_supported"); };
  BOOST_TEST(supported() == Json(JsonArray{"tools"}));
  resource.offered_scopes = {"files:read", "tools"};
  BOOST_TEST(supported() == Json(JsonArray{"tools", "files:read"}));
}
