// `toolwire-bridge login` and `logout` as a person types them, and bridges that use what they leave.
#define BOOST_TEST_MODULE bridge_login_command_test
#include <boost/test/unit_test.hpp>

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "login_server.hpp"
#include "process_bench.hpp"
#include "serve_bench.hpp"

namespace fs = std::filesystem;
using namespace toolwire_test;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A configuration with one server that asks for a login, and a desktop that writes down what it is to show.
struct LoginFixture {
  LoginServer server;
  ScratchFolder folder;

  LoginFixture() {
    configure("{}");
    const fs::path opener = folder.file("bin/xdg-open",
                                        "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$0.part\"\n"
                                        "mv \"$0.part\" \"$0.shown\"\n");
    fs::permissions(opener, fs::perms::owner_all);
  }

  void configure(const std::string& oauth) const {
    folder.file("mcp.json", R"j({"mcpServers": {"far": {"type": "http", "url": ")j" + server.url() +
                                R"j(", "oauth": )j" + oauth +
                                R"j(}, "near": {"command": "true", "disabled": true}}})j");
  }
  std::string configuration() const { return (folder / "mcp.json").string(); }

  Program program(std::vector<std::string> arguments) const {
    Program made{.command = {bridge_program}};
    made.command.insert(made.command.end(), arguments.begin(), arguments.end());
    made.environment["XDG_STATE_HOME"] = (folder / "state").string();
    made.environment["PATH"] = (folder / "bin").string() + ":/usr/bin:/bin";
    return made;
  }
  ProgramRun bridge(std::vector<std::string> arguments) const { return run_program(program(std::move(arguments))); }

  /// Logs in with the browser of the desktop.
  ProgramRun log_in(std::vector<std::string> arguments) const {
    const fs::path shown = folder / "bin/xdg-open.shown";
    arguments.insert(arguments.begin(), "login");
    auto running = std::async(std::launch::async, [&] { return bridge(arguments); });
    BOOST_TEST_REQUIRE(eventually([&] { return fs::exists(shown); }));
    const std::string url = content_of(shown);
    fs::remove(shown);
    BOOST_TEST(browse(url.substr(0, url.find('\n'))) == 200);
    return running.get();
  }

  std::vector<fs::path> logins() const {
    std::vector<fs::path> found;
    const fs::path place = folder / "state/toolwire/logins";
    if (!fs::exists(place)) return found;
    for (const auto& entry : fs::directory_iterator(place)) {
      if (entry.path().string().ends_with(".login.json")) found.push_back(entry.path());
    }
    return found;
  }

  static std::set<std::string> names(Client& client) {
    std::set<std::string> names;
    for (const auto& tool : client.list_tools()) names.insert(tool.name);
    return names;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_person_logs_in_and_a_bridge_calls, LoginFixture) {
  const ProgramRun run = log_in({configuration(), "far"});
  BOOST_TEST(run.status == 0, run.errors);
  BOOST_TEST(has(run.out, "logged in to " + server.origin()), run.out);
  BOOST_TEST(!has(run.out + run.errors, "hidden"));  // tokens
  BOOST_REQUIRE(logins().size() == 1U);
  struct stat about {};
  BOOST_TEST(::stat(logins().front().c_str(), &about) == 0);
  BOOST_TEST((about.st_mode & 0777U) == 0600U);

  Client client(program({"serve", configuration()}));
  BOOST_TEST(client.call("run").text() == "done");
  BOOST_TEST(!has(client.process()->error_tail(), "hidden"));
}

BOOST_FIXTURE_TEST_CASE(a_server_without_a_login_comes_once_there_is_one, LoginFixture) {
  Client client(program({"serve", configuration()}));
  BOOST_TEST(names(client).empty());
  BOOST_TEST(eventually([&] {
    return has(client.process()->error_tail(), "expected a login: toolwire-bridge login " + configuration() + " far");
  }));
  const ProgramRun status = bridge({"status"});
  BOOST_TEST(has(status.out, "needs a login"), status.out);
  BOOST_TEST(has(status.out, "toolwire-bridge login"), status.out);

  BOOST_TEST(log_in({configuration()}).status == 0);
  BOOST_TEST(eventually([&] { return names(client) == std::set<std::string>{"run"}; }));
  BOOST_TEST(client.call("run").text() == "done");
  BOOST_TEST(has(bridge({"status"}).out, "running"));
}

BOOST_FIXTURE_TEST_CASE(a_login_that_is_lost_is_named_in_the_calls, LoginFixture) {
  BOOST_TEST(log_in({configuration(), "far"}).status == 0);
  Client client(program({"serve", configuration()}));
  BOOST_TEST(client.call("run").text() == "done");
  server.take_back(true);
  const CallResult refused = client.call("run");
  BOOST_TEST(refused.is_error);
  BOOST_TEST(has(refused.text(), "toolwire-bridge login " + configuration() + " far"), refused.text());
  BOOST_TEST(!has(refused.text(), "hidden"), refused.text());
  BOOST_TEST(log_in({configuration(), "far"}).status == 0);
  BOOST_TEST(client.call("run").text() == "done");
}

/// Where the server has forgotten the client, it tells the browser so and nobody else.
BOOST_FIXTURE_TEST_CASE(a_login_that_comes_to_nothing_has_the_next_one_register_again, LoginFixture) {
  BOOST_TEST(log_in({configuration(), "far"}).status == 0);
  const ProgramRun run = bridge({"login", configuration(), "far", "--no-browser", "--wait-seconds", "1"});
  BOOST_TEST(run.status == 1);
  BOOST_TEST(has(run.errors, "nobody has logged in within 1 s; the next login registers the bridge anew"), run.errors);
  BOOST_TEST(server.requests_to("POST /register").size() == 1U);
  Client client(program({"serve", configuration()}));
  BOOST_TEST(client.call("run").text() == "done");  // what there was still counts
  BOOST_TEST(log_in({configuration(), "far"}).status == 0);
  BOOST_TEST(server.requests_to("POST /register").size() == 2U);
}

/// RFC 7009: the refresh token first, as the client they were given to.
BOOST_FIXTURE_TEST_CASE(a_logout_has_the_tokens_taken_back, LoginFixture) {
  server.change([](LoginServer::Ways& ways) { ways.takes_back = true; });
  BOOST_TEST(log_in({configuration(), "far"}).status == 0);
  const ProgramRun out = bridge({"logout", configuration(), "far"});
  BOOST_TEST(out.status == 0);
  BOOST_TEST(out.out == "logged out\n");
  BOOST_TEST(out.errors.empty(), out.errors);
  BOOST_TEST(logins().empty());
  using toolwire::bridge::login::only_value;
  const auto forms = server.forms_to("/revoke");
  BOOST_TEST_REQUIRE(forms.size() == 2U);
  BOOST_TEST(only_value(forms[0], "token_type_hint") == "refresh_token");
  BOOST_TEST(only_value(forms[0], "token") == "refresh-1-hidden");
  BOOST_TEST(only_value(forms[0], "client_id") == "client-1");
  BOOST_TEST(only_value(forms[1], "token_type_hint") == "access_token");
  BOOST_TEST(only_value(forms[1], "token") == "access-1-hidden");

  server.change(
      [](LoginServer::Ways& ways) { ways.pages["/revoke"] = HttpAnswer::of(503, R"({"error":"access-2-hidden"})"); });
  BOOST_TEST(log_in({configuration(), "far"}).status == 0);
  const ProgramRun refused = bridge({"logout", configuration(), "far"});
  BOOST_TEST(refused.status == 0);
  BOOST_TEST(refused.out == "logged out\n");
  BOOST_TEST(
      has(refused.errors, "not taken back: " + server.origin() + " does not take the refresh_token back (HTTP 503"),
      refused.errors);
  BOOST_TEST(logins().empty());
}

/// What is only used at the end of a login keeps nobody from it.
BOOST_FIXTURE_TEST_CASE(where_tokens_cannot_be_taken_back_it_is_said, LoginFixture) {
  const std::string said = "the tokens are forgotten here and not taken back: " + server.origin() +
                           " has named no place to do that (revocation_endpoint)";
  for (const char* const place : {"", "http://elsewhere.example/revoke", "no URL"}) {
    server.change([place](LoginServer::Ways& ways) {
      ways.issuer = [place](toolwire::JsonObject& metadata) {
        if (*place != 0) metadata["revocation_endpoint"] = place;
      };
    });
    BOOST_TEST(log_in({configuration(), "far"}).status == 0, place);
    const ProgramRun out = bridge({"logout", configuration(), "far"});
    BOOST_TEST(out.out == "logged out\n");
    BOOST_TEST(has(out.errors, said), out.errors);
  }
  BOOST_TEST(log_in({configuration(), "far"}).status == 0);
  std::ofstream(logins().front()) << "damaged";
  const ProgramRun out = bridge({"logout", configuration(), "far"});
  BOOST_TEST(out.status == 0);
  BOOST_TEST(has(out.errors, "what was kept cannot be read"), out.errors);
  BOOST_TEST(logins().empty());
}

BOOST_FIXTURE_TEST_CASE(a_url_is_enough, LoginFixture) {
  BOOST_TEST(log_in({server.url()}).status == 0);
  Client client(program({"serve", "--server", "far=" + server.url()}));
  BOOST_TEST(client.call("run").text() == "done");
  const ProgramRun out = bridge({"logout", server.url()});
  BOOST_TEST(out.status == 0);
  BOOST_TEST(out.out == "logged out\n");
  BOOST_TEST(logins().empty());
  BOOST_TEST(bridge({"logout", server.url()}).status == 1);
  BOOST_TEST(has(client.call("run").text(), "toolwire-bridge login " + server.url()));
}

BOOST_FIXTURE_TEST_CASE(other_headers_of_a_server_go_to_it_alone, LoginFixture) {
  folder.file("mcp.json",
              R"j({"mcpServers": {"far": {"url": ")j" + server.url() + R"j(", "headers": {"X-Tenant": "t-1"}}}})j");
  BOOST_TEST(log_in({configuration()}).status == 0);
  for (const std::string& text : server.server().requests())
    BOOST_TEST(has(text, "X-Tenant: t-1") == text.starts_with("POST /mcp"), text.substr(0, text.find('\r')));
}

BOOST_FIXTURE_TEST_CASE(no_browser_is_started_where_none_is_wanted, LoginFixture) {
  Program login = program({"login", configuration(), "--no-browser", "--wait-seconds", "60"});
  login.kept_errors = 65'536;
  ChildProcess process(login);
  process.close_input();
  const auto shown = [&] {
    const std::string said = process.error_tail();
    const std::size_t at = said.find("  http");
    return at == std::string::npos || said.find('\n', at) == std::string::npos
               ? std::string()
               : said.substr(at + 2, said.find('\n', at) - at - 2);
  };
  BOOST_TEST_REQUIRE(eventually([&] { return !shown().empty(); }));
  BOOST_TEST(browse(shown()) == 200);
  BOOST_TEST(process.wait().code == 0);
  BOOST_TEST(!fs::exists(folder / "bin/xdg-open.shown"));
  BOOST_TEST(logins().size() == 1U);
}

BOOST_FIXTURE_TEST_CASE(a_bridge_with_credentials_of_its_own_needs_no_person, LoginFixture) {
  folder.file("secret", "very-hidden-secret\n");
  configure(R"j({"grant": "client_credentials", "client_id": "c", "client_secret": "${file:secret}", "issuer": ")j" +
            server.origin() + "\"}");
  server.change([](LoginServer::Ways& ways) {
    ways.issuer = [](JsonObject& json) {
      json["token_endpoint_auth_methods_supported"] = JsonArray{"client_secret_post"};
    };
  });
  Client client(program({"serve", configuration()}));
  BOOST_TEST(client.call("run").text() == "done");
  BOOST_TEST(bridge::login::only_value(server.forms().at(0), "client_secret") == "very-hidden-secret");
  for (const fs::path& login : logins()) BOOST_TEST(!has(content_of(login), "very-hidden-secret"));
  BOOST_TEST(!has(client.process()->error_tail(), "hidden"));
}

BOOST_FIXTURE_TEST_CASE(mistakes_are_told_before_anybody_is_asked, LoginFixture) {
  const auto told = [&](std::vector<std::string> arguments, int status, const std::string& said) {
    const ProgramRun run = bridge(arguments);
    BOOST_TEST(run.status == status, said << ": " << run.errors);
    BOOST_TEST(has(run.errors, said), run.errors);
  };
  told({"login", configuration(), "other"}, 2, "expected SERVER, the name of one that has a \"url\": far");
  told({"login", server.url(), "far"}, 2, "expected the URL alone");
  told({"login", configuration(), "--scope", "a b"}, 2, "--scope: expected one name");
  told({"login", configuration(), "--wait-seconds", "soon"}, 2, "--wait-seconds: expected a whole number");
  told({"login", "http://mcp.example.com/mcp"}, 1, "http:// is for this machine alone");
  configure(R"({"client_id": 1})");
  told({"login", configuration()}, 2, "client_id: expected a string");
  configure("false");
  told({"login", configuration()}, 2, "expected neither \"Authorization\" there nor \"oauth\": false");
  BOOST_TEST(server.asked().empty());
  server.change([](LoginServer::Ways& ways) {
    ways.pages["/mcp"] = HttpAnswer::of(200, "{}");
    ways.pages["/.well-known/oauth-protected-resource/mcp"] = HttpAnswer::of(404, "");
  });
  told({"login", server.url()}, 1, "asks for no login");
  BOOST_TEST(logins().empty());
}
