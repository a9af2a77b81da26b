// Whose tokens a bridge takes: what a configuration may say, and where the keys of an issuer are looked for.
#include "authorization/settings.hpp"

#define BOOST_TEST_MODULE bridge_authorization_test
#include <boost/test/unit_test.hpp>

#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "authorization/issuer_keys.hpp"
#include "authorization/protect.hpp"
#include "http_test_server.hpp"

using namespace toolwire;
using namespace toolwire::bridge;
using namespace toolwire_test;

namespace {

constexpr const char* needed = R"("issuer": "https://login.example.com", "resource": "https://mcp.example.com/mcp")";

struct Read {
  std::optional<AuthorizationSettings> settings;
  std::vector<ManifestProblem> problems;
};

Read read(const std::string& text) {
  Findings findings("f");
  Read made;
  made.settings = read_authorization(
      parse_json(text), "/etc/bridge", [](const std::string& pointer) { return "/toolwire" + pointer; }, findings);
  made.problems = findings.take_problems("");
  return made;
}

/// What an issuer answers, by path.
using Pages = std::map<std::string, HttpAnswer>;

class KeyServer {
 public:
  void set_pages(Pages pages) {
    const std::lock_guard lock(mutex_);
    pages_ = std::move(pages);
  }
  std::string issuer(const std::string& path = "") const { return server_.origin() + path; }
  std::vector<std::string> asked() const {
    std::vector<std::string> paths;
    for (const std::string& request : server_.requests()) paths.push_back(request.substr(4, request.find(' ', 4) - 4));
    return paths;
  }

 private:
  HttpAnswer answer(const std::string& request) {
    const std::string path = request.substr(4, request.find(' ', 4) - 4);
    const std::lock_guard lock(mutex_);
    const auto found = pages_.find(path);
    return found == pages_.end() ? HttpAnswer::of(404, "") : found->second;
  }

  std::mutex mutex_;
  Pages pages_;  // guarded by mutex_
  HttpTestServer server_{[this](const std::string& request) { return answer(request); }};
};

HttpAnswer metadata_of(const std::string& issuer, const std::string& keys) {
  return HttpAnswer::json(to_json_text(JsonObject{{"issuer", issuer}, {"jwks_uri", keys}}));
}

/// The keys, or "failed: " and why.
std::string fetched(const std::string& issuer, const std::string& keys = "") {
  AuthorizationSettings settings;
  settings.tokens.resource.authorization_servers = {issuer};
  settings.keys = keys;
  const auto http = std::make_shared<HttpClient>();
  std::promise<std::string> told;
  issuer_keys(settings, http)(Done<std::string>([&](Done<std::string>::Result&& result) {
    if (auto* const text = std::get_if<std::string>(&result)) return told.set_value(std::move(*text));
    try {
      std::rethrow_exception(std::get<std::exception_ptr>(result));
    } catch (const std::exception& error) {
      told.set_value(std::string("failed: ") + error.what());
    }
  }));
  std::string text = told.get_future().get();
  http->close();
  return text;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_CASE(an_issuer_and_a_resource_are_enough) {
  const auto settings = read(std::string("{") + needed + "}").settings;
  BOOST_REQUIRE(settings.has_value());
  const http::JwtOptions usual;
  BOOST_TEST(settings->issuer() == "https://login.example.com");
  BOOST_TEST(settings->tokens.resource.resource == "https://mcp.example.com/mcp");
  BOOST_TEST(settings->tokens.resource.scopes.empty());
  BOOST_TEST(settings->tokens.audiences.empty());
  BOOST_TEST(settings->tokens.algorithms == usual.algorithms);
  BOOST_TEST(settings->tokens.types == usual.types);
  BOOST_TEST(settings->tokens.leeway.count() == usual.leeway.count());
  BOOST_TEST(settings->keys.empty());
}

BOOST_AUTO_TEST_CASE(all_of_it_is_read) {
  const auto settings = read(std::string("{") + needed + R"(, "audiences": ["api://tools"], "algorithms": ["EdDSA"],
    "token_types": ["JWT"], "scopes": ["tools", "files:read"], "leeway_seconds": 0,
    "scopes_supported": ["mail"], "implied_scopes": {"files": ["files:read", "files:write"]},
    "keys": "https://login.example.com/keys?tenant=1"})")
                            .settings;
  BOOST_REQUIRE(settings.has_value());
  BOOST_TEST(settings->tokens.audiences == std::vector<std::string>{"api://tools"});
  BOOST_TEST(settings->tokens.algorithms == std::vector<std::string>{"EdDSA"});
  BOOST_TEST(settings->tokens.types == std::vector<std::string>{"JWT"});
  BOOST_TEST(settings->tokens.resource.scopes == (std::vector<std::string>{"tools", "files:read"}));
  BOOST_TEST(settings->tokens.resource.offered_scopes == std::vector<std::string>{"mail"});
  BOOST_TEST(settings->tokens.resource.implied_scopes.at("files") ==
             (std::vector<std::string>{"files:read", "files:write"}));
  BOOST_TEST(settings->tokens.leeway.count() == 0);
  BOOST_TEST(settings->keys == "https://login.example.com/keys?tenant=1");
}

BOOST_AUTO_TEST_CASE(nothing_that_cannot_be_meant_is_taken) {
  struct Mistake {
    std::string json;
    std::string place;
    std::string said;
  };
  const auto with = [](const std::string& more) { return std::string("{") + needed + ", " + more + "}"; };
  const std::string resource = R"("resource": "https://mcp.example.com/mcp")";
  const std::vector<Mistake> mistakes{
      {"true", "", "expected an object, found a boolean"},
      {"[]", "", "expected an object, found an array"},
      {"{" + resource + "}", "", "expected \"issuer\""},
      {R"({"issuer": "https://login.example.com"})", "", "expected \"resource\""},
      {R"({"issuer": "http://login.example.com", )" + resource + "}", "/issuer", "expected https://"},
      {R"({"issuer": "login.example.com", )" + resource + "}", "/issuer", "begins with https://"},
      {R"({"issuer": "", )" + resource + "}", "/issuer", "a string that is not empty"},
      {R"({"issuer": null, )" + resource + "}", "/issuer", "a string that is not empty"},
      {R"({"issuer": ["https://login.example.com"], )" + resource + "}", "/issuer", "found an array"},
      {R"({"issuer": "https://login.example.com", "resource": "http://mcp.example.com/mcp"})", "/resource",
       "expected https://"},
      {R"({"issuer": "https://login.example.com", "resource": "https://mcp.example.com/mcp?x"})", "/resource",
       "without user name, query"},
      {with(R"("issuers": [])"), "/issuers", "did you mean \"issuer\"?"},
      {with(R"("audience": "x")"), "/audience", "did you mean \"audiences\"?"},
      {with(R"("secret": "x")"), "/secret", "unknown; expected one of issuer, resource, audiences"},
      {with(R"("audiences": "x")"), "/audiences", "an array of strings that is not empty"},
      {with(R"("audiences": [])"), "/audiences", "an array of strings that is not empty"},
      {with(R"("audiences": [""])"), "/audiences/0", "a string that is not empty"},
      {with(R"("audiences": ["x", 1])"), "/audiences/1", "a string that is not empty"},
      {with(R"("algorithms": ["RS256", "none"])"), "/algorithms", "found \"none\""},
      {with(R"("algorithms": ["HS256"])"), "/algorithms", "expected some of RS256, RS384"},
      {with(R"("algorithms": ["es256"])"), "/algorithms", "found \"es256\""},
      {with(R"("algorithms": [])"), "/algorithms", "not empty"},
      {with(R"("token_types": [])"), "/token_types", "not empty"},
      {with(R"("scopes": "tools")"), "/scopes", "an array of strings"},
      {with(R"("scopes": ["two words"])"), "/scopes", "without spaces"},
      {with(R"("scopes_supported": ["two words"])"), "/scopes_supported", "without spaces"},
      {with(R"("implied_scopes": ["files"])"), "/implied_scopes", "expected an object such as"},
      {with(R"("implied_scopes": {})"), "/implied_scopes", "expected an object such as"},
      {with(R"("implied_scopes": {"files": "files:read"})"), "/implied_scopes", "expected an object such as"},
      {with(R"("implied_scopes": {"files": []})"), "/implied_scopes", "expected an object such as"},
      {with(R"("implied_scopes": {"files": [1]})"), "/implied_scopes", "expected an object such as"},
      {with(R"("implied_scopes": {"all files": ["files:read"]})"), "/implied_scopes", "found \"all files\""},
      {with(R"("implied_scopes": {"files": ["read files"]})"), "/implied_scopes", "found \"read files\""},
      {with(R"("leeway_seconds": 301)"), "/leeway_seconds", "from 0 to 300"},
      {with(R"("leeway_seconds": -1)"), "/leeway_seconds", "from 0 to 300"},
      {with(R"("leeway_seconds": 1.5)"), "/leeway_seconds", "from 0 to 300"},
      {with(R"("leeway_seconds": "1")"), "/leeway_seconds", "from 0 to 300"},
      {with(R"("keys": "http://login.example.com/keys")"), "/keys", "expected https://"},
      {with(R"("keys": "keys.json")"), "/keys", "begins with https://"},
      {with(R"("keys": 1)"), "/keys", "found a number"},
      {R"({"issuer": "https://login.example.com", "proxy": {"principal_field": "X-User", "secret_field": "X-Secret",
          "secret_file": "s"}})",
       "/issuer", "nothing beside \"proxy\""},
      {R"({"proxy": true})", "/proxy", "expected an object, found a boolean"},
      {R"({"proxy": {"secret_field": "X-Secret", "secret_file": "s"}})", "/proxy",
       "expected \"principal_field\", as X-Forwarded-User"},
      {R"({"proxy": {"principal_field": "X-User", "secret_field": "X-Secret"}})", "/proxy", "expected \"secret_file\""},
      {R"({"proxy": {"principal_field": "X-User", "secret_file": "s"}})", "/proxy", "expected \"secret_field\""},
      {R"({"proxy": {"principal_field": "X User", "secret_field": "X-Secret", "secret_file": "s"}})",
       "/proxy/principal_field", "name of a header field"},
      {R"({"proxy": {"principal_field": "X-User", "secret_field": "X Secret", "secret_file": "s"}})",
       "/proxy/secret_field", "name of a header field"},
      {R"({"proxy": {"principal_fields": "X", "principal_field": "X-User", "secret_field": "Y", "secret_file": "s"}})",
       "/proxy/principal_fields", "did you mean \"principal_field\"?"},
      {R"({"proxy": {"principal_field": "X-User", "secret_field": "Y", "secret_file": "s", "claims_field": "Z"}})",
       "/proxy/claims_field", "unknown; expected one of principal_field, scopes_field, secret_field, secret_file"},
      {R"({"proxy": {"principal_field": "X-User", "secret_field": "Y", "secret_file": "s", "scopes_field": "Z Z"}})",
       "/proxy/scopes_field", "name of a header field"},
  };
  for (const Mistake& mistake : mistakes) {
    const Read made = read(mistake.json);
    BOOST_TEST(!made.settings.has_value(), mistake.json);
    BOOST_TEST_REQUIRE(made.problems.size() == 1U, mistake.json);
    BOOST_TEST(made.problems[0].pointer == "/toolwire/authorization" + mistake.place, mistake.json);
    BOOST_TEST(has(made.problems[0].text, mistake.said), made.problems[0].text);
  }
}

BOOST_AUTO_TEST_CASE(a_port_is_protected_as_it_is_configured) {
  const auto settings = read(std::string("{") + needed + R"(, "scopes": ["tools"]})").settings;
  http::Port port;
  protect(port, settings.value(), std::make_shared<HttpClient>());
  BOOST_TEST(static_cast<bool>(port.authenticate));
  BOOST_TEST(port.resource.value().authorization_servers == std::vector<std::string>{"https://login.example.com"});
  BOOST_TEST(port.resource.value().scopes == std::vector<std::string>{"tools"});
}

BOOST_AUTO_TEST_CASE(a_proxy_is_trusted_as_it_is_configured) {
  const auto settings =
      read(R"({"proxy": {"principal_field": "X-User", "secret_field": "X-Secret", "secret_file": "keys/proxy",
                         "scopes_field": "X-Scopes"}})")
          .settings;
  const ProxySettings& proxy = settings.value().proxy.value();
  BOOST_TEST(proxy.fields.principal_field == "X-User");
  BOOST_TEST(proxy.fields.scopes_field == "X-Scopes");
  BOOST_TEST(proxy.fields.secret_field == "X-Secret");
  BOOST_TEST(proxy.secret_file == "/etc/bridge/keys/proxy");
  http::Port port;
  BOOST_CHECK_EXCEPTION(protect(port, settings.value(), std::make_shared<HttpClient>()), std::invalid_argument,
                        [](const auto& error) { return has(error.what(), "with the secret of the proxy"); });
  BOOST_TEST(!static_cast<bool>(port.authenticate));
}

BOOST_AUTO_TEST_CASE(metadata_is_looked_for_where_the_specification_says) {
  const std::vector<std::string> of_root{"https://a.example/.well-known/oauth-authorization-server",
                                         "https://a.example/.well-known/openid-configuration"};
  BOOST_TEST(metadata_addresses("https://a.example") == of_root);
  BOOST_TEST(metadata_addresses("https://a.example/") == of_root);
  const std::vector<std::string> of_tenant{"https://a.example:8443/.well-known/oauth-authorization-server/tenant/1",
                                           "https://a.example:8443/.well-known/openid-configuration/tenant/1",
                                           "https://a.example:8443/tenant/1/.well-known/openid-configuration"};
  BOOST_TEST(metadata_addresses("https://a.example:8443/tenant/1") == of_tenant);
}

BOOST_AUTO_TEST_CASE(keys_are_fetched_from_where_the_metadata_says) {
  KeyServer first;
  first.set_pages({{"/.well-known/oauth-authorization-server", metadata_of(first.issuer(), first.issuer("/keys?a=b"))},
                   {"/keys?a=b", HttpAnswer::json("the keys")}});
  BOOST_TEST(fetched(first.issuer()) == "the keys");

  KeyServer last;
  const std::string issuer = last.issuer("/tenant");
  last.set_pages({{"/tenant/.well-known/openid-configuration", metadata_of(issuer, last.issuer("/keys"))},
                  {"/keys", HttpAnswer::json("other keys")}});
  BOOST_TEST(fetched(issuer) == "other keys");
  BOOST_TEST(last.asked() == (std::vector<std::string>{"/.well-known/oauth-authorization-server/tenant",
                                                       "/.well-known/openid-configuration/tenant",
                                                       "/tenant/.well-known/openid-configuration", "/keys"}));
}

BOOST_AUTO_TEST_CASE(keys_are_fetched_from_where_the_operator_says) {
  KeyServer server;
  server.set_pages({{"/mine", HttpAnswer::json("my keys")}});
  BOOST_TEST(fetched("https://login.example.com", server.issuer("/mine")) == "my keys");
  BOOST_TEST(server.asked() == std::vector<std::string>{"/mine"});
}

BOOST_AUTO_TEST_CASE(metadata_that_cannot_be_meant_leads_nowhere) {
  KeyServer elsewhere;
  elsewhere.set_pages({{"/keys", HttpAnswer::json("keys of another")}});
  KeyServer server;
  const auto said = [&](const HttpAnswer& metadata) {
    server.set_pages({{"/.well-known/oauth-authorization-server", metadata}, {"/keys", HttpAnswer::json("the keys")}});
    return fetched(server.issuer());
  };
  const std::string good = server.issuer("/keys");
  const std::string self = server.issuer();
  BOOST_TEST(said(metadata_of(self, good)) == "the keys");
  BOOST_TEST(has(said(metadata_of("https://evil.example", good)), "of another issuer"));
  BOOST_TEST(has(said(metadata_of(self + "/", good)), "of another issuer"));
  BOOST_TEST(has(said(HttpAnswer::json("{}")), "of another issuer"));
  BOOST_TEST(has(said(HttpAnswer::json("no JSON")), "its metadata cannot be used"));
  BOOST_TEST(has(said(metadata_of(self, "")), "jwks_uri: expected"));
  BOOST_TEST(has(said(metadata_of(self, "file:///etc/passwd")), "jwks_uri: expected"));
  BOOST_TEST(has(said(metadata_of(self, "http://login.example.com/keys")), "jwks_uri: expected"));
  BOOST_TEST(
      said(metadata_of(self, elsewhere.issuer("/keys"))).starts_with("failed: "));  // another port of this machine
  BOOST_TEST(elsewhere.asked().empty());
  BOOST_TEST(has(said(HttpAnswer::of(500, "")), "no metadata was found: it answers with status 404"));
  BOOST_TEST(has(said(metadata_of(self, server.issuer("/none"))), "it answers with status 404"));
}

BOOST_AUTO_TEST_CASE(keys_are_not_fetched_without_end_and_redirects_stay_with_their_origin) {
  KeyServer elsewhere;
  elsewhere.set_pages({{"/keys", HttpAnswer::json("keys of another")}});
  KeyServer server;
  server.set_pages({
      {"/large", HttpAnswer::json(std::string(http::max_key_set + 1, 'x'))},
      {"/away", HttpAnswer::of(302, "", "Location: " + elsewhere.issuer("/keys") + "\r\n")},
      {"/none", HttpAnswer::of(204, "")},
  });
  for (const char* const path : {"/large", "/away", "/none"})
    BOOST_TEST(fetched("https://login.example.com", server.issuer(path)).starts_with("failed: "), path);
  BOOST_TEST(elsewhere.asked().empty());
  const std::string nobody = [] {
    const HttpTestServer gone([](const std::string&) { return HttpAnswer::of(200, ""); });
    return gone.url("/secret-path");
  }();
  const std::string why = fetched("https://login.example.com", nobody);
  BOOST_TEST(why.starts_with("failed: "));
  BOOST_TEST(!has(why, "secret-path"));
}
