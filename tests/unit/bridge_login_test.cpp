// A login at an authorization server: from the refusal of a server to tokens, and every way in which it is not one.
#include "login/new_login.hpp"

#define BOOST_TEST_MODULE bridge_login_test
#include <boost/test/unit_test.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client_keys.hpp"
#include "login/redirect_listener.hpp"
#include "login_server.hpp"

using namespace toolwire;
using namespace toolwire::bridge;
using namespace toolwire::bridge::login;
using namespace toolwire_test;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// One login, as the command does it, with a user who agrees at once.
struct Attempt {
  Attempt() = default;
  ~Attempt() { http->close(); }

  Login run() {
    const Asking asking(http, url.empty() ? server.url() : url, settings.issuer);
    return log_in_with_browser(asking, settings, before,
                               {.show = [this](const std::string& opened) { shown = opened, browse_to(opened); },
                                .time = std::chrono::seconds(patience),
                                .scopes = scopes});
  }
  std::string failure() {
    try {
      run();
    } catch (const LoginError& error) {
      return error.what();
    }
    return "none";
  }
  Form question() const { return form_in(shown.substr(shown.find('?') + 1)); }

  LoginServer server;
  std::shared_ptr<HttpClient> http = std::make_shared<HttpClient>();
  LoginSettings settings;
  std::string url;
  std::optional<Login> before;
  std::vector<std::string> scopes;
  int patience = 20;
  std::string shown;
  std::function<void(const std::string&)> browse_to = [](const std::string& page) { browse(page); };
};

std::string failure_with(const std::function<void(LoginServer::Ways&)>& change) {
  Attempt attempt;
  attempt.server.change(change);
  return attempt.failure();
}

void edit_issuer(LoginServer::Ways& ways, std::function<void(JsonObject&)> edit) { ways.issuer = std::move(edit); }

}  // namespace

BOOST_AUTO_TEST_CASE(a_person_logs_in) {
  Attempt attempt;
  const Login login = attempt.run();
  BOOST_TEST(login.resource == attempt.server.url());
  BOOST_TEST(login.issuer == attempt.server.origin());
  BOOST_TEST(login.client.id == "client-1");
  BOOST_TEST(login.client.is_registered);
  BOOST_TEST(login.tokens.access == "access-1-hidden");
  BOOST_TEST(login.tokens.refresh == "refresh-1-hidden");
  BOOST_TEST(login.tokens.scopes == std::vector<std::string>{"tools"});
  BOOST_TEST(login.tokens.expires > seconds_now() + 3500);

  const Form question = attempt.question();
  BOOST_TEST(only_value(question, "response_type") == "code");
  BOOST_TEST(only_value(question, "code_challenge_method") == "S256");
  BOOST_TEST(only_value(question, "resource") == attempt.server.url());
  BOOST_TEST(only_value(question, "scope") == "tools");
  BOOST_TEST(only_value(question, "state").size() == 43U);
  BOOST_TEST(only_value(question, "redirect_uri").starts_with("http://127.0.0.1:"));

  const Form form = attempt.server.forms().at(0);
  BOOST_TEST(only_value(form, "resource") == attempt.server.url());
  BOOST_TEST(only_value(form, "client_id") == "client-1");
  BOOST_TEST(only_value(form, "redirect_uri") == only_value(question, "redirect_uri"));
  BOOST_TEST(!has(attempt.shown, only_value(form, "code_verifier")));
  BOOST_TEST(
      (attempt.server.asked() == std::vector<std::string>{"POST /mcp", "GET /.well-known/oauth-protected-resource/mcp",
                                                          "GET /.well-known/oauth-authorization-server",
                                                          "POST /register", "GET /authorize", "POST /token"}));
  const std::string registration = attempt.server.requests_to("POST /register").at(0);
  BOOST_TEST(has(registration, R"("application_type":"native")"));
  BOOST_TEST(has(registration, R"("token_endpoint_auth_method":"none")"));
}

BOOST_AUTO_TEST_CASE(metadata_is_found_where_nobody_says_where_it_is) {
  Attempt attempt;
  attempt.server.change([](LoginServer::Ways& ways) { ways.challenge = "Bearer"; });
  attempt.run();
  BOOST_TEST(attempt.server.asked().at(1) == "GET /.well-known/oauth-protected-resource/mcp");
  BOOST_TEST(only_value(attempt.question(), "scope") == "tools");  // as the metadata says

  Attempt at_root;
  const std::string origin = at_root.server.origin();
  at_root.server.change([&](LoginServer::Ways& ways) {
    ways.challenge = "Bearer";
    ways.pages["/.well-known/oauth-protected-resource/mcp"] = HttpAnswer::of(404, "");
    ways.pages["/.well-known/oauth-protected-resource"] =
        HttpAnswer::json(R"({"resource":")" + origin + R"(","authorization_servers":[")" + origin + R"("]})");
  });
  BOOST_TEST(at_root.run().resource == origin);
  BOOST_TEST(only_value(at_root.question(), "resource") == origin);
  BOOST_TEST(only_value(at_root.question(), "scope").empty());  // nobody names one
}

/// As behind an application of one page, and at servers of 2025-03-26 there.
BOOST_AUTO_TEST_CASE(a_page_for_people_is_no_metadata) {
  const HttpAnswer page = HttpAnswer::of(200, "<!doctype html>", "Content-Type: text/html; charset=utf-8\r\n");
  Attempt attempt;
  attempt.server.change([&](LoginServer::Ways& ways) {
    ways.challenge = "Bearer";
    for (const char* const path : {"/mcp", ""})
      ways.pages[std::string("/.well-known/oauth-protected-resource") + path] = page;
  });
  BOOST_TEST(attempt.run().issuer == attempt.server.origin());
  BOOST_TEST(has(failure_with([](LoginServer::Ways& ways) {
                   ways.challenge = "Bearer";
                   ways.pages["/.well-known/oauth-protected-resource/mcp"] = HttpAnswer::of(429, "");
                 }),
                 "expected HTTP 200 or 404, found 429"));
}

BOOST_AUTO_TEST_CASE(a_server_that_lets_in_who_introduces_itself_is_asked_for_its_tools) {
  Attempt attempt;
  attempt.server.change([](LoginServer::Ways& ways) {
    ways.open_methods = {"initialize"};
    ways.challenge = "Bearer scope=\"of-the-list\"";
  });
  BOOST_TEST(attempt.run().tokens.access == "access-1-hidden");
  BOOST_TEST(only_value(attempt.question(), "scope") == "of-the-list");

  Attempt without_challenge;  // its metadata is enough
  without_challenge.server.change([](LoginServer::Ways& ways) { ways.open_methods = {"initialize", "tools/list"}; });
  BOOST_TEST(without_challenge.run().tokens.access == "access-1-hidden");
}

BOOST_AUTO_TEST_CASE(openid_discovery_is_enough) {
  Attempt attempt;
  const std::string origin = attempt.server.origin();
  attempt.server.change([&](LoginServer::Ways& ways) {
    ways.pages["/.well-known/oauth-authorization-server"] = HttpAnswer::of(404, "");
    ways.pages["/.well-known/openid-configuration"] = HttpAnswer::json(
        R"({"issuer":")" + origin + R"(","authorization_endpoint":")" + origin + R"(/authorize","token_endpoint":")" +
        origin + R"(/token","registration_endpoint":")" + origin +
        R"(/register","code_challenge_methods_supported":["S256"],"token_endpoint_auth_methods_supported":["none"]})");
  });
  BOOST_TEST(attempt.run().tokens.access == "access-1-hidden");
}

BOOST_AUTO_TEST_CASE(a_server_of_2025_03_26_is_its_own_authorization_server) {
  for (const bool has_metadata : {true, false}) {
    Attempt attempt;
    attempt.server.change([&](LoginServer::Ways& ways) {
      ways.challenge = "Bearer";
      ways.pages["/.well-known/oauth-protected-resource/mcp"] = HttpAnswer::of(404, "");
      if (!has_metadata) ways.pages["/.well-known/oauth-authorization-server"] = HttpAnswer::of(404, "");
    });
    const Login login = attempt.run();
    BOOST_TEST(login.issuer == attempt.server.origin());
    BOOST_TEST(login.token_endpoint == attempt.server.origin() + "/token");
    BOOST_TEST(login.resource == attempt.server.url());
  }
}

BOOST_AUTO_TEST_CASE(every_mistake_of_a_server_is_told_and_ends_the_login) {
  using Ways = LoginServer::Ways;
  struct Mistake {
    std::function<void(Ways&)> change;
    std::string said;
  };
  const std::vector<Mistake> mistakes{
      {[](Ways& ways) {
         ways.pages["/mcp"] = HttpAnswer::of(200, "{}");
         ways.pages["/.well-known/oauth-protected-resource/mcp"] = HttpAnswer::of(404, "");
       },
       "asks for no login"},
      {[](Ways& ways) { ways.challenge = "Bearer resource_metadata=\"https://evil.example/x\""; },
       "at the origin of the server"},
      {[](Ways& ways) { ways.pages["/.well-known/oauth-protected-resource/mcp"] = HttpAnswer::of(404, ""); },
       "expected HTTP 200, found 404"},
      {[](Ways& ways) { ways.pages["/.well-known/oauth-protected-resource/mcp"] = HttpAnswer::json("[]"); },
       "is no JSON object"},
      {[](Ways& ways) { ways.resource = [](JsonObject& json) { json["resource"] = "https://evil.example/mcp"; }; },
       "is that of another resource"},
      {[](Ways& ways) {
         ways.resource = [](JsonObject& json) { json["resource"] = std::string(json["resource"].as_string()) + "2"; };
       },
       "is that of another resource"},
      {[](Ways& ways) { ways.resource = [](JsonObject& json) { json.erase("authorization_servers"); }; },
       "expected \"authorization_servers\""},
      {[](Ways& ways) {
         ways.resource = [](JsonObject& json) { json["authorization_servers"] = JsonArray{"http://evil.example"}; };
       },
       "http:// is for this machine alone"},
      {[](Ways& ways) { ways.pages["/.well-known/oauth-authorization-server"] = HttpAnswer::of(404, ""); },
       "found none"},
      {[](Ways& ways) { ways.pages["/.well-known/oauth-authorization-server"] = HttpAnswer::of(503, ""); },
       "found HTTP 503"},
      {[](Ways& ways) { edit_issuer(ways, [](JsonObject& json) { json["issuer"] = "https://evil.example"; }); },
       "is that of another one"},
      {[](Ways& ways) { edit_issuer(ways, [](JsonObject& json) { json.erase("code_challenge_methods_supported"); }); },
       "with \"S256\""},
      {[](Ways& ways) {
         edit_issuer(ways, [](JsonObject& json) { json["code_challenge_methods_supported"] = JsonArray{"plain"}; });
       },
       "with \"S256\""},
      {[](Ways& ways) {
         edit_issuer(ways, [](JsonObject& json) { json["token_endpoint"] = "http://evil.example/t"; });
       },
       "\"token_endpoint\" to be https://"},
      {[](Ways& ways) {
         edit_issuer(ways, [](JsonObject& json) { json["authorization_endpoint"] = "file:///etc/x"; });
       },
       "\"authorization_endpoint\" to be a URL that begins with https://"},
      {[](Ways& ways) { edit_issuer(ways, [](JsonObject& json) { json.erase("registration_endpoint"); }); },
       "lets no client register itself"},
      {[](Ways& ways) {
         edit_issuer(ways, [](JsonObject& json) {
           json["token_endpoint_auth_methods_supported"] = JsonArray{"private_key_jwt"};
         });
       },
       "takes no client that registers itself"},
      {[](Ways& ways) { ways.pages["/register"] = HttpAnswer::of(403, ""); },
       "does not register the bridge (HTTP 403)"},
      {[](Ways& ways) { ways.registered = [](JsonObject& json) { json.erase("client_id"); }; },
       "without a \"client_id\""},
      {[](Ways& ways) {
         ways.registered = [](JsonObject& json) { json["token_endpoint_auth_method"] = "client_secret_basic"; };
       },
       "with a secret, and did not give it"},
      {[](Ways& ways) { ways.issuer_in_answer = "https://evil.example"; }, "expected \"iss\" to be"},
      {[](Ways& ways) { ways.issuer_in_answer = "-"; }, "found none"},
      {[](Ways& ways) { ways.tokens = [](JsonObject& json) { json["token_type"] = "mac"; }; },
       "\"token_type\" \"Bearer\""},
      {[](Ways& ways) { ways.tokens = [](JsonObject& json) { json["access_token"] = "a b"; }; }, "gave no token"},
      {[](Ways& ways) { ways.tokens = [](JsonObject& json) { json["access_token"] = "a\r\nX: y"; }; }, "gave no token"},
      {[](Ways& ways) { ways.tokens = [](JsonObject& json) { json.erase("access_token"); }; }, "gave no token"},
      {[](Ways& ways) { ways.pages["/token"] = HttpAnswer::of(302, "", "Location: https://evil.example/t\r\n"); },
       "redirects to https://evil.example:443"},
      {[](Ways& ways) { ways.pages["/token"] = HttpAnswer::of(500, "{}"); }, "gives no token (HTTP 500)"},
      {[](Ways& ways) { ways.pages["/token"] = HttpAnswer::json(std::string(300'000, ' ')); }, "larger"},
  };
  for (std::size_t i = 0; i < mistakes.size(); ++i) {
    const std::string said = failure_with(mistakes[i].change);
    BOOST_TEST(has(said, mistakes[i].said), i << ": " << said << " has not: " << mistakes[i].said);
  }
}

BOOST_AUTO_TEST_CASE(what_the_token_endpoint_repeats_is_not_shown) {
  Attempt attempt;
  attempt.settings = {.client_id = "c", .client_secret = "very-secret", .issuer = attempt.server.origin()};
  attempt.server.change([](LoginServer::Ways& ways) {
    ways.issuer = [](JsonObject& json) {
      json["token_endpoint_auth_methods_supported"] = JsonArray{"client_secret_post"};
    };
    ways.pages["/token"] =
        HttpAnswer::of(400, R"({"error":"invalid_request","error_description":"code-1 very-secret"})",
                       "Content-Type: application/json\r\n");
  });
  const std::string said = attempt.failure();
  BOOST_TEST(has(said, "invalid_request"), said);
  BOOST_TEST(!has(said, "very-secret"), said);
  BOOST_TEST(!has(said, "code-1"), said);
}

BOOST_AUTO_TEST_CASE(an_authorization_server_elsewhere_is_not_on_this_machine) {
  // A server on the network may not have this machine's own services asked. It is not asked itself: the name leads
  // nowhere.
  Attempt attempt;
  const auto asked = [&](const std::string& url) {
    try {
      static_cast<void>(Asking(attempt.http, "https://mcp.invalid/mcp", "").get(url));
    } catch (const LoginError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  BOOST_TEST(has(asked(attempt.server.origin() + "/x"), "has to be the \"issuer\" of the configuration"));
  BOOST_TEST(has(asked("http://169.254.169.254/latest"), "http:// is for this machine alone"));
  BOOST_TEST(has(asked("file:///etc/passwd"), "begins with https://"));
  BOOST_TEST(attempt.server.asked().empty());
}

BOOST_AUTO_TEST_CASE(clients_are_known_in_three_ways) {
  {
    Attempt by_hand;
    by_hand.settings.client_id = "by-hand";
    by_hand.settings.scopes = {"a", "b"};
    const Login login = by_hand.run();
    BOOST_TEST(login.client.id == "by-hand");
    BOOST_TEST(!login.client.is_registered);
    BOOST_TEST(by_hand.server.requests_to("POST /register").empty());
    BOOST_TEST(only_value(by_hand.question(), "client_id") == "by-hand");
    BOOST_TEST(only_value(by_hand.question(), "scope") == "a b");
  }
  for (const std::string method : {"client_secret_basic", "client_secret_post"}) {
    Attempt with_secret;
    with_secret.settings = {.client_id = "by:hand", .client_secret = "s 1", .issuer = with_secret.server.origin()};
    with_secret.server.change([&](LoginServer::Ways& ways) {
      ways.issuer = [method](JsonObject& json) { json["token_endpoint_auth_methods_supported"] = JsonArray{method}; };
    });
    with_secret.run();
    const std::string request = with_secret.server.requests_to("POST /token").at(0);
    const Form form = with_secret.server.forms().at(0);
    const bool is_basic = method == "client_secret_basic";
    BOOST_TEST(has(request, "Authorization: Basic YnklM0FoYW5kOnMlMjAx") == is_basic, method);
    BOOST_TEST(only_value(form, "client_secret") == (is_basic ? "" : "s 1"));
    BOOST_TEST(!has(with_secret.shown, "s%201"));
  }
  {
    Attempt by_document;
    by_document.settings.client_metadata_url = "https://client.example.com/toolwire.json";
    by_document.server.change([](LoginServer::Ways& ways) {
      ways.issuer = [](JsonObject& json) { json["client_id_metadata_document_supported"] = true; };
    });
    BOOST_TEST(by_document.run().client.id == "https://client.example.com/toolwire.json");
    BOOST_TEST(by_document.server.requests_to("POST /register").empty());
  }
  {
    Attempt not_by_document;  // the server does not say that it reads them
    not_by_document.settings.client_metadata_url = "https://client.example.com/toolwire.json";
    BOOST_TEST(not_by_document.run().client.id == "client-1");
  }
}

BOOST_AUTO_TEST_CASE(a_client_that_was_given_a_secret_uses_it) {
  Attempt attempt;
  attempt.server.change([](LoginServer::Ways& ways) {
    ways.issuer = [](JsonObject& json) { json.erase("token_endpoint_auth_methods_supported"); };
    ways.registered = [](JsonObject& json) { json["client_secret"] = "given"; };
  });
  const Login login = attempt.run();
  BOOST_TEST(login.client.auth_method == "client_secret_basic");
  BOOST_TEST(login.client.secret == "given");
  BOOST_TEST(has(attempt.server.requests_to("POST /token").at(0), "Authorization: Basic Y2xpZW50LTE6Z2l2ZW4="));
}

namespace {

struct SigningAttempt : Attempt {
  SigningAttempt() {
    settings = {.client_id = "signs",
                .client_key = {.file = (folder / "p256.pem").string(), .algorithm = "ES256", .id = "k"},
                .issuer = server.origin(),
                .auth_method = "private_key_jwt"};
    server.change([](LoginServer::Ways& ways) { ways.takes_back = true; });
  }
  AssertionParts checked(const std::string& path, std::size_t which) const {
    const Form form = server.forms_to(path).at(which);
    BOOST_TEST(only_value(form, "client_assertion_type") == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
    BOOST_TEST(only_value(form, "client_id") == "signs");
    BOOST_TEST(only_value(form, "client_secret").empty());
    AssertionParts parts(only_value(form, "client_assertion"));
    BOOST_TEST(keys.verify("p256.pem", "ES256", parts));
    BOOST_TEST(parts.claims.at("aud") == Json(server.origin()));
    return parts;
  }

  ScratchFolder folder;
  TestKeys keys{folder, TestKeys::Which::one};
};

}  // namespace

/// RFC 7523 §2.2, each time with another id.
BOOST_FIXTURE_TEST_CASE(a_client_signs_who_it_is, SigningAttempt) {
  const Login login = run();
  const Asking asking(http, server.url(), settings.issuer);
  const Tokens renewed = refreshed(asking, login.token_endpoint, login.resource, login.client, login.tokens);
  BOOST_TEST(renewed.access == "access-2-hidden");
  revoke(asking, login.revocation_endpoint, login.client, renewed);
  const Json first = checked("/token", 0).claims.at("jti");
  const Json second = checked("/token", 1).claims.at("jti");
  const Json third = checked("/revoke", 0).claims.at("jti");
  BOOST_TEST(first != second);
  BOOST_TEST(second != third);
  for (const std::string& request : server.server().requests()) BOOST_TEST(!has(request, "Authorization: Basic"));
}

BOOST_FIXTURE_TEST_CASE(a_client_without_its_key_says_nothing_to_the_token_endpoint, SigningAttempt) {
  settings.client_key.file = (folder / "missing.pem").string();
  BOOST_TEST(has(failure(), "cannot sign who it is"));
  BOOST_TEST(server.forms().empty());
}

BOOST_FIXTURE_TEST_CASE(what_a_client_has_signed_is_not_shown, SigningAttempt) {
  server.change([](LoginServer::Ways& ways) { ways.repeats = true; });
  const std::string said = failure();
  BOOST_TEST(has(said, "invalid_client"), said);
  BOOST_TEST(!has(said, "eyJ"), said);
}

/// The file says neither where the key is nor that another method will do.
BOOST_FIXTURE_TEST_CASE(a_kept_login_is_used_with_the_key_of_the_configuration, SigningAttempt) {
  const ScratchFolder logins;
  const LoginFile file(logins.text(), server.url(), settings);
  file.save(run());
  BOOST_TEST(file.load()->client.auth_method == "private_key_jwt");
  BOOST_TEST(file.load()->client.key.file == settings.client_key.file);
  BOOST_TEST(file.load()->client.issuer == server.origin());
  settings.auth_method.clear();
  settings.client_key = {};
  settings.client_secret = "secret";
  BOOST_CHECK_EXCEPTION(static_cast<void>(LoginFile(logins.text(), server.url(), settings).load()), LoginError,
                        [](const LoginError& error) { return has(error.what(), "log in anew"); });
}

BOOST_AUTO_TEST_CASE(another_issuer_than_the_configured_one_gets_nothing) {
  Attempt attempt;
  attempt.settings = {.client_id = "c", .client_secret = "very-secret", .issuer = "https://login.example.com"};
  BOOST_TEST(has(attempt.failure(), "with the \"issuer\" of the configuration"));
  for (const std::string& request : attempt.server.server().requests()) BOOST_TEST(!has(request, "very-secret"));
  BOOST_TEST(attempt.server.requests_to("POST /token").empty());
}

BOOST_AUTO_TEST_CASE(a_second_login_uses_the_registration_and_asks_for_what_was_missed) {
  Attempt attempt;
  attempt.before = attempt.run();
  attempt.before->wanted = {"write"};
  const Login again = attempt.run();
  BOOST_TEST(again.client.id == "client-1");
  BOOST_TEST(attempt.server.requests_to("POST /register").size() == 1U);
  BOOST_TEST(only_value(attempt.question(), "scope") == "tools write");
  BOOST_TEST(again.wanted.empty());

  // Its port is taken: another client, with the port it comes back to.
  const RedirectListener other(attempt.before->client.port, "x");
  BOOST_TEST(attempt.run().client.id == "client-2");
}

BOOST_AUTO_TEST_CASE(a_client_that_is_held_to_its_scopes_registers_again_for_more) {
  Attempt attempt;
  attempt.server.change(
      [](LoginServer::Ways& ways) { ways.registered = [](JsonObject& json) { json["scope"] = "tools"; }; });
  attempt.before = attempt.run();
  BOOST_TEST(attempt.before->client.scopes == std::vector<std::string>{"tools"});
  BOOST_TEST(attempt.run().client.id == "client-1");
  attempt.before->wanted = {"write"};
  attempt.before = attempt.run();
  BOOST_TEST(attempt.before->client.id == "client-2");
  BOOST_TEST(only_value(attempt.question(), "scope") == "tools write");
  // It was told "tools" alone again: more is not to be had, and it registers no third time for it.
  attempt.before->wanted = {"write"};
  BOOST_TEST(attempt.run().client.id == "client-2");
}

BOOST_AUTO_TEST_CASE(lasting_rights_are_asked_for_where_there_are_some) {
  Attempt attempt;
  attempt.server.change([](LoginServer::Ways& ways) {
    ways.issuer = [](JsonObject& json) { json["scopes_supported"] = JsonArray{"tools", "offline_access"}; };
  });
  attempt.run();
  BOOST_TEST(only_value(attempt.question(), "scope") == "tools offline_access");
  BOOST_TEST(only_value(attempt.question(), "prompt") == "consent");
}

BOOST_AUTO_TEST_CASE(a_bridge_logs_in_alone) {
  Attempt attempt;
  attempt.settings = {
      .grant = Grant::client_credentials, .client_id = "c", .client_secret = "s", .issuer = attempt.server.origin()};
  attempt.server.change([](LoginServer::Ways& ways) {
    ways.issuer = [](JsonObject& json) {
      json.erase("authorization_endpoint");
      json.erase("code_challenge_methods_supported");
      json.erase("token_endpoint_auth_methods_supported");
    };
  });
  const Asking asking(attempt.http, attempt.server.url(), attempt.settings.issuer);
  const Login login = log_in_alone(asking, attempt.settings, challenge_of(asking).value(), {"more"});
  BOOST_TEST(login.tokens.access == "access-1-hidden");
  const Form form = attempt.server.forms().at(0);
  BOOST_TEST(only_value(form, "grant_type") == "client_credentials");
  BOOST_TEST(only_value(form, "resource") == attempt.server.url());
  BOOST_TEST(only_value(form, "scope") == "tools more");
}

BOOST_AUTO_TEST_CASE(the_browser_comes_back_once_and_with_what_was_asked) {
  RedirectListener listener(0, "the-state");
  const std::string origin = "http://127.0.0.1:" + std::to_string(listener.port());
  HttpClient http;
  const auto status = [&](const std::string& target, const std::string& method = "GET", HttpHeaders headers = {}) {
    const HttpOutcome outcome = http.fetch(
        {.method = method, .url = origin + target, .headers = std::move(headers), .origin = HttpOrigin::operators});
    return std::get<HttpResponse>(outcome).status;
  };
  BOOST_TEST(status("/") == 404);
  BOOST_TEST(status("/callback/x?state=the-state&code=c") == 404);
  BOOST_TEST(status("/callback?code=c") == 400);
  BOOST_TEST(status("/callback?state=another&code=c") == 400);
  BOOST_TEST(status("/callback?state=the-state&state=the-state&code=c") == 400);
  BOOST_TEST(status("/callback?state=the-state&code=c", "POST") == 405);
  BOOST_TEST(status("/callback?state=the-state&code=c", "GET", {{"Host", "evil.example"}}) == 421);
  BOOST_TEST(status("/callback?state=the-state&code=good") == 200);
  BOOST_TEST(status("/callback?state=the-state&code=other") == 400);
  BOOST_TEST(listener.wait(std::chrono::seconds(5)).code == "good");
  http.close();
}

BOOST_AUTO_TEST_CASE(a_refusal_of_the_user_and_silence_are_told) {
  const auto answered = [](const std::string& query) {
    Attempt attempt;
    attempt.browse_to = [&](const std::string& page) {
      const Form question = form_in(page.substr(page.find('?') + 1));
      HttpClient http;
      http.fetch({.url = only_value(question, "redirect_uri") + "?" + query + "&state=" +
                         only_value(question, "state") + "&" + form_text({{"iss", attempt.server.origin()}}),
                  .origin = HttpOrigin::operators});
      http.close();
    };
    return attempt.failure();
  };
  BOOST_TEST(
      has(answered("error=access_denied&error_description=no%0Ano"), "refuses the login: \"access_denied: no no\""));
  BOOST_TEST(has(answered("code=a&code=b"), "expected \"code\" once"));
  Attempt silent;
  silent.browse_to = [](const std::string&) {};
  silent.patience = 1;
  BOOST_TEST(has(silent.failure(), "nobody has logged in within 1 s"));
}
