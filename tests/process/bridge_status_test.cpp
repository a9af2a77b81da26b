// How a running bridge is doing: `toolwire-bridge status`, and what it says over HTTP.
#define BOOST_TEST_MODULE bridge_status_test
#include <boost/test/unit_test.hpp>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <toolwire/system/file_descriptor.hpp>

#include "curl.hpp"
#include "process_bench.hpp"
#include "serve_bench.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

namespace fs = std::filesystem;

struct StatusFixture {
  ScratchFolder folder;

  Program program(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), bridge_program);
    Program made{.command = std::move(arguments)};
    made.environment["XDG_STATE_HOME"] = (folder / "state").string();
    return made;
  }
  std::string configure(const std::string& servers, const std::string& own = "{}") const {
    return folder.file("bridge.json", "{\"mcpServers\": {" + servers + "}, \"toolwire\": " + own + "}").string();
  }
  ProgramRun status(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), "status");
    return run_program(program(std::move(more)));
  }
  /// Of the only bridge there is.
  Json report() const {
    const ProgramRun said = status({"--json"});
    BOOST_TEST(std::count(said.out.begin(), said.out.end(), '\n') == 1, said.out << said.errors);
    return parse_json(said.out);
  }
  /// Checks on the way that nobody else may use them.
  std::size_t sockets() const {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder / "state/toolwire/running")) {
      if (entry.is_socket()) ++count;
      const fs::perms others = entry.status().permissions() & (fs::perms::group_all | fs::perms::others_all);
      BOOST_TEST((others == fs::perms::none), entry.path());
    }
    return count;
  }
  static const std::string many, bad;
};
const std::string StatusFixture::many = R"j("many": {"command": ")j" TOOLWIRE_BIN_DIR R"j(/mcp_back_end"})j";
const std::string StatusFixture::bad =
    R"j("bad": {"command": "/bin/sh", "args": ["-c", "echo \"no <b>database</b> for $TOKEN\" >&2; exit 3"],
    "env": {"TOKEN": "s3cr3t-of-bad"}})j";

/// `toolwire-bridge http`, from its line "listening on URL" on.
class Provider {
 public:
  explicit Provider(const Program& program, const std::string& host = "127.0.0.1") : process_(program) {
    std::string line;
    for (char c = 0; process_.transport().read(&c, 1) == 1 && c != '\n';) line += c;
    BOOST_REQUIRE(line.starts_with("listening on http://" + host + ":"));
    url_ = line.substr(line.find("http"));
    url_.resize(url_.find("/api/"));
  }
  CurlAnswer get(const std::string& path, std::vector<std::string> more = {}) const {
    more.push_back(url_ + path);
    return curl(std::move(more));
  }
  CurlAnswer execute(const std::string& body, std::vector<std::string> more) const {
    more.insert(more.end(), {"-H", "Content-Type: application/json", "--data-binary", body});
    return get("/api/v1/tools/execute", std::move(more));
  }
  std::string errors() const { return process_.error_tail(); }
  int end() {
    process_.signal(SIGTERM);
    return process_.wait().code;
  }

 private:
  ChildProcess process_;
  std::string url_;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(each_server_is_there_with_its_counts_and_last_words, StatusFixture) {
  BOOST_TEST(status().status == 1);
  Client client(program({"serve", configure(many + ", " + bad)}));
  client.call("echo", {{"text", "hello"}});
  client.call("echo", {{"text", "again"}});
  BOOST_TEST(client.call("echo", {{"txt", "wrong"}}).is_error);  // refused by its schema: it never gets there
  BOOST_TEST(eventually([&] { return report().at("back_ends").at(1).at("failures").as_int64() > 0; }));
  const Json said = report();
  BOOST_TEST(said.at("process") == Json(client.process()->id()));
  BOOST_TEST(said.at("files").at(0) == Json((folder / "bridge.json").string()));
  const Json& first = said.at("back_ends").at(0);
  BOOST_TEST(first.at("name") == "many");
  BOOST_TEST(first.at("state") == "running");
  BOOST_TEST(first.at("restarts") == Json(0));
  BOOST_TEST(first.at("tools").as_int64() > 20);
  BOOST_TEST(first.at("calls") == Json(2));
  BOOST_TEST(first.at("errors") == Json(0));
  BOOST_TEST(first.at("mean_ms").to_number<double>() > 0);
  BOOST_TEST(first.at("slowest_ms").to_number<double>() >= first.at("mean_ms").to_number<double>());
  BOOST_TEST(first.at("last_words") == "");
  BOOST_TEST(first.at("processes") == Json(1));
  BOOST_TEST(first.at("memory_mb").to_number<double>() > 0.1);
  BOOST_TEST(said.at("memory_mb").to_number<double>() > 1);
  const Json& second = said.at("back_ends").at(1);
  BOOST_TEST((second.at("state") == "down" || second.at("state") == "starting"));
  BOOST_TEST(second.at("last_words").as_string().find("no <b>database</b> for (redacted)") != std::string::npos);

  const ProgramRun shown = status();
  BOOST_TEST(shown.status == 0);
  BOOST_TEST(shown.out.find("\n  many    running") != std::string::npos, shown.out);
  BOOST_TEST(shown.out.find("last words: ") != std::string::npos, shown.out);
  BOOST_TEST(shown.out.find("s3cr3t-of-bad") == std::string::npos, shown.out);
  client.process()->close_input();
  BOOST_TEST(client.process()->wait().code == 0);
  BOOST_TEST(sockets() == 0U);  // before a status command takes away what is dead
  BOOST_TEST(status().status == 1);
}

BOOST_FIXTURE_TEST_CASE(what_a_server_costs_is_told_with_all_that_it_has_started, StatusFixture) {
  // Beside the server itself: a shell that works, and a process below that which holds memory.
  const std::string script =
      "(dd if=/dev/zero of=/dev/null bs=64M count=1000000 status=none & while :; do :; done) & exec " +
      std::string(TOOLWIRE_BIN_DIR) + "/mcp_back_end";
  Client client(
      program({"serve", configure(R"j("many": {"command": "/bin/sh", "args": ["-c", ")j" + script + "\"]}")}));
  client.call("echo", {{"text", "hello"}});
  const auto server = [&] { return report().at("back_ends").at(0); };
  BOOST_TEST(eventually([&] { return server().at("processes") == Json(3); }));
  BOOST_TEST(eventually([&] { return server().at("memory_mb").to_number<double>() > 64; }));
  BOOST_TEST(eventually([&] { return server().at("processor_s").to_number<double>() > 0.2; }));
  const std::string shown = status().out;
  BOOST_TEST(shown.find(" PROCESSES ") != std::string::npos, shown);
}

BOOST_FIXTURE_TEST_CASE(settings_that_mean_no_tool_are_told_once_the_tools_are_known, StatusFixture) {
  const std::string slow =
      "until test -e '" + (folder / "go").string() + "'; do sleep 0.01; done; exec " + TOOLWIRE_BIN_DIR "/hello";
  const auto wanted = [&](const std::string& tools) {
    return configure(R"j("slow": {"command": "sh", "args": ["-c", ")j" + slow + R"j("], "excludeTools": ["sub"]})j",
                     R"j({"wait_seconds": 0, "tools": )j" + tools + "}");
  };
  Client client(program({"serve", wanted(R"j({"slow/ad": {"approval": "require"}})j")}));
  BOOST_TEST(member_or_null(report(), "unused_settings") == Json(JsonArray{}));
  folder.file("go", "");
  const auto are_told = [&](const JsonArray& expected) {
    return eventually([&] { return member_or_null(report(), "unused_settings") == Json(expected); });
  };
  const std::string filter = R"(server "slow": there is no tool "sub", which is to be left out)";
  BOOST_TEST(are_told({R"(/toolwire/tools/slow~1ad: there is no such tool; did you mean "slow/add"?)", filter}));
  const std::string text = status().out;
  BOOST_TEST(text.find("\n  setting without effect: /toolwire/tools/slow~1ad: there is no such tool; did you mean "
                       "\"slow/add\"?\n") != std::string::npos,
             text);
  wanted(R"j({"slow/add": {"approval": "require"}})j");
  BOOST_TEST(are_told({filter}));
}

BOOST_FIXTURE_TEST_CASE(how_programs_are_confined_is_told, StatusFixture) {
  folder.file("tools.json", R"j([{"type": "object", "properties": {"_tool": {"const": "bound"}}},
                                 {"type": "object", "properties": {"_tool": {"const": "free"}}}])j");
  Client client(program({"serve", configure("", R"j({"manifests": ["tools.json"],
    "bindings": {"bound": {"process": {"argv": ["true"]}}, "free": {"process": {"argv": ["true"]}}},
    "tools": {"bound": {"confinement": {"network": "none"}}}})j")}));
  BOOST_TEST(client.list_tools().size() == 2U);
  const Json said = report();
  BOOST_REQUIRE(said.at("programs").as_array().size() == 2U);
  BOOST_TEST(said.at("programs").at(0).at("name") == "\"bound\"");
  BOOST_TEST(said.at("programs").at(0).at("confinement").as_string().find("network=none") != std::string::npos);
  const std::string shown = status().out;
  BOOST_TEST(shown.find("\n  \"bound\" runs with files=all, network=none") != std::string::npos, shown);
  BOOST_TEST(shown.find("\n  \"free\" is not confined: it may do what this user may\n") != std::string::npos, shown);
}

BOOST_FIXTURE_TEST_CASE(a_restart_and_a_refused_tool_are_told, StatusFixture) {
  Client client(program({"serve", configure(many)}));
  client.call("die", {{"text", "argh"}});
  BOOST_TEST(eventually([&] {
    const Json one = report().at("back_ends").at(0);
    return one.at("restarts") == Json(1) && one.at("state") == "running";
  }));
  BOOST_TEST(report().at("back_ends").at(0).at("errors") == Json(1));
  BOOST_TEST(to_json_text(report()).find("argh") != std::string::npos);
  client.call("change", {{"text", "Says something else"}});
  BOOST_TEST(eventually([&] { return !report().at("back_ends").at(0).at("changed").as_array().empty(); }));
}

BOOST_FIXTURE_TEST_CASE(a_bridge_that_still_waits_for_its_servers_is_there, StatusFixture) {
  Client client(program({"serve", configure(R"j("slow": {"command": "/bin/sh", "args": ["-c", "sleep 600"]})j",
                                            R"j({"wait_seconds": 2})j")}));
  BOOST_TEST(report().at("back_ends").at(0).at("state") == "starting");
}

BOOST_FIXTURE_TEST_CASE(edited_tools_of_a_runtime_are_told_and_what_does_not_load_is_said, StatusFixture) {
  const fs::path tools = folder / "tools";
  fs::create_directory(tools);
  const auto put = [&](const std::string& name, const std::string& body) {
    std::ofstream(tools / (name + ".py.new"))
        << "def tool_info():\n    return {'name': '" << name << "', 'input_schema': {'type': 'object'}}\n"
        << body << "\n";
    fs::rename(tools / (name + ".py.new"), tools / (name + ".py"));
  };
  put("say", "def tool_function():\n    return 'old'");
  put("wait",
      "import os, time\ndef tool_function(path, ctx):\n    ctx.progress(1)\n"
      "    while not os.path.exists(path):\n        time.sleep(0.001)\n    return 'ended on the old one'");
  Client client(program({"serve", "--wait", "60", "--runtime", "mine=" + tools.string()}));
  Counter changes;
  const Subscription subscription = client.subscribe_tools([&] { changes.count(); });
  BOOST_TEST(eventually([&] { return client.call("say").text() == "old"; }));
  Counter began;
  CallHandle running = client.start_call("wait", {{"path", (folder / "go").string()}},
                                         {.on_progress = [&](const ProgressReport&) { began.count(); }});
  BOOST_TEST(began.reaches(1));
  const int before = changes.now();
  put("more", "def tool_function():\n    return 'more'");
  put("say", "def tool_function():\n    return 'new'");
  BOOST_TEST(changes.reaches(before + 1));
  BOOST_TEST(eventually([&] { return client.call("say").text() == "new"; }));
  BOOST_TEST(client.call("more").text() == "more");
  std::ofstream(folder / "go") << "now";
  BOOST_TEST(running.wait().text() == "ended on the old one");
  BOOST_TEST(report().at("runtimes").at(0).at("rejected") == "");

  put("say", "def tool_function(:\n    return '<b>broken</b>'");
  const auto runtime = [&] { return report().at("runtimes").at(0); };
  BOOST_TEST(eventually([&] { return runtime().at("rejected") != ""; }));
  BOOST_TEST(runtime().at("name") == "mine");
  BOOST_TEST(runtime().at("failures") == Json(0));
  BOOST_TEST(client.call("say").text() == "new");
  const std::string shown = status().out;
  BOOST_TEST(shown.find("runtime mine: ") != std::string::npos, shown);
  BOOST_TEST(shown.find("those before go on serving: say.py: SyntaxError") != std::string::npos, shown);
  put("say", "def tool_function():\n    return 'mended'");
  BOOST_TEST(eventually([&] { return client.call("say").text() == "mended"; }));
  BOOST_TEST(runtime().at("rejected") == "");
  client.process()->stop();
  BOOST_TEST(client.process()->error_tail().find("those before go on serving") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(the_socket_of_a_killed_bridge_is_taken_away, StatusFixture) {
  const std::string file = configure(many);
  Client killed(program({"serve", file}));
  killed.list_tools();
  Client other(program({"serve", file}));
  other.list_tools();
  const ProgramRun both = status({"--json"});
  BOOST_TEST(std::count(both.out.begin(), both.out.end(), '\n') == 2, both.out);
  killed.process()->signal(SIGKILL);
  killed.process()->wait();
  BOOST_TEST(report().at("process") == Json(other.process()->id()));
  BOOST_TEST(sockets() == 1U);
}

BOOST_FIXTURE_TEST_CASE(the_socket_of_a_bridge_that_does_not_listen_yet_is_left_alone, StatusFixture) {
  Client bridge(program({"serve", configure(many)}));
  bridge.list_tools();
  // Of a process that lives, between bind and listen.
  const fs::path path = folder / "state/toolwire/running" / (std::to_string(::getpid()) + ".socket");
  const toolwire::system::FileDescriptor bound(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  path.string().copy(address.sun_path, sizeof address.sun_path - 1);
  BOOST_REQUIRE(::bind(bound.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  BOOST_TEST(report().at("process") == Json(bridge.process()->id()));
  BOOST_TEST(fs::exists(path));
}

BOOST_FIXTURE_TEST_CASE(a_bridge_that_does_not_answer_is_named_and_ends_when_it_is_named, StatusFixture) {
  const std::string file = configure(many);
  ChildProcess held(program({"serve", file, "--listen", "unix:" + (folder / "held.socket").string()}));
  BOOST_REQUIRE(eventually([&] { return status().status == 0; }));
  Client other(program({"serve", file}));
  other.list_tools();
  held.signal(SIGSTOP);
  const std::string process = std::to_string(held.id());
  const ProgramRun said = status({"--json"});
  BOOST_TEST(said.status == 1);
  BOOST_TEST(parse_json(said.out).at("process") == Json(other.process()->id()));
  BOOST_TEST(said.errors.find("process " + process + " runs, and has not answered") != std::string::npos, said.errors);
  const ProgramRun all = run_program(program({"stop", "--all"}));
  BOOST_TEST(all.status == 1);
  BOOST_TEST(
      all.errors.find("process " + process + " has not said within 10 s whether it listens") != std::string::npos,
      all.errors);
  ChildProcess stopping(program({"stop", process}));
  held.signal(SIGCONT);
  BOOST_TEST(stopping.wait().code == 0);
  BOOST_TEST(held.wait().code == 0);
}

BOOST_FIXTURE_TEST_CASE(health_is_open_and_the_rest_is_for_those_who_may_use_the_tools, StatusFixture) {
  folder.file("tools.json", content_of(TOOLWIRE_SOURCE_DIR "/bridge/examples/words.json"));
  folder.file("token", "a-token-of-sixteen-bytes\n");
  const std::string named = "\"<u>bad</u>\"" + bad.substr(bad.find(':'));
  const std::string file = folder
                               .file("bridge.json", "{\"mcpServers\": {" + named + "}, " + R"j("toolwire": {
      "manifests": ["tools.json"], "listen": {"address": "127.0.0.1:0", "token_file": "token"},
      "servers": {"<u>bad</u>": {"offer": false}},
      "bindings": {"count_words": {"mcp": {"server": "<u>bad</u>", "tool": "x"}}}}})j")
                               .string();
  Provider provider(program({"http", file}));
  const std::vector<std::string> token{"-H", "Authorization: Bearer a-token-of-sixteen-bytes"};
  BOOST_TEST(provider.get("/health").status == 200);
  BOOST_TEST(provider.get("/health").json().at("status") == "ok");
  for (const char* const path : {"/metrics", "/status", "/status.json", "/api/v1/tools"}) {
    BOOST_TEST(provider.get(path).status == 401, path);
    BOOST_TEST(provider.get(path, token).status == 200, path);
  }
  BOOST_TEST(provider.get("/health", {"-H", "Host: evil.example"}).status == 421);
  BOOST_TEST(provider.get("/status", {"-X", "POST", "-H", token[1]}).status == 405);

  BOOST_TEST(provider.execute(R"({"tool_name":"count_words","arguments":{"text":"x"}})", token).status >= 500);
  const CurlAnswer metrics = provider.get("/metrics", token);
  BOOST_TEST(metrics.header("content-type").starts_with("text/plain; version=0.0.4"));
  BOOST_TEST(metrics.body.find("toolwire_calls_total{tool=\"count_words\"") != std::string::npos, metrics.body);
  const CurlAnswer page = provider.get("/status", token);
  BOOST_TEST(page.header("content-type").starts_with("text/html"));
  BOOST_TEST(page.header("content-security-policy").find("default-src 'self'") == 0U);
  BOOST_TEST(page.body.find("no &lt;b&gt;database&lt;/b&gt;") != std::string::npos, page.body);
  BOOST_TEST(page.body.find("<td>&lt;u&gt;bad&lt;/u&gt;</td>") != std::string::npos, page.body);
  BOOST_TEST(page.body.find("<b>") == std::string::npos);
  BOOST_TEST(page.body.find("<u>") == std::string::npos);
  BOOST_TEST(page.body.find("for (redacted)") != std::string::npos, page.body);
  BOOST_TEST(page.body.find("s3cr3t-of-bad") == std::string::npos, page.body);
  BOOST_TEST(page.body.find("<script") == std::string::npos);
  BOOST_TEST(provider.end() == 0);
}

BOOST_FIXTURE_TEST_CASE(settings_that_only_serve_has_a_use_for_are_said, StatusFixture) {
  folder.file("tools.json", R"j({"tools": []})j");
  const auto said_of = [this](const std::string& own) {
    const std::string file =
        configure(many, R"j({"manifests": ["tools.json"], "listen": "127.0.0.1:0", )j" + own + "}");
    return run_program(program({"http", file, "--listen", "127.0.0.1:0"})).errors;  // which ends the start
  };
  const std::string searched = said_of("\"search\": true"), paged = said_of("\"page_size\": 7");
  BOOST_TEST(searched.find("servers of the configuration are offered by \"serve\" only, and \"prefix\" with them") !=
                 std::string::npos,
             searched);
  BOOST_TEST(searched.find("\"search\" does nothing here") != std::string::npos, searched);
  BOOST_TEST(searched.find("wait_seconds") == std::string::npos, searched);
  BOOST_TEST(searched.find("page_size") == std::string::npos, searched);
  folder.file("unwaited.json",
              R"j({"toolwire": {"manifests": ["tools.json"], "listen": "127.0.0.1:0", "wait_seconds": 1}})j");
  folder.file("tools.json", content_of(TOOLWIRE_SOURCE_DIR "/bridge/examples/words.json"));
  Provider unwaited(program({"http", (folder / "unwaited.json").string()}));
  BOOST_TEST(unwaited.end() == 0);
  BOOST_TEST(unwaited.errors().find("\"wait_seconds\" does nothing here") != std::string::npos, unwaited.errors());
  BOOST_TEST(paged.find("\"page_size\" does nothing here") != std::string::npos, paged);
}

BOOST_FIXTURE_TEST_CASE(what_listens_stands_in_one_place, StatusFixture) {
  folder.file("tools.json", content_of(TOOLWIRE_SOURCE_DIR "/bridge/examples/words.json"));
  const std::string file =
      folder.file("bridge.json", R"j({"toolwire": {"manifests": ["tools.json"], "listen": "127.0.0.2:0"}})j").string();
  Provider provider(program({"http", file}), "127.0.0.2");
  BOOST_TEST(provider.get("/status.json").json().at("files").at(0) == Json(file));
  BOOST_TEST(provider.end() == 0);
  const ProgramRun twice = run_program(program({"http", file, "--listen", "127.0.0.1:0"}));
  BOOST_TEST(twice.status == 2);
  BOOST_TEST(twice.errors.find("the configuration has \"listen\"") != std::string::npos, twice.errors);
}
