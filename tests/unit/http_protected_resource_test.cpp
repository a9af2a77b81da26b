// What a server says of the tokens that it takes: its metadata, and its challenges.
#include <toolwire/http/protected_resource.hpp>

#define BOOST_TEST_MODULE http_protected_resource_test
#include <boost/test/unit_test.hpp>

#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <toolwire/json.hpp>
#include <utility>
#include <vector>

#include "http_served.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

const http::ProtectedResource usual{.resource = "https://mcp.example.com/public/mcp",
                                    .authorization_servers = {"https://login.example.com"},
                                    .scopes = {"tools", "files:read"}};

/// Lets in whoever has a token, but not everybody may call.
void any_token(const http::Request& head, Done<Principal> done) {
  for (const http::Field& field : head.fields) {
    if (field.name != "Authorization") continue;
    if (field.value == "Bearer of-ann") return done("ann");
    return done.fail(
        std::make_exception_ptr(http::NotAllowed("this needs more", http::challenge(usual, "insufficient_scope"))));
  }
  done.fail(std::make_exception_ptr(http::NotAuthenticated("no token", http::challenge(usual))));
}

http::Port protected_port() {
  http::Port port = patient();
  port.authenticate = any_token;
  port.resource = usual;
  return port;
}

RawAnswer asked(const HttpServed& served, const std::string& method, const std::string& target,
                const std::string& host = "mcp.example.com") {
  RawHttp client = served.client();
  client.send(method + " " + target + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
  return client.answer(method == "HEAD").value();
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_address_of_the_metadata_has_the_path_inserted) {
  const std::map<std::string, std::string> addresses{
      {"https://mcp.example.com", "https://mcp.example.com/.well-known/oauth-protected-resource"},
      {"https://mcp.example.com/", "https://mcp.example.com/.well-known/oauth-protected-resource"},
      {"https://mcp.example.com/mcp", "https://mcp.example.com/.well-known/oauth-protected-resource/mcp"},
      {"https://mcp.example.com:8443/a/b/", "https://mcp.example.com:8443/.well-known/oauth-protected-resource/a/b/"},
      {"http://[::1]:80/mcp", "http://[::1]:80/.well-known/oauth-protected-resource/mcp"}};
  for (const auto& [resource, address] : addresses) BOOST_TEST(http::metadata_url({.resource = resource}) == address);
}

BOOST_AUTO_TEST_CASE(urls_that_cannot_be_meant_are_refused) {
  for (const char* const good :
       {"https://a.example", "https://a.example/", "https://a.example:1/x", "http://127.0.0.1:8080/mcp",
        "http://127.9.9.9", "http://localhost/mcp", "http://[::1]:9/mcp", "https://[2001:db8::1]/x"})
    BOOST_TEST(http::wrong_identifier(good) == "", good);
  for (const char* const wrong : {"",
                                  "a.example",
                                  "ftp://a.example",
                                  "HTTPS://a.example",
                                  "http://a.example",
                                  "http://127.evil.example",
                                  "http://localhost.evil.example",
                                  "http://[::2]",
                                  "https://",
                                  "https:///x",
                                  "https://:1/",
                                  "https://a.example?x",
                                  "https://a.example/#x",
                                  "https://user@a.example",
                                  "https://a.example/a b",
                                  "https://a.example/\"",
                                  "https://a.example:port",
                                  "https://a.example:123456",
                                  "https://a.example:",
                                  "https://\xc3\xa4.example",
                                  "https://a.example/\n",
                                  "https://[::1"})
    BOOST_TEST(http::wrong_identifier(wrong) != "", wrong);
  BOOST_TEST(http::wrong_identifier("https://a.example/" + std::string(200, 'x')) != "");
  const auto refused = [](const std::function<void(http::ProtectedResource&)>& change) {
    http::ProtectedResource resource = usual;
    change(resource);
    BOOST_CHECK_THROW(http::check(resource), std::invalid_argument);
  };
  refused([](http::ProtectedResource& resource) { resource.resource = "http://mcp.example.com"; });
  refused([](http::ProtectedResource& resource) { resource.authorization_servers.clear(); });
  refused([](http::ProtectedResource& resource) { resource.authorization_servers = {"login"}; });
  for (const char* const scope : {"", "two words", "a\"b", "a\\b", "a\n", "\xc3\xa4"})
    refused([&](http::ProtectedResource& resource) { resource.scopes = {"tools", scope}; });
}

BOOST_AUTO_TEST_CASE(a_challenge_says_what_is_needed_and_nothing_breaks_out_of_it) {
  const std::string metadata =
      "resource_metadata=\"https://mcp.example.com/.well-known/oauth-protected-resource/public/mcp\"";
  BOOST_TEST(http::challenge(usual) == "Bearer scope=\"tools files:read\", " + metadata);
  BOOST_TEST(http::challenge(usual, "insufficient_scope") ==
             "Bearer error=\"insufficient_scope\", scope=\"tools files:read\", " + metadata);
  http::ProtectedResource open = usual;
  open.scopes.clear();
  BOOST_TEST(http::challenge(open) == "Bearer " + metadata);
  BOOST_TEST(http::challenge(open, "invalid_token", "a\"b\\c\r\nSet-Cookie: x\xc3\xa4") ==
             "Bearer error=\"invalid_token\", " + metadata + ", error_description=\"abcSet-Cookie: x\"");
}

BOOST_AUTO_TEST_CASE(the_metadata_is_for_all_and_the_tools_for_those_with_a_token) {
  HttpServed served(protected_port());
  for (const char* const target :
       {"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/public/mcp",
        "/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource/mcp?x=1"}) {
    const RawAnswer answer = asked(served, "GET", target);
    BOOST_TEST(answer.status == 200, target);
    BOOST_TEST(answer.field("content-type") == "application/json");
    BOOST_TEST(parse_json(answer.body) == parse_json(R"({"resource":"https://mcp.example.com/public/mcp",
                              "authorization_servers":["https://login.example.com"],
                              "bearer_methods_supported":["header"],"scopes_supported":["tools","files:read"]})"));
  }
  BOOST_TEST(asked(served, "HEAD", "/.well-known/oauth-protected-resource").status == 200);
  const RawAnswer posted = asked(served, "POST", "/.well-known/oauth-protected-resource");
  BOOST_TEST(posted.status == 405);
  BOOST_TEST(posted.field("allow") == "GET, HEAD");
  for (const char* const target :
       {"/.well-known/oauth-protected-resource/", "/.well-known/oauth-protected-resource/other",
        "/.well-known/oauth-protected-resourcemcp", "/.well-known/oauth-authorization-server", "/.well-known/"})
    BOOST_TEST(asked(served, "GET", target).status == 404, target);

  RawHttp client = served.client();
  client.send(served.call("echo", R"({"text":"x"})").text());
  const RawAnswer stranger = client.answer().value();
  BOOST_TEST(stranger.status == 401);
  BOOST_TEST(stranger.field("www-authenticate") == http::challenge(usual));
}

BOOST_AUTO_TEST_CASE(who_is_known_and_may_not_call_is_told_403) {
  HttpServed served(protected_port());
  const auto answered = [&](const char* token) {
    RawHttp client = served.client();
    client.send(served.call("echo", R"({"text":"x"})", std::string("Authorization: ") + token + "\r\n").text());
    return client.answer().value();
  };
  BOOST_TEST(answered("Bearer of-ann").status == 200);
  const RawAnswer refused = answered("Bearer of-ben");
  BOOST_TEST(refused.status == 403);
  BOOST_TEST(refused.field("www-authenticate") == http::challenge(usual, "insufficient_scope"));
  BOOST_TEST(refused.body.find("this needs more") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(who_says_that_tokens_are_needed_has_to_look_at_them) {
  Server server({"refusing", "1"});
  http::Port port = protected_port();
  port.authenticate = {};
  BOOST_CHECK_EXCEPTION(http::listen(server, port), std::invalid_argument, [](const std::exception& error) {
    return std::string(error.what()).find("Port::authenticate") != std::string::npos;
  });
  port = protected_port();
  port.resource->authorization_servers = {"http://login.example.com"};
  BOOST_CHECK_THROW(http::listen(server, port), std::invalid_argument);
  port = protected_port();
  port.handler.resource = usual;  // said twice
  BOOST_CHECK_THROW(http::listen(server, port), std::invalid_argument);
}

/// What is needed beside that is told by the tool (ToolInfo::scopes), with where the metadata is.
BOOST_AUTO_TEST_CASE(a_tool_may_need_more_than_the_port) {
  HttpServed served(protected_port());
  served.server.tool({.name = "careful", .scopes = {"files:write"}}, [] { return "done"; });
  RawHttp client = served.client();
  client.send(served.call("careful", "{}", "Authorization: Bearer of-ann\r\n").text());
  const RawAnswer refused = client.answer().value();
  BOOST_TEST(refused.status == 403);
  BOOST_TEST(refused.field("www-authenticate") ==
             "Bearer error=\"insufficient_scope\", scope=\"files:write tools files:read\", "
             "resource_metadata=\"https://mcp.example.com/.well-known/oauth-protected-resource/public/mcp\"");
}

BOOST_AUTO_TEST_CASE(without_an_authorization_server_there_is_no_metadata) {
  HttpServed served;
  BOOST_TEST(asked(served, "GET", "/.well-known/oauth-protected-resource", served.host()).status == 404);
}
