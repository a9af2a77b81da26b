// A remote server whose requests carry the tokens of a kept login: renewed, widened and given up.
#include "login/kept_credentials.hpp"

#define BOOST_TEST_MODULE bridge_kept_login_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <toolwire/client.hpp>
#include <utility>
#include <vector>

#include "login_server.hpp"
#include "scratch_folder.hpp"

using namespace toolwire;
using namespace toolwire::bridge;
using namespace toolwire::bridge::login;
using namespace toolwire_test;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A bridge's side of one server.
struct World {
  ~World() {
    client.reset();
    http->close();
  }

  void log_in() {
    const Asking asking(http, server.url(), settings.issuer);
    file().save(
        log_in_with_browser(asking, settings, file().load(), {.show = [](const std::string& url) { browse(url); }}));
  }
  LoginFile file() const { return {folder.text(), server.url(), settings}; }
  void change(const std::function<void(Login&)>& change) const {
    Login login = file().load().value();
    change(login);
    file().save(login);
  }

  void connect() {
    client.reset();
    credentials = std::make_shared<KeptCredentials>(
        LoginParts{.http = http, .worker = worker, .folder = kept ? folder.text() : "", .command = "log-in-command"},
        server.url(), settings);
    client = std::make_unique<Client>(
        std::make_unique<remote::RemoteTransport>(remote::RemoteServer{.url = server.url(), .credentials = credentials},
                                                  http, std::size_t{1} << 20),
        ClientOptions{});
    // Its own request for a stream has been answered, and renews nothing later on.
    ++streams;
    while (server.streams() < streams) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::string call() {
    try {
      return client->call("run", JsonObject()).text();
    } catch (const std::exception& error) {
      return std::string("failed: ") + error.what();
    }
  }
  std::string connected() {
    try {
      connect();
      return "yes";
    } catch (const std::exception& error) {
      return std::string("failed: ") + error.what();
    }
  }
  /// That were carried out.
  std::size_t calls_at_server() const {
    std::size_t count = 0;
    for (const std::string& text : server.requests_to("POST /mcp"))
      count += has(text, "tools/call") && has(text, "Bearer access-2-hidden") ? 1U : 0U;
    return count;
  }

  mutable LoginServer server;
  ScratchFolder folder;
  bool kept = true;
  LoginSettings settings;
  std::shared_ptr<Engine> engine = std::make_shared<Engine>();
  std::shared_ptr<HttpClient> http = std::make_shared<HttpClient>(HttpClientOptions{.engine = engine});
  std::shared_ptr<Worker> worker = std::make_shared<Worker>(engine);
  std::shared_ptr<KeptCredentials> credentials;
  std::unique_ptr<Client> client;
  std::size_t streams = 0;
};

struct AloneWorld : World {
  AloneWorld() {
    settings = {.grant = Grant::client_credentials, .client_id = "c", .client_secret = "s", .issuer = server.origin()};
    server.change([](LoginServer::Ways& ways) {
      ways.issuer = [](JsonObject& json) { json.erase("token_endpoint_auth_methods_supported"); };
    });
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_kept_login_lets_in, World) {
  log_in();
  connect();
  BOOST_TEST(call() == "done");
  BOOST_TEST(server.forms().size() == 1U);  // nothing is renewed
  BOOST_TEST(credentials->needed().empty());
}

/// 2026-07-28 basic/authorization, token requirements: with every request, and never in a query.
BOOST_FIXTURE_TEST_CASE(a_token_is_in_a_header_field_of_every_request_and_in_no_query, World) {
  log_in();
  const std::size_t before = server.server().requests().size();
  connect();
  BOOST_TEST(call() == "done");
  const std::vector<std::string> all = server.server().requests();
  BOOST_TEST(all.size() > before);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string& text = all[i];
    BOOST_TEST(!has(text.substr(0, text.find("\r\n")), "hidden"), text);
    if (i >= before) BOOST_TEST(has(text, "\r\nAuthorization: Bearer access-1-hidden\r\n"), text);
  }
}

BOOST_FIXTURE_TEST_CASE(without_a_login_the_command_is_named, World) {
  const std::string why = connected();
  BOOST_TEST(has(why, "refuses access (HTTP 401); nobody has logged in there; expected a login: log-in-command"), why);
  BOOST_TEST(!has(why, "headers"), why);  // the server says that it wants a token
  BOOST_TEST(has(credentials->needed(), "log-in-command"));
  BOOST_TEST(server.asked().size() == 1U);  // no person, no discovery

  log_in();  // as another process does
  BOOST_TEST(connected() == "yes");
  BOOST_TEST(call() == "done");
}

BOOST_FIXTURE_TEST_CASE(a_server_that_says_nothing_of_tokens_may_want_something_else, World) {
  server.change([](LoginServer::Ways& ways) { ways.pages["/mcp"] = HttpAnswer::of(401, ""); });
  BOOST_TEST(has(connected(), "log-in-command, or \"headers\" of the server with what it knows you by"));
}

BOOST_FIXTURE_TEST_CASE(a_token_that_lives_for_less_than_half_a_minute_is_used_for_half_of_that, World) {
  server.change([](LoginServer::Ways& ways) { ways.life = 20; });
  log_in();
  connect();
  for (int i = 0; i < 3; ++i) BOOST_TEST(call() == "done");
  BOOST_TEST(server.forms().size() == 1U);  // nothing is renewed
  change([](Login& login) {
    login.tokens.expires -= 15;
    login.tokens.given -= 15;
  });
  BOOST_TEST(call() == "done");
  BOOST_TEST(server.forms().size() == 2U);
}

BOOST_FIXTURE_TEST_CASE(a_token_that_is_refused_is_renewed_and_the_call_is_carried_out_once, World) {
  log_in();
  connect();
  server.take_back(false);
  BOOST_TEST(call() == "done");
  BOOST_TEST(server.forms().size() == 2U);
  const Form form = server.forms().at(1);
  BOOST_TEST(only_value(form, "grant_type") == "refresh_token");
  BOOST_TEST(only_value(form, "refresh_token") == "refresh-1-hidden");
  BOOST_TEST(only_value(form, "resource") == server.url());
  BOOST_TEST(file().load()->tokens.refresh == "refresh-2-hidden");  // rotated
  BOOST_TEST(calls_at_server() == 1U);
}

BOOST_FIXTURE_TEST_CASE(a_token_that_has_run_out_is_renewed_before_it_is_refused, World) {
  log_in();
  change([](Login& login) {
    login.tokens.expires = seconds_now() + 10;
    login.tokens.given = seconds_now() - 3600;
  });
  connect();
  BOOST_TEST(call() == "done");
  BOOST_TEST(server.forms().size() == 2U);
  for (const std::string& text : server.requests_to("POST /mcp")) BOOST_TEST(!has(text, "Bearer access-1-hidden"));
}

BOOST_FIXTURE_TEST_CASE(a_renewed_login_that_cannot_be_written_is_used, World) {
  log_in();
  connect();
  server.take_back(false);
  server.change([this](LoginServer::Ways& ways) {
    ways.tokens = [path = std::filesystem::path(file().path())](JsonObject&) {
      const auto written = std::filesystem::last_write_time(path);
      std::filesystem::remove(path);
      std::filesystem::create_directory(path);  // as on a full disk, nothing takes its place
      std::filesystem::last_write_time(path, written);
    };
  });
  BOOST_TEST(call() == "done");
  BOOST_TEST(call() == "done");
  BOOST_TEST(server.forms().size() == 2U);  // the refresh token that was taken is not shown again
  BOOST_TEST(calls_at_server() == 2U);
  BOOST_TEST(credentials->needed().empty());
}

BOOST_FIXTURE_TEST_CASE(many_requests_renew_a_token_once, World) {
  log_in();
  connect();
  server.take_back(false);
  std::vector<CallHandle> calls;
  for (int i = 0; i < 20; ++i) calls.push_back(client->start_call("run", JsonObject()));
  for (CallHandle& one : calls) BOOST_TEST(one.wait().text() == "done");
  BOOST_TEST(server.forms().size() == 2U);
}

BOOST_FIXTURE_TEST_CASE(what_another_process_has_renewed_is_used, World) {
  log_in();
  connect();
  server.take_back(false);
  const Asking asking(http, server.url(), "");
  change([&](Login& login) {
    login.tokens = refreshed(asking, login.token_endpoint, login.resource, login.client, login.tokens);
  });
  BOOST_TEST(call() == "done");
  BOOST_TEST(server.forms().size() == 2U);
}

BOOST_FIXTURE_TEST_CASE(a_login_that_was_taken_back_is_given_up, World) {
  log_in();
  connect();
  server.take_back(true);
  const std::string why = call();
  BOOST_TEST(has(why, "no longer good"), why);
  BOOST_TEST(has(why, "expected a login: log-in-command"), why);
  BOOST_TEST(!has(why, "hidden"), why);
  BOOST_TEST(server.forms().size() == 2U);
  BOOST_TEST(has(call(), "log-in-command"));
  BOOST_TEST(server.forms().size() == 2U);  // what is refused is not tried again
  BOOST_TEST(file().load()->client.id == "client-1");
  BOOST_TEST(file().load()->tokens.refresh.empty());
}

BOOST_FIXTURE_TEST_CASE(a_client_that_is_no_longer_known_registers_again, World) {
  log_in();
  connect();
  server.take_back(false);
  server.change([](LoginServer::Ways& ways) {
    ways.pages["/token"] = HttpAnswer::of(401, R"({"error":"invalid_client"})", "Content-Type: application/json\r\n");
  });
  BOOST_TEST(has(call(), "expected a login: log-in-command"));
  server.change([](LoginServer::Ways& ways) { ways.pages.clear(); });
  log_in();
  BOOST_TEST(file().load()->client.id == "client-2");
  BOOST_TEST(call() == "done");
}

BOOST_FIXTURE_TEST_CASE(a_refusal_with_status_200_is_one, World) {
  log_in();
  connect();
  server.take_back(false);
  server.change([](LoginServer::Ways& ways) {
    ways.pages["/token"] = HttpAnswer::json(R"({"error":"bad_refresh_token","error_description":"it is old"})");
  });
  const std::string why = call();
  BOOST_TEST(has(why, "gives no token (HTTP 200, \"bad_refresh_token: it is old\")"), why);
  BOOST_TEST(has(why, "expected a login: log-in-command"), why);
  BOOST_TEST(file().load()->tokens.refresh.empty());
}

BOOST_FIXTURE_TEST_CASE(a_server_that_refuses_every_token_does_not_have_them_renewed_without_end, World) {
  log_in();
  connect();
  server.change([](LoginServer::Ways& ways) { ways.pages["/mcp"] = HttpAnswer::of(401, ""); });
  BOOST_TEST(has(call(), "refuses a token that was given a moment ago"));
  BOOST_TEST(has(call(), "refuses a token that was given a moment ago"));
  BOOST_TEST(server.forms().size() == 2U);
}

BOOST_FIXTURE_TEST_CASE(an_authorization_server_that_is_down_costs_no_login, World) {
  log_in();
  connect();
  server.take_back(false);
  server.change([](LoginServer::Ways& ways) { ways.pages["/token"] = HttpAnswer::of(503, ""); });
  BOOST_TEST(has(call(), "gives no token (HTTP 503)"));
  BOOST_TEST(file().load()->tokens.refresh == "refresh-1-hidden");
}

BOOST_FIXTURE_TEST_CASE(scopes_that_are_missing_are_noted_for_the_next_login, World) {
  server.change([](LoginServer::Ways& ways) { ways.needed_scope = "write"; });
  log_in();
  connect();
  const std::string why = call();
  BOOST_TEST(has(why, "does not allow this (HTTP 403); it misses scopes; expected a login: log-in-command"), why);
  BOOST_TEST(file().load()->wanted == std::vector<std::string>{"write"});
  BOOST_TEST(server.forms().size() == 1U);
  log_in();
  BOOST_TEST(call() == "done");  // the login counts at once
}

BOOST_FIXTURE_TEST_CASE(a_server_that_always_misses_something_else_does_not_fill_the_file, World) {
  log_in();
  connect();
  for (int i = 0; i < 105; ++i) {
    server.change([&](LoginServer::Ways& ways) { ways.needed_scope = "scope-" + std::to_string(i); });
    BOOST_TEST(has(call(), i < 100 ? "it misses scopes" : "more scopes than can be meant"));
  }
  BOOST_TEST(file().load()->wanted.size() == 100U);
}

BOOST_FIXTURE_TEST_CASE(a_login_is_for_its_server_alone, World) {
  log_in();
  HttpTestServer other([](const std::string&) { return HttpAnswer::of(200, ""); });
  server.change([&](LoginServer::Ways& ways) {
    ways.pages["/mcp"] = HttpAnswer::of(307, "", "Location: " + other.url("/mcp") + "\r\n");
  });
  BOOST_TEST(has(connected(), "another host"));
  BOOST_TEST(other.requests().empty());
}

BOOST_FIXTURE_TEST_CASE(a_damaged_login_is_told, World) {
  log_in();
  change([](Login& login) { login.token_endpoint = "http://evil.example/token"; });
  const std::string why = connected();
  BOOST_TEST(has(why, "log in anew"), why);
  BOOST_TEST(has(why, "log-in-command"), why);
}

BOOST_FIXTURE_TEST_CASE(secrets_are_known_to_who_takes_them_out_of_texts, World) {
  log_in();
  connect();
  server.take_back(false);
  BOOST_TEST(call() == "done");
  const auto secrets = credentials->secrets();
  for (const char* const one : {"access-1-hidden", "refresh-1-hidden", "access-2-hidden", "refresh-2-hidden"})
    BOOST_TEST((std::find(secrets->begin(), secrets->end(), one) != secrets->end()), one);
}

BOOST_FIXTURE_TEST_CASE(a_bridge_that_acts_alone_gets_and_renews_its_tokens, AloneWorld) {
  for (const bool keeps : {true, false}) {
    kept = keeps;
    connect();
    BOOST_TEST(call() == "done");
    server.take_back(false);
    BOOST_TEST(call() == "done");
  }
  BOOST_TEST(server.forms().size() == 4U);
  BOOST_TEST(file().load()->client.id == "c");
}

BOOST_FIXTURE_TEST_CASE(a_bridge_that_acts_alone_asks_for_missing_scopes_once, AloneWorld) {
  server.change([](LoginServer::Ways& ways) { ways.needed_scope = "write"; });
  connect();
  BOOST_TEST(call() == "done");
  BOOST_TEST(only_value(server.forms().back(), "scope") == "tools write");

  server.change([](LoginServer::Ways& ways) {
    ways.needed_scope = ways.withheld_scope = "never";
    ways.tokens = [](JsonObject& json) { json["scope"] = "tools"; };
  });
  const std::size_t before = server.forms().size();
  server.take_back(false);
  for (int i = 0; i < 3; ++i) BOOST_TEST(has(call(), "(HTTP 403)"));
  BOOST_TEST(server.forms().size() <= before + 2);
}

/// 2026-07-28 basic/authorization, step-up authorization flow: retries have a limit, and what was tried is known.
BOOST_FIXTURE_TEST_CASE(scopes_that_the_authorization_server_refuses_are_asked_for_once, AloneWorld) {
  server.change([](LoginServer::Ways& ways) { ways.needed_scope = ways.refused_scope = "write"; });
  connect();
  const std::size_t before = server.forms().size();
  const std::string why = call();
  BOOST_TEST(has(why, "(HTTP 403)"), why);
  BOOST_TEST(has(why, "not for you"), why);
  BOOST_TEST(server.forms().size() == before + 1);
  for (int i = 0; i < 3; ++i) BOOST_TEST(has(call(), "does not give the scopes that are missing"));
  BOOST_TEST(server.forms().size() == before + 1);
  connect();  // as another bridge of this user
  BOOST_TEST(has(call(), "does not give the scopes that are missing"));
  BOOST_TEST(server.forms().size() == before + 1);
  BOOST_TEST(file().load()->tokens.access == "access-1-hidden");  // which is good for other tools
  server.change([](LoginServer::Ways& ways) { ways.needed_scope.clear(); });
  BOOST_TEST(call() == "done");
}

/// That is no word about the scopes.
BOOST_FIXTURE_TEST_CASE(missing_scopes_are_asked_for_again_when_the_authorization_server_was_down, AloneWorld) {
  server.change([](LoginServer::Ways& ways) { ways.needed_scope = "write"; });
  connect();
  server.change([](LoginServer::Ways& ways) { ways.pages["/token"] = HttpAnswer::of(503, ""); });
  BOOST_TEST(has(call(), "gives no token (HTTP 503)"));
  server.change([](LoginServer::Ways& ways) { ways.pages.erase("/token"); });
  BOOST_TEST(call() == "done");
}
