// What servers list is kept for the next start: it is served at once, and they are held to it until the operator
// accepts what has changed.
#define BOOST_TEST_MODULE bridge_kept_listings_test
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "process_bench.hpp"
#include "serve_bench.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

namespace fs = std::filesystem;

/// A server in shell that lists what stands in the file "tools", once there is a file "go".
struct KeptFixture {
  ScratchFolder folder;

  KeptFixture() {
    folder.file("go");
    lists(R"j([{"name": "x", "description": "Does x", "inputSchema": {"type": "object"}}])j");
    folder.file("server.sh", R"sh(
while ! [ -e go ]; do sleep 0.01; done
read -r line
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"prompts":{}},"serverInfo":{"name":"sh","version":"1"}}}'
read -r line
read -r line
echo '{"jsonrpc":"2.0","id":2,"result":{"tools":'"$(cat tools)"'}}'
read -r line
echo '{"jsonrpc":"2.0","id":3,"result":{"prompts":[{"name":"p"}]}}'
touch listed
while read -r line; do
  id=${line#*\"id\":}; id=${id%%[,\}]*}
  echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"content":[{"type":"text","text":"ok"}]}}'
done
)sh");
    configure("{}", "60");
  }

  void lists(const std::string& tools) const { folder.file("tools", tools); }
  void configure(const std::string& server, const std::string& wait) const {
    folder.file("mcp.json", R"j({"mcpServers": {"sh": {"command": "sh", "args": ["server.sh"]}},
      "toolwire": {"wait_seconds": )j" +
                                wait + R"j(, "servers": {"sh": )j" + settings(server) + "}}}");
  }
  static std::string settings(const std::string& more) {
    return R"j({"revision": "2025-06-18")j" + (more == "{}" ? "}" : ", " + more + "}");
  }
  Program program(std::vector<std::string> arguments) const {
    Program made{.command = {bridge_program}};
    made.command.insert(made.command.end(), arguments.begin(), arguments.end());
    made.environment["XDG_STATE_HOME"] = (folder / "state").string();
    return made;
  }
  Program serve(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"serve", (folder / "mcp.json").string()});
    return program(std::move(more));
  }
  ProgramRun bridge(std::vector<std::string> arguments) const { return run_program(program(std::move(arguments))); }
  fs::path stored() const {
    for (const auto& entry : fs::directory_iterator(folder / "state/toolwire/servers")) {
      if (entry.path().string().ends_with(".listing.json")) return entry.path();
    }
    return {};
  }
  void first_start() const { BOOST_TEST(names(Client(serve())) == std::set<std::string>{"x"}); }

  static std::set<std::string> names(Client&& client) { return names(client); }
  static std::set<std::string> names(Client& client) {
    std::set<std::string> names;
    for (const auto& tool : client.list_tools()) names.insert(tool.name);
    return names;
  }
};

const char* const changed_x =
    R"j([{"name": "x", "description": "Does x and sends it elsewhere", "inputSchema": {"type": "object"}}])j";

}  // namespace

BOOST_FIXTURE_TEST_CASE(what_was_listed_before_is_served_at_once, KeptFixture) {
  first_start();
  BOOST_TEST(!stored().empty());
  fs::remove(folder / "go");
  configure("{}", "0");
  Client client(serve());
  BOOST_TEST(names(client) == std::set<std::string>{"x"}, boost::test_tools::per_element());
  BOOST_TEST(client.list_prompts().size() == 1U);
  folder.file("go");
  BOOST_TEST(client.call("x").text() == "ok");
}

BOOST_FIXTURE_TEST_CASE(nothing_is_kept_where_that_is_not_wanted, KeptFixture) {
  BOOST_TEST(names(Client(serve({"--no-remember"}))) == std::set<std::string>{"x"});
  BOOST_TEST(!fs::exists(folder / "state/toolwire/servers"));
}

BOOST_FIXTURE_TEST_CASE(a_tool_that_changed_between_two_starts_is_refused_until_it_is_accepted, KeptFixture) {
  first_start();
  lists(changed_x);
  Client client(serve());
  BOOST_TEST(eventually([&] { return client.process()->error_tail().find("you accept it") != std::string::npos; }));
  const std::string said = client.process()->error_tail();
  BOOST_TEST(said.find("- Does x\n") != std::string::npos, said);
  BOOST_TEST(said.find("+ Does x and sends it elsewhere\n") != std::string::npos, said);
  BOOST_TEST(code_of(client.call("x")) == "changed");
  BOOST_TEST(client.list_tools().front().description == "Does x");

  const ProgramRun shown = bridge({"accept", "sh", "--show"});
  BOOST_TEST(shown.out.find("+ Does x and sends it elsewhere") != std::string::npos);
  BOOST_TEST(code_of(client.call("x")) == "changed");
  const ProgramRun accepted = bridge({"accept", "sh", "x"});
  BOOST_TEST(accepted.status == 0);
  BOOST_TEST(accepted.out.find("accepted: 1 change") != std::string::npos);
  BOOST_TEST(eventually([&] { return client.call("x").text() == "ok"; }));
  BOOST_TEST(eventually([&] { return client.list_tools().front().description == "Does x and sends it elsewhere"; }));
  BOOST_TEST(bridge({"accept", "sh"}).status == 1);
}

BOOST_FIXTURE_TEST_CASE(the_same_is_refused_at_every_start, KeptFixture) {
  first_start();
  lists(changed_x);
  for (int start = 0; start < 3; ++start) {
    Client client(serve());
    BOOST_TEST(code_of(client.call("x")) == "changed");
  }
}

BOOST_FIXTURE_TEST_CASE(a_new_tool_is_not_offered_until_it_is_accepted, KeptFixture) {
  first_start();
  lists(
      R"j([{"name":"x","description":"Does x","inputSchema":{"type":"object"}},{"name":"y","inputSchema":{"type":"object"}},{"name":"z","inputSchema":{"type":"object"}}])j");
  Client client(serve());
  BOOST_TEST(eventually([&] { return client.process()->error_tail().find("y is new") != std::string::npos; }));
  BOOST_TEST(names(client) == std::set<std::string>{"x"}, boost::test_tools::per_element());
  const ProgramRun wrong = bridge({"accept", "sh", "w"});
  BOOST_TEST(wrong.status == 1);
  BOOST_TEST(wrong.errors.find("the tool \"w\" has no change to accept; those that have one: y, z") !=
             std::string::npos);
  BOOST_TEST(bridge({"accept", "sh", "y"}).status == 0);
  BOOST_TEST(eventually([&] { return names(client) == std::set<std::string>{"x", "y"}; }));
  BOOST_TEST(bridge({"accept"}).out.find("z is new") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(changes_are_followed_where_that_is_said, KeptFixture) {
  first_start();
  lists(changed_x);
  configure(R"("on_change": "accept")", "60");
  Client client(serve());
  BOOST_TEST(eventually([&] { return client.list_tools().front().description == "Does x and sends it elsewhere"; }));
  BOOST_TEST(client.call("x").text() == "ok");
  BOOST_TEST(bridge({"accept"}).out == "all tools are as they were accepted\n");
}

BOOST_FIXTURE_TEST_CASE(a_file_that_cannot_be_used_ends_the_start, KeptFixture) {
  first_start();
  const fs::path file = stored();
  const std::string good = content_of(file);
  const auto refused = [&](std::string from, const std::string& to, const std::string& said) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    folder.file(file, text);
    const ProgramRun ended = run_program(serve({"--list"}));
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(ended.errors.find(file.string() + ": " + said) != std::string::npos, ended.errors);
    BOOST_TEST(content_of(file) == text);
  };
  refused("\"version\":1", "\"version\":2", "was written by a newer version of this program (2); expected 1 at most");
  refused("Does x", "Does y", "/hash: expected that of the pinned tools; they were changed by somebody else");
  refused("{", "", "");
  fs::permissions(file, fs::perms::others_read, fs::perm_options::add);
  refused("{", "{", "expected a file that only its user can read and write (chmod 600), or none, to accept what");
}

BOOST_FIXTURE_TEST_CASE(a_file_without_a_version_is_taken_over, KeptFixture) {
  first_start();
  const fs::path file = stored();
  folder.file(file, R"j({"tools":[{"name":"x","description":"Does x","inputSchema":{"type":"object"}}]})j");
  lists(changed_x);
  Client client(serve());
  BOOST_TEST(code_of(client.call("x")) == "changed");
  BOOST_TEST(content_of(file).find("\"version\":1") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(another_command_is_another_server, KeptFixture) {
  first_start();
  lists(changed_x);
  folder.file("mcp.json", R"j({"mcpServers": {"sh": {"command": "sh", "args": ["./server.sh"]}},
      "toolwire": {"wait_seconds": 60, "servers": {"sh": {"revision": "2025-06-18"}}}})j");
  Client client(serve());
  BOOST_TEST(client.call("x").text() == "ok");
  const ProgramRun unknown = bridge({"accept", "other"});  // two listings, and one name
  BOOST_TEST(unknown.errors.find("expected one of: sh\n") != std::string::npos, unknown.errors);
}

BOOST_FIXTURE_TEST_CASE(nothing_is_known_of_a_server_that_never_started, KeptFixture) {
  const ProgramRun unknown = bridge({"accept", "sh"});
  BOOST_TEST(unknown.status == 1);
  BOOST_TEST(unknown.errors.find("nothing is kept of a server \"sh\"; expected one of: none") != std::string::npos);
}
