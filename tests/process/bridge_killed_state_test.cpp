// The bridge is killed right before each of its changes of files: what it keeps is whole, and the next start uses it.
#define BOOST_TEST_MODULE bridge_killed_state_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "process_bench.hpp"
#include "serve_bench.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

namespace fs = std::filesystem;

/// A server in shell whose tool says what stands in the file "said".
struct KilledFixture {
  ScratchFolder folder;
  std::string state_key;
  int kills = 0;

  KilledFixture() {
    say("first");
    folder.file("server.sh", R"sh(read -r line
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}}'
read -r line
read -r line
echo '{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"x","description":"'"$(cat said)"'","inputSchema":{"type":"object"}}]}}'
while read -r line; do
  id=${line#*\"id\":}; id=${id%%[,\}]*}
  echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"content":[{"type":"text","text":"ok"}]}}'
done
)sh");
    configure("accept");
  }

  void configure(const std::string& on_change) const {
    folder.file("mcp.json", R"j({"mcpServers": {"sh": {"command": "sh", "args": ["server.sh"]}}, "toolwire": {
      "wait_seconds": 60, "audit": "audit", "metrics": "metrics", "tools": {"x": {"approval": "require"}},
      "servers": {"sh": {"revision": "2025-06-18", "on_change": ")j" +
                                on_change + R"j("}}}})j");
  }

  void say(const std::string& description) const { folder.file("said", description); }
  void forget() const { fs::remove_all(folder / "state"); }

  Program bridge(std::vector<std::string> arguments, int when) const {
    arguments.insert(arguments.begin(), bridge_program);
    Program program{.command = std::move(arguments)};
    program.environment["XDG_STATE_HOME"] = (folder / "state").string();
    if (!state_key.empty()) program.environment["TOOLWIRE_STATE_KEY"] = state_key;
    if (when > 0) {
      program.environment["LD_PRELOAD"] = TOOLWIRE_KILLED_AT_WRITE;
      program.environment["KILLED_AT_WRITE"] = std::to_string(when);
    }
    return program;
  }
  /// False if it was killed before this change of files.
  bool accept(int when) const {
    ChildProcess process(bridge({"accept", "sh"}, when));
    process.close_input();
    return process.wait().signal != SIGKILL;
  }

  /// Whether there is something that the server is held to.
  bool is_kept() const {
    return std::ranges::any_of(fs::directory_iterator(folder / "state/toolwire/servers"),
                               [](const auto& entry) { return entry.path().string().ends_with(".listing.json"); });
  }

  /// Lists, calls with an approval, and ends. `when`: before which change of files it is killed; 0: not.
  std::string use(int when) const {
    const Program program = bridge({"serve", (folder / "mcp.json").string()}, when);
    ClientOptions options{.revision = "2026-07-28"};
    options.on_elicitation = [](const Elicitation&) {
      return ElicitationReply{ElicitationReply::Action::accept, JsonObject{{"approve", true}}};
    };
    try {
      Client client(program, options);
      const std::string description = client.list_tools().at(0).description;
      const std::string text = client.call("x").text();
      client.process()->close_input();
      const ExitStatus ended = client.process()->wait();
      return ended.signal == SIGKILL ? "killed" : description + ": " + text;
    } catch (const ConnectionError&) {
      return "killed";
    }
  }

  /// What is kept can be read by others, and used by the next start.
  void check(const std::string& description) const {
    const std::string audit = content_of((folder / "audit").string());
    for (std::size_t at = 0; at < audit.size();) {
      const std::size_t end = audit.find('\n', at);
      BOOST_REQUIRE(end != std::string::npos);
      BOOST_TEST(parse_json(audit.substr(at, end - at)).at("tool") == Json("x"));
      at = end + 1;
    }
    if (fs::exists(folder / "metrics")) BOOST_TEST(content_of((folder / "metrics").string()).ends_with("\n"));
    // What was kept is shown first, then what the server has now.
    BOOST_TEST(eventually([&] { return use(0) == description + ": ok"; }));
  }

  /// Until it is not killed any more, as it has changed everything there is to change.
  template <class Prepare>
  void sweep(Prepare prepare) {
    int when = 1;
    while (true) {
      const std::string description = prepare(when);
      const bool killed = use(when) == "killed";
      BOOST_TEST_CONTEXT("killed before change " << when) { check(description); }
      if (!killed) break;
      ++when;
      ++kills;
    }
    BOOST_TEST(when > 5);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(state_that_is_made_or_changed_is_whole_whenever_the_bridge_is_killed, KilledFixture) {
  while (kills < 100) {
    sweep([&](int) {
      forget();
      return "first";
    });
    sweep([&](int when) {
      std::string description = "now " + std::to_string(when + 1000 * kills);
      say(description);
      return description;
    });
    say("first");
  }
  BOOST_TEST_MESSAGE(kills << " kills");
}

BOOST_FIXTURE_TEST_CASE(what_is_accepted_is_whole_whenever_that_is_killed, KilledFixture) {
  configure("refuse");
  int when = 0;
  for (bool killed = true; killed;) {
    ++when;
    forget();
    say("first");
    BOOST_TEST(use(0) == "first: ok");
    say("second");
    BOOST_TEST(eventually([&] { return use(0).find("is not what it was") != std::string::npos; }));
    killed = !accept(when);
    BOOST_TEST_CONTEXT("killed before change " << when) {
      BOOST_TEST(is_kept());           // else the next start would trust whatever it finds
      const std::string now = use(0);  // accepted or not, and nothing in between
      BOOST_TEST((now == "second: ok" || (killed && now.find("is not what it was") != std::string::npos)), now);
      if (killed) accept(0);
      BOOST_TEST(use(0) == "second: ok");
    }
  }
  BOOST_TEST(when > 2);
  BOOST_TEST_MESSAGE(when - 1 << " kills");
}

BOOST_FIXTURE_TEST_CASE(the_next_bridge_removes_what_killed_ones_have_left, KilledFixture) {
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::minutes(2);
  for (const char* const key : {"", "a key that somebody configured"}) {
    state_key = key;
    for (const char* const place : {"state/toolwire/", "state/toolwire/servers/", ""}) {
      const std::string where = place;
      fs::last_write_time(folder.file(where + ".toolwire-1.tmp", "old"), long_ago);
      fs::last_write_time(folder.file(where + "mine.tmp", "somebody else's"), long_ago);
      folder.file(where + ".toolwire-2.tmp", "being written");
    }
    BOOST_TEST(use(0) == "first: ok");
    for (const char* const place : {"state/toolwire/", "state/toolwire/servers/", ""}) {
      const std::string where = place;
      BOOST_TEST(!fs::exists(folder / (where + ".toolwire-1.tmp")), "in " << where << " with key " << key);
      BOOST_TEST(fs::exists(folder / (where + ".toolwire-2.tmp")), where);
      BOOST_TEST(fs::exists(folder / (where + "mine.tmp")), where);
    }
  }
}
