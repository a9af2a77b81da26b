// How a bridge over HTTP ends when its clients are to notice nothing: its health says so first, what was asked is
// answered, and a socket that was handed over goes to whoever comes next.
#define BOOST_TEST_MODULE bridge_http_ending_test
#include <boost/test/unit_test.hpp>

#include <csignal>
#include <cstdint>
#include <optional>
#include <string>
#include <toolwire/child_process.hpp>
#include <vector>

#include "handed_program.hpp"
#include "process_bench.hpp"
#include "program_run.hpp"
#include "raw_http.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::string bridge_program = TOOLWIRE_BIN_DIR "/toolwire-bridge";

/// Two tools: one that answers at once, and one that waits until there is a file "go".
constexpr const char* manifest = R"({"protocol_version": "1.0",
  "scenario": {"name": "ending", "version": "1.0.0", "description": "Tools for an end"},
  "tools": [
    {"name": "now", "description": "Answers", "parameters": {"type": "object"},
     "metadata": {"enabled_by_default": true, "requires_approval": false}},
    {"name": "held", "description": "Waits", "parameters": {"type": "object"},
     "metadata": {"enabled_by_default": true, "requires_approval": false}}],
  "generated_at": "2026-01-15T10:30:00Z"})";

struct EndingFixture {
  ScratchFolder folder;

  EndingFixture() {
    folder.file("tools.json", manifest);
    folder.file("held.sh", "echo x >> '" + path("begun") + "'; until test -e '" + path("go") +
                               "'; do sleep 0.05; done; echo let go\n");
    folder.file("tools.bindings.json", R"({"bindings": {"now": {"process": {"argv": ["echo", "now"]}}, )"
                                       R"("held": {"process": {"argv": ["sh", ")" +
                                           path("held.sh") + "\"]}}}}");
    folder.file("mcp.json", R"({"mcpServers": {}, "toolwire": {"manifests": ["tools.json"]}})");
  }
  std::string path(const std::string& name) const { return (folder / name).string(); }
  Program serve(const std::vector<std::string>& more, const std::string& log = "log") const {
    Program made{.command = {bridge_program, "serve", path("mcp.json"), "--log", path(log)}};
    made.command.insert(made.command.end(), more.begin(), more.end());
    made.environment["XDG_STATE_HOME"] = path("state");
    return made;
  }
  /// Once it listens.
  std::uint16_t port(const std::string& log = "log") const {
    const std::string before = "listening on http://127.0.0.1:";
    BOOST_TEST_REQUIRE(eventually([&] { return has(content_of(path(log)), before); }));
    const std::string text = content_of(path(log));
    return static_cast<std::uint16_t>(std::stoi(text.substr(text.find(before) + before.size())));
  }
};

std::string call(std::uint16_t port, const std::string& tool) {
  return RawCall{.tool = tool, .arguments = "{}", .host = "127.0.0.1:" + std::to_string(port)}.text();
}

std::optional<RawAnswer> answered(RawHttp& connection, const std::string& request) {
  return connection.send(request) ? connection.answer() : std::nullopt;
}

int health(std::uint16_t port) {
  RawHttp connection(port);
  const auto answer = answered(connection, "GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
  return answer ? answer->status : 0;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(its_health_says_so_first_while_all_are_served_once_more, EndingFixture) {
  ChildProcess bridge(serve({"--listen", "http://127.0.0.1:0/mcp", "--notice-seconds", "3600"}));
  const std::uint16_t at = port();
  RawHttp idle(at);
  const auto before = answered(idle, call(at, "now"));
  BOOST_TEST_REQUIRE(before.has_value());
  BOOST_TEST(before->status == 200);
  BOOST_TEST(before->field("connection").empty());
  BOOST_TEST(health(at) == 200);

  bridge.signal(SIGTERM);
  BOOST_TEST(eventually([&] { return health(at) == 503; }));
  RawHttp late(at);
  for (RawHttp* const connection : {&late, &idle}) {
    const auto answer = answered(*connection, call(at, "now"));
    BOOST_TEST_REQUIRE(answer.has_value());
    BOOST_TEST(has(answer->body, "now"), answer->body);
    BOOST_TEST(answer->field("connection") == "close");
    BOOST_TEST(connection->is_over());
  }
  bridge.signal(SIGTERM);  // has no more patience
  BOOST_TEST(bridge.wait().code == 0);
}

BOOST_FIXTURE_TEST_CASE(a_call_under_way_is_answered_before_the_end, EndingFixture) {
  ChildProcess bridge(
      serve({"--listen", "http://127.0.0.1:0/mcp", "--notice-seconds", "0", "--drain-seconds", "3600"}));
  const std::uint16_t at = port();
  RawHttp idle(at);
  BOOST_TEST(answered(idle, call(at, "now")).has_value());
  RawHttp client(at);
  BOOST_TEST(client.send(call(at, "held")));
  BOOST_TEST(eventually([&] { return !content_of(path("begun")).empty(); }));
  bridge.signal(SIGTERM);
  BOOST_TEST(idle.is_over());
  BOOST_TEST(client.is_silent());
  folder.file("go", "");
  const auto answer = client.answer();
  BOOST_TEST_REQUIRE(answer.has_value());
  BOOST_TEST(has(answer->body, "let go"), answer->body);
  BOOST_TEST(bridge.wait().code == 0);
}

BOOST_FIXTURE_TEST_CASE(a_call_that_takes_longer_than_it_may_is_cancelled, EndingFixture) {
  ChildProcess bridge(serve({"--listen", "http://127.0.0.1:0/mcp", "--notice-seconds", "0", "--drain-seconds", "0"}));
  const std::uint16_t at = port();
  RawHttp client(at);
  BOOST_TEST(client.send(call(at, "held")));
  BOOST_TEST(eventually([&] { return !content_of(path("begun")).empty(); }));
  bridge.signal(SIGTERM);
  BOOST_TEST(bridge.wait().code == 0);
  const auto answer = client.answer();
  if (answer) BOOST_TEST(!has(answer->body, "let go"), answer->body);
}

BOOST_FIXTURE_TEST_CASE(who_connects_between_two_of_a_socket_that_was_handed_over_is_served_by_the_next,
                        EndingFixture) {
  const ListeningSocket socket;
  const auto at = static_cast<std::uint16_t>(socket.port());
  const std::vector<std::string> there{"--listen", "http://127.0.0.1:" + std::to_string(at) + "/mcp",
                                       "--notice-seconds", "3600"};
  HandedProgram first(socket, serve(there, "first"));
  RawHttp early(at);  // waits until it is there
  BOOST_TEST(answered(early, call(at, "now")).has_value());
  first.signal(SIGTERM);
  BOOST_TEST(eventually([&] {
    const auto answer = answered(early, call(at, "now"));
    return answer && answer->status == 200 && answer->field("connection") == "close";
  }));
  BOOST_TEST(early.is_over());
  RawHttp between(at);  // which the first does not let in any more, however long its notice is
  BOOST_TEST(between.send(call(at, "now")));
  HandedProgram second(socket, serve(there, "second"));
  const auto answer = between.answer();
  BOOST_TEST_REQUIRE(answer.has_value());
  BOOST_TEST(answer->status == 200);
  BOOST_TEST(answer->field("connection").empty());  // by the second
  for (HandedProgram* const one : {&first, &second}) {
    one->signal(SIGTERM);
    one->signal(SIGINT);
    BOOST_TEST(one->wait() == 0);
  }
}

BOOST_FIXTURE_TEST_CASE(what_cannot_be_meant_starts_nothing, EndingFixture) {
  const auto said = [&](const std::vector<std::string>& more) {
    const ProgramRun run = run_program(serve(more));
    BOOST_TEST(run.status == 2);
    return run.errors;
  };
  BOOST_TEST(has(said({"--listen", "http://127.0.0.1:0/mcp", "--notice-seconds", "soon"}),
                 "--notice-seconds: expected a whole number from 0 to 86400"));
  BOOST_TEST(has(said({"--listen", "unix:" + path("socket"), "--drain-seconds", "1"}), "expected --listen http://"));
  const ListeningSocket socket;
  Program other = serve({"--listen", "http://127.0.0.1:" + std::to_string(socket.port() ^ 1) + "/mcp"});
  other.command.insert(other.command.begin(), {"sh", "-c", "exec 2>'" + path("errors") + "' \"$@\"", "sh"});
  HandedProgram started(socket, other);
  BOOST_TEST(started.wait() == 2);
  BOOST_TEST(has(content_of(path("errors")), "none of the sockets that were handed over"));
  Program elsewhere = serve({"--listen", "unix:" + path("socket")});
  elsewhere.command.insert(elsewhere.command.begin(), {"sh", "-c", "exec 2>'" + path("errors") + "' \"$@\"", "sh"});
  HandedProgram also_started(socket, elsewhere);
  BOOST_TEST(also_started.wait() == 2);
  BOOST_TEST(has(content_of(path("errors")), "handed over (LISTEN_FDS) listens at " + path("socket")));
}
