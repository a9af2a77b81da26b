// `toolwire-bridge serve --scenario URL…` as a host's child: scenarios over real HTTP that are there, down, gone, or
// late.
#include <toolwire/client.hpp>

#define BOOST_TEST_MODULE bridge_serve_scenarios_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <toolwire/bridge/http_provider.hpp>

#include "manifest_document.hpp"
#include "mcp_bridge.hpp"
#include "scratch_folder.hpp"

using namespace toolwire;
using namespace toolwire::bridge;
using namespace toolwire_test;

namespace {

/// A scenario `name` with one tool, `tool`, which answers with the name of its scenario. What is late is unavailable
/// until it comes.
class LiveScenario {
 public:
  LiveScenario(const std::string& name, const std::string& tool, bool late = false)
      : manifest_(std::make_shared<const Manifest>(manifest_of(name, tool))),
        available_(!late),
        provider_(
            {.port = 0}, [this] { return available_ ? manifest_ : nullptr; },
            [name](const std::string&, const Json&, const std::stop_token&, const auto& done) {
              done(ToolResult::text("from " + name));
            }),
        port_(provider_.listen()),
        thread_([this] { provider_.run(); }) {}
  ~LiveScenario() {
    provider_.stop();
    thread_.join();
  }
  LiveScenario(const LiveScenario&) = delete;
  LiveScenario& operator=(const LiveScenario&) = delete;

  void come() { available_ = true; }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

 private:
  static Manifest manifest_of(const std::string& name, const std::string& tool) {
    const Json text = JsonObject{
        {"protocol_version", "1.0"},
        {"scenario", JsonObject{{"name", name}, {"version", "1.0.0"}, {"description", "For a test"}}},
        {"tools",
         JsonArray{JsonObject{{"name", tool},
                              {"description", "Says where it runs"},
                              {"parameters", JsonObject{{"type", "object"}, {"properties", JsonObject{}}}},
                              {"metadata", JsonObject{{"enabled_by_default", true}, {"requires_approval", false}}}}}},
        {"generated_at", "2026-11-22T00:00:00Z"}};
    return read_manifest(to_json_text(text), name).manifest.value();
  }

  const std::shared_ptr<const Manifest> manifest_;
  std::atomic<bool> available_;
  HttpProvider provider_;
  const int port_;
  std::thread thread_;
};

/// An address where nothing listens any more.
std::string url_of_nobody() { return LiveScenario("nobody", "nothing").url(); }

struct Served {
  ScratchFolder folder;

  Program program(const std::vector<std::string>& arguments) const {
    Program program{.command = {TOOLWIRE_BIN_DIR "/toolwire-bridge", "serve"}};
    program.command.insert(program.command.end(), arguments.begin(), arguments.end());
    program.environment["XDG_STATE_HOME"] = folder.text();
    return program;
  }
};

std::vector<std::string> names_of(Client& client) {
  std::vector<std::string> names;
  for (const ListedTool& tool : client.list_tools()) names.push_back(tool.name);
  std::sort(names.begin(), names.end());
  return names;
}

const std::vector<std::string> eras{"2025-06-18", "2026-07-28"};

}  // namespace

BOOST_FIXTURE_TEST_CASE(scenarios_are_merged_and_one_that_is_down_takes_nothing_from_the_others, Served) {
  const LiveScenario first("first", "alpha");
  const LiveScenario second("second", "beta");
  for (const std::string& revision : eras) {
    Client client(program({"--scenario", first.url(), "--scenario", url_of_nobody(), "--scenario", second.url()}),
                  {.revision = revision});
    BOOST_TEST(names_of(client) == (std::vector<std::string>{"alpha", "beta"}));
    BOOST_TEST(client.call("alpha").text() == "from first");
    BOOST_TEST(client.call("beta").text() == "from second");
  }
}

BOOST_FIXTURE_TEST_CASE(a_scenario_that_goes_down_keeps_its_tool_whose_calls_say_so, Served) {
  const LiveScenario steady("steady", "alpha");
  auto shaky = std::make_unique<LiveScenario>("shaky", "beta");
  Client client(program({"--scenario", steady.url(), "--scenario", shaky->url()}), {.revision = "2026-07-28"});
  BOOST_TEST(client.call("beta").text() == "from shaky");
  shaky.reset();
  BOOST_TEST(code_of(client.call("beta")) == "unavailable");
  BOOST_TEST(names_of(client) == (std::vector<std::string>{"alpha", "beta"}));
  BOOST_TEST(client.call("alpha").text() == "from steady");
}

BOOST_FIXTURE_TEST_CASE(a_scenario_that_comes_later_is_offered_then, Served) {
  LiveScenario late("late", "alpha", true);
  Client client(program({"--scenario", late.url()}), {.revision = "2026-07-28"});
  BOOST_TEST(names_of(client).empty());
  late.come();
  BOOST_TEST(comes_true([&] { return names_of(client) == std::vector<std::string>{"alpha"}; }));
  BOOST_TEST(client.call("alpha").text() == "from late");
}

BOOST_FIXTURE_TEST_CASE(a_scenario_that_comes_later_does_not_get_the_name_of_another_servers_tool, Served) {
  LiveScenario late("late", "echo", true);
  Client client(program({"--server", "one=" TOOLWIRE_BIN_DIR "/mcp_back_end", "--scenario", late.url()}),
                {.revision = "2026-07-28"});
  const auto has = [&](const std::string& name) {
    const std::vector<std::string> names = names_of(client);
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  BOOST_TEST(comes_true([&] { return has("echo"); }));
  late.come();
  BOOST_TEST(comes_true([&] { return has("late_echo"); }));
  BOOST_TEST(client.call("echo", {{"text", "mine"}}).text() == "mine");
  BOOST_TEST(client.call("late_echo").text() == "from late");
}

BOOST_FIXTURE_TEST_CASE(a_scenario_that_is_quicker_than_a_server_does_not_get_the_name_of_its_tool_either, Served) {
  const LiveScenario quick("quick", "echo");
  Client client(
      program({"--server", "one=" TOOLWIRE_BIN_DIR "/mcp_back_end", "--scenario", quick.url(), "--wait", "60"}),
      {.revision = "2026-07-28"});
  BOOST_TEST(client.call("echo", {{"text", "mine"}}).text() == "mine");
  BOOST_TEST(client.call("quick_echo").text() == "from quick");
}

BOOST_FIXTURE_TEST_CASE(what_is_no_url_is_refused_at_once, Served) {
  ChildProcess process(program({"--scenario", "localhost:15000"}));
  BOOST_TEST(process.wait().code == 2);
  BOOST_TEST(process.error_tail().find("expected an http or https URL") != std::string::npos);
}
