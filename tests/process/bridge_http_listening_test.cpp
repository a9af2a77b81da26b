// A bridge that serves over HTTP: who is let in, what it serves, and what is said of mistakes.
#define BOOST_TEST_MODULE bridge_http_listening_test
#include <boost/test/unit_test.hpp>

#include <csignal>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "process_bench.hpp"
#include "raw_http.hpp"
#include "serve_bench.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

const std::string token = "0123456789abcdef0123456789abcdef";

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

struct HttpFixture {
  ScratchFolder folder;

  HttpFixture() {
    folder.file("mcp.json", R"({"mcpServers": {"many": {"command": ")" TOOLWIRE_BIN_DIR R"(/mcp_back_end"}}})");
    with_tokens("# those who may\nana " + token + "\n\n  ben\t" + token + "x\n");
  }
  void with_tokens(const std::string& text) const {
    const auto file = folder.file("tokens", text);
    std::filesystem::permissions(file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  }
  std::string path(const char* name) const { return (folder / name).string(); }
  Program serve(std::vector<std::string> more) const {
    Program made{.command = {bridge_program, "serve", path("mcp.json")}};
    made.command.insert(made.command.end(), more.begin(), more.end());
    made.environment["XDG_STATE_HOME"] = path("state");
    return made;
  }
};

/// One that listens on a port of its own.
class Listening {
 public:
  Listening(const HttpFixture& fixture, std::vector<std::string> more = {})
      : log_(fixture.path("log")), process_(program(fixture, std::move(more))) {
    const std::string before = "listening on http://127.0.0.1:";
    BOOST_REQUIRE(eventually([&] { return has(content_of(log_), before); }));
    const std::string log = content_of(log_);
    const std::string rest = log.substr(log.find(before) + before.size());
    BOOST_TEST(has(rest, "/mcp\n"), log);
    port_ = static_cast<std::uint16_t>(std::stoi(rest));
  }

  RawAnswer ask(RawCall call) const {
    if (call.host.empty()) call.host = "127.0.0.1:" + std::to_string(port_);
    RawHttp connection(port_);
    BOOST_TEST(connection.send(call.text()));
    return connection.answer().value();
  }
  ChildProcess& process() { return process_; }

 private:
  static Program program(const HttpFixture& fixture, std::vector<std::string> more) {
    more.insert(more.begin(), {"--listen", "http://127.0.0.1:0/mcp", "--log", fixture.path("log")});
    return fixture.serve(std::move(more));
  }

  std::string log_;
  ChildProcess process_;
  std::uint16_t port_ = 0;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(servers_are_listed_and_called_over_http, HttpFixture) {
  // toolwire-bridge serve mcp.json --listen http://127.0.0.1:8080/mcp
  Listening bridge(*this);
  const RawAnswer listed = bridge.ask({.method = "tools/list", .params = R"("unknown":1)"});
  BOOST_TEST(listed.status == 200);
  BOOST_TEST(has(listed.body, R"("name":"echo")"), listed.body);
  const RawAnswer called = bridge.ask({.tool = "echo", .arguments = R"({"text":"over HTTP"})"});
  BOOST_TEST(called.status == 200);
  BOOST_TEST(has(called.body, "over HTTP"), called.body);
  BOOST_TEST(bridge.ask({.host = "evil.example"}).status == 403);
  bridge.process().signal(SIGTERM);
  BOOST_TEST(bridge.process().wait().code == 0);
}

BOOST_FIXTURE_TEST_CASE(what_a_server_said_before_it_died_is_not_for_everybody_who_calls, HttpFixture) {
  folder.file("broken.sh", "echo 'a word of the operator' >&2; exit 3\n");
  folder.file("mcp.json", R"({"mcpServers": {"broken": {"command": "sh", "args": [")" + path("broken.sh") + R"("]}}})");
  const Listening bridge(*this);
  std::string body;
  const bool is_told = eventually([&] {
    body = bridge.ask({.tool = "late"}).body;
    return has(body, R"(not running: server \"broken\"")");
  });
  BOOST_TEST(is_told, body);
}

/// Clients over HTTP would have to leave it out (2026-07-28), whatever the server behind is reached by.
BOOST_FIXTURE_TEST_CASE(a_tool_whose_arguments_no_header_field_could_repeat_is_not_offered, HttpFixture) {
  folder.file("server", R"(read -r line
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}'
read -r line
read -r line
echo '{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"wrong","inputSchema":{"type":"object","properties":{"a":{"type":"number","x-mcp-header":"A"}}}},{"name":"fine","inputSchema":{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"A"}}}}]}}'
cat > /dev/null
)");
  folder.file("mcp.json", R"({"mcpServers": {"one": {"command": "/bin/sh", "args": [")" + path("server") +
                              R"("]}}, "toolwire": {"servers": {"one": {"revision": "2025-11-25"}}}})");
  const ProgramRun listed = run_program(serve({"--list"}));
  BOOST_TEST(listed.status == 0, listed.errors);
  BOOST_TEST(has(listed.out, "fine"), listed.out);
  BOOST_TEST(!has(listed.out, "wrong"), listed.out);
  BOOST_TEST(has(listed.errors, "\"wrong\" is not offered: tool \"wrong\": its x-mcp-header \"A\" is of a parameter"),
             listed.errors);
}

BOOST_FIXTURE_TEST_CASE(who_has_no_token_is_not_let_in, HttpFixture) {
  // toolwire-bridge serve mcp.json --listen http://127.0.0.1:8080/mcp --token-file tokens
  const Listening bridge(*this, {"--token-file", path("tokens")});
  const auto status = [&](const std::string& fields) {
    return bridge.ask({.tool = "echo", .arguments = R"({"text":"x"})", .more = fields}).status;
  };
  const std::map<std::string, int> expected{
      {"", 401},
      {"Authorization: Bearer " + token + "\r\n", 200},
      {"authorization: bearer " + token + "x\r\n", 200},
      {"Authorization: Bearer " + token + "y\r\n", 401},
      {"Authorization: Bearer " + token.substr(1) + "\r\n", 401},
      {"Authorization: Basic " + token + "\r\n", 401},
      {"Authorization: Bearer\r\n", 401},
      {"Authorization: Bearer " + token + "\r\nAuthorization: Bearer " + token + "\r\n", 401},
  };
  for (const auto& [fields, wanted] : expected) BOOST_TEST(status(fields) == wanted, fields);
  BOOST_TEST(bridge.ask({}).field("www-authenticate") == "Bearer");
  BOOST_TEST(bridge.ask({.more = "Authorization: Bearer " + token + "y\r\n"}).field("www-authenticate") ==
             "Bearer error=\"invalid_token\"");
}

BOOST_FIXTURE_TEST_CASE(who_is_taken_out_of_the_file_of_tokens_is_not_let_in_any_more, HttpFixture) {
  const Listening bridge(*this, {"--token-file", path("tokens")});
  const auto status = [&](const std::string& of) {
    return bridge
        .ask({.more = "Authorization: Bearer " + of + "\r\n", .method = "tools/list", .params = R"("unknown":1)"})
        .status;
  };
  BOOST_TEST(status(token) == 200);
  with_tokens("ben " + token + "x\ncleo " + token + "z\n");
  BOOST_TEST(eventually([&] { return status(token) == 401; }));
  BOOST_TEST(status(token + "x") == 200);
  BOOST_TEST(status(token + "z") == 200);
  BOOST_TEST(eventually([&] { return has(content_of(path("log")), "the file of tokens was read again"); }));
}

BOOST_FIXTURE_TEST_CASE(a_file_of_tokens_that_cannot_be_used_any_more_changes_nothing_and_is_told, HttpFixture) {
  const Listening bridge(*this, {"--token-file", path("tokens")});
  const auto status = [&] {
    return bridge
        .ask({.more = "Authorization: Bearer " + token + "\r\n", .method = "tools/list", .params = R"("unknown":1)"})
        .status;
  };
  const auto expect_log = [&](const std::string& text) {
    BOOST_TEST(eventually([&] { return has(content_of(path("log")), text); }), content_of(path("log")));
    BOOST_TEST(has(content_of(path("log")), "; the tokens stay as they were"));
    BOOST_TEST(status() == 200);
  };
  with_tokens("ana " + token.substr(0, 31) + "\n");
  expect_log("--token-file: line 1: expected");
  std::filesystem::remove(path("tokens"));
  expect_log("--token-file: expected a file of yours");
  BOOST_TEST(!has(content_of(path("log")), token.substr(0, 31)));
}

BOOST_FIXTURE_TEST_CASE(edits_of_the_file_of_tokens_are_not_noticed_where_none_are, HttpFixture) {
  const Listening bridge(*this, {"--token-file", path("tokens"), "--no-watch"});
  with_tokens("cleo " + token + "z\n");
  BOOST_TEST(bridge.ask({.more = "Authorization: Bearer " + token + "z\r\n"}).status == 401);
  BOOST_TEST(
      bridge
          .ask({.more = "Authorization: Bearer " + token + "\r\n", .method = "tools/list", .params = R"("unknown":1)"})
          .status == 200);
}

BOOST_FIXTURE_TEST_CASE(a_server_that_hosts_must_not_share_is_not_served_over_http, HttpFixture) {
  folder.file("mcp.json", R"({"mcpServers": {"many": {"command": "x"}},
    "toolwire": {"servers": {"many": {"shared": false}}}})");
  const ProgramRun ended = run_program(serve({"--listen", "http://127.0.0.1:0/mcp"}));
  BOOST_TEST(ended.status == 2);
  BOOST_TEST(has(ended.errors, "needs --listen unix:PATH"), ended.errors);
}

BOOST_FIXTURE_TEST_CASE(mistakes_are_said_before_anything_is_started, HttpFixture) {
  struct Mistake {
    std::vector<std::string> arguments;
    std::string said;
  };
  const std::string tokens = path("tokens");
  const std::vector<Mistake> mistakes{
      {{"--listen", "https://127.0.0.1:1/mcp"}, "expected \"http://ADDRESS:PORT/PATH\""},
      {{"--listen", "http://127.0.0.1/mcp"}, "expected \"http://ADDRESS:PORT/PATH\""},
      {{"--listen", "http://127.0.0.1:70000/mcp"}, "expected \"http://ADDRESS:PORT/PATH\""},
      {{"--listen", "http://somewhere:80/mcp"}, "expected \"http://ADDRESS:PORT/PATH\""},
      {{"--listen", "http://127.0.0.1:80/mcp?x"}, "expected \"http://ADDRESS:PORT/PATH\""},
      {{"--listen", "ftp:x"}, "expected \"unix:PATH\", \"unix:auto\" or \"http://ADDRESS:PORT/PATH\""},
      {{"--listen", "http://0.0.0.0:0/mcp"}, "other machines can reach this port"},
      {{"--listen", "http://0.0.0.0:0/mcp"},
       "say who may call (--token-file, or \"authorization\" in the configuration)"},
      {{"--listen", "http://0.0.0.0:0/mcp", "--token-file", tokens}, "they call it by (--host)"},
      {{"--listen", "http://127.0.0.1:0/health"}, "/health is served beside MCP; expected another path"},
      {{"--listen", "http://127.0.0.1:0/status.json"}, "/status.json is served beside MCP"},
      {{"--listen", "http://127.0.0.1:0/mcp", "--origin", "https://inbox.example/"},
       "--origin: expected what browsers call"},
      {{"--listen", "http://127.0.0.1:0/mcp", "--origin", "inbox.example"}, "--origin: expected what browsers call"},
      {{"--listen", "http://127.0.0.1:0/mcp", "--origin", "https://*.example"},
       "--origin: expected what browsers call"},
      {{"--listen", "http://127.0.0.1:0/mcp", "--host", "https://mcp.example"}, "--host: expected NAME or NAME:PORT"},
      {{"--listen", "http://127.0.0.1:0/mcp", "--host", ""}, "--host: expected NAME or NAME:PORT"},
      {{"--listen", "http://0.0.0.0:0/mcp", "--token-file", tokens}, "name the hosts"},
      {{"--listen", "http://127.0.0.1:0/mcp", "--keep"}, "expected --listen unix:PATH"},
      {{"--listen", "unix:auto", "--token-file", tokens}, "expected --listen http"},
      {{"--token-file", tokens}, "expected --listen, for which they are"},
      {{"--listen", "http://127.0.0.1:0/mcp", "--token-file", path("none")}, "nobody else can read or write"},
      {{"--listen", "http://127.0.0.1:0/mcp", "--list"}, "serve nobody"},
  };
  for (const Mistake& mistake : mistakes) {
    const ProgramRun ended = run_program(serve(mistake.arguments));
    BOOST_TEST(ended.status == 2, mistake.said);
    BOOST_TEST(has(ended.errors, mistake.said), mistake.said + " in " + ended.errors);
  }
}

BOOST_FIXTURE_TEST_CASE(a_file_of_tokens_that_cannot_be_meant_is_refused, HttpFixture) {
  const auto said = [&] {
    return run_program(serve({"--listen", "http://127.0.0.1:0/mcp", "--token-file", path("tokens")})).errors;
  };
  for (const std::string& text :
       std::vector<std::string>{"ana short\n", "ana\n", "ana " + token + " more\n",
                                "ana " + token + "\nana " + token + "x\n", "ana " + token + "\nben " + token + "\n"}) {
    with_tokens(text);
    BOOST_TEST(has(said(), "expected \"NAME TOKEN\""), text + said());
  }
  with_tokens("# nobody\n");
  BOOST_TEST(has(said(), "found none"), said());
  with_tokens("ana " + token + "\n");
  std::filesystem::permissions(path("tokens"), std::filesystem::perms::group_read, std::filesystem::perm_options::add);
  BOOST_TEST(has(said(), "nobody else can read or write"), said());
}
