// The bridge's program as people and scripts use it: check, manifest, http.
#include <toolwire/bridge/manifest.hpp>

#define BOOST_TEST_MODULE bridge_commands_test
#include <sched.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <csignal>
#include <functional>
#include <toolwire/child_process.hpp>

#include "curl.hpp"
#include "manifest_document.hpp"
#include "program_run.hpp"
#include "scratch_folder.hpp"

using namespace toolwire;
using namespace toolwire::bridge;
using namespace toolwire_test;

namespace {

Program bridge_with(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), TOOLWIRE_BIN_DIR "/toolwire-bridge");
  return {.command = std::move(arguments)};
}

ProgramRun run(std::vector<std::string> arguments) { return run_program(bridge_with(std::move(arguments))); }

/// `toolwire-bridge http`, from its line "listening on URL" on.
class Provider {
 public:
  explicit Provider(std::vector<std::string> arguments) : process_(bridge_with(with_command(std::move(arguments)))) {
    std::string line;
    for (char c = 0; process_.transport().read(&c, 1) == 1 && c != '\n';) line += c;
    BOOST_REQUIRE(line.starts_with("listening on http://127.0.0.1:"));
    url_ = line.substr(line.find("http"));
  }
  const std::string& url() const { return url_; }
  CurlAnswer execute(const std::string& body) const {
    return curl({"-H", "Content-Type: application/json", "--data-binary", body, url_ + "/execute"});
  }
  std::string errors() { return process_.error_tail(); }
  /// Whether something that takes a moment comes true while it runs. Each look starts a program or reads a file.
  bool comes_to(const std::function<bool()>& holds) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!holds()) {
      if (std::chrono::steady_clock::now() > until || process_.wait_for(std::chrono::milliseconds(5))) return false;
    }
    return true;
  }
  int end() {
    process_.signal(SIGTERM);
    return process_.wait().code;
  }

 private:
  static std::vector<std::string> with_command(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"http", "--listen", "127.0.0.1:0"});
    return arguments;
  }
  ChildProcess process_;
  std::string url_;
};

const std::string call = R"({"tool_name":"spawn_coding_agent","arguments":{"task":"x"}})";

/// The manifest of the document with bindings beside it that need no other program.
std::string bound_manifest(const ScratchFolder& folder, const std::string& text) {
  folder.file("m.bindings.json", R"({"bindings":{"spawn_coding_agent":{"constant":{"result":{"run_id":"7"}}}}})");
  return folder.file("m.json", text).string();
}

}  // namespace

BOOST_AUTO_TEST_CASE(check_says_what_is_wrong_by_its_exit_status) {
  const ScratchFolder folder;
  BOOST_TEST(run({"check", seed_path}).status == 0);
  const ProgramRun wrong = run({"check", folder.file("m.json", "{}").string()});
  BOOST_TEST(wrong.status == 1);
  BOOST_TEST(wrong.out.find("/protocol_version: missing") != std::string::npos);
  BOOST_TEST(run({"check", "/nowhere"}).status == 2);
  BOOST_TEST(run({"check"}).status == 2);
}

BOOST_AUTO_TEST_CASE(manifest_is_that_of_any_server) {
  const ProgramRun hello = run({"manifest", "--", TOOLWIRE_BIN_DIR "/hello"});
  BOOST_TEST(hello.status == 0);
  const Manifest manifest = read_manifest(hello.out, "hello").manifest.value();
  BOOST_TEST(manifest.scenario.name == "calculator");
  BOOST_TEST(manifest.tools.at(0).name == "add");
}

BOOST_AUTO_TEST_CASE(manifest_of_what_is_no_server_fails_and_says_why) {
  const ProgramRun none = run({"manifest", "--", "/nowhere/server"});
  BOOST_TEST(none.status == 1);
  BOOST_TEST(none.errors.find("/nowhere/server") != std::string::npos);
  BOOST_TEST(run({"manifest", "--", "/bin/true"}).status == 1);
  BOOST_TEST(run({"manifest"}).status == 2);
}

BOOST_AUTO_TEST_CASE(http_serves_a_manifest_and_runs_its_tools) {
  const ScratchFolder folder;
  Provider provider({bound_manifest(folder, seed_text())});
  BOOST_TEST(curl({provider.url()}).json() == parse_json(seed_text()));
  BOOST_TEST(curl({provider.url() + "/nobody"}).status == 404);
  const CurlAnswer answer = provider.execute(call);
  BOOST_TEST(answer.status == 200);
  BOOST_TEST(answer.body == R"({"success":true,"result":{"run_id":"7"},"is_async":false})");
  BOOST_TEST(provider.execute(R"({"tool_name":"spawn_coding_agent","arguments":{"task":7}})").status == 400);
  BOOST_TEST(provider.end() == 0);
}

BOOST_AUTO_TEST_CASE(http_keeps_the_limits_of_a_manifest) {
  const ScratchFolder folder;
  Provider provider({bound_manifest(folder, seed_text())});
  for (int i = 0; i < 10; ++i) BOOST_TEST(provider.execute(call).status == 200);
  const CurlAnswer eleventh = provider.execute(call);
  BOOST_TEST(eleventh.status == 429);
  BOOST_TEST(eleventh.json().at("code") == Json("rate_limited"));
  BOOST_TEST(!eleventh.header("retry-after").empty());
}

BOOST_AUTO_TEST_CASE(http_refuses_what_needs_approval_unless_the_user_said_otherwise) {
  const ScratchFolder folder;
  const std::string manifest = bound_manifest(folder, with("/tools/0/metadata/requires_approval", true));
  {
    const Provider provider({manifest});
    const CurlAnswer answer = provider.execute(call);
    BOOST_TEST(answer.status == 403);
    BOOST_TEST(answer.json().at("code") == Json("approval_required"));
  }
  const std::string preferences =
      folder.file("p.json", R"({"tools":{"spawn_coding_agent":{"approval":"skip"}}})").string();
  const Provider provider({manifest, "--preferences", preferences});
  BOOST_TEST(provider.execute(call).status == 200);
}

BOOST_AUTO_TEST_CASE(http_takes_an_edit_and_one_that_cannot_be_used_leaves_what_was) {
  const ScratchFolder folder;
  Provider provider({bound_manifest(folder, seed_text())});
  BOOST_TEST(provider.execute(call).body == R"({"success":true,"result":{"run_id":"7"},"is_async":false})");
  folder.file("m.bindings.json", R"({"bindings":{"spawn_coding_agent":{"constant":{"result":{"run_id":"8"}}}}})");
  BOOST_TEST(provider.comes_to([&] { return provider.execute(call).body.find("\"8\"") != std::string::npos; }));
  folder.file("m.json", "{}");
  BOOST_TEST(provider.comes_to([&] { return provider.errors().find("stays as it was") != std::string::npos; }));
  BOOST_TEST(provider.errors().find("/protocol_version: missing") != std::string::npos);
  BOOST_TEST(provider.execute(call).body.find("\"8\"") != std::string::npos);
  folder.file("m.json", with("/tools/0/description", "Edited"));
  BOOST_TEST(provider.comes_to([&] { return curl({provider.url()}).body.find("Edited") != std::string::npos; }));
  BOOST_TEST(provider.end() == 0);
}

BOOST_AUTO_TEST_CASE(http_does_not_start_with_what_it_cannot_serve) {
  const ScratchFolder folder;
  const ProgramRun wrong = run({"http", folder.file("m.json", "{}").string()});
  BOOST_TEST(wrong.status == 1);
  BOOST_TEST(wrong.errors.find("/tools: missing") != std::string::npos);
  const ProgramRun open = run({"http", "--listen", "0.0.0.0:0", seed_path});
  BOOST_TEST(open.status == 2);
  BOOST_TEST(open.errors.find("token") != std::string::npos);
  for (const char* const address : {"15000", "localhost", "::1:80", "localhost:99999", "localhost:x"}) {
    BOOST_TEST(run({"http", "--listen", address, seed_path}).status == 2);
  }
}

BOOST_AUTO_TEST_CASE(compose_and_call_know_what_stands_beside_the_tools) {
  const ScratchFolder folder;
  const std::string tools = folder.file("tools.json", seed_text()).string();
  folder.file("tools.bindings.json", R"j({"bindings": {"spawn_coding_agent": {"constant": {"result": {"id": 7}}}}})j");
  const ProgramRun composed = run({"compose", tools});
  BOOST_TEST(composed.status == 0);
  BOOST_TEST(composed.out.find("spawn_coding_agent") != std::string::npos);
  const char* const document =
      R"j({"calls": [{"_tool": "spawn_coding_agent", "_activity": "spawn_coding_agent", "task": "x"}]})j";
  const std::string calls = folder.file("calls.json", document).string();
  const ProgramRun called = run({"call", calls, "--tools", tools});
  BOOST_TEST(called.out.find("\"id\": 7") != std::string::npos, called.out << called.errors);
}

BOOST_AUTO_TEST_CASE(what_is_logged_on_the_way_to_a_list_is_not_lost) {
  const ScratchFolder folder;
  const std::string file =
      folder.file("tool.json", R"({"type":"object","properties":{"_tool":{"const":"lonely"}}})").string();
  cpu_set_t before;
  sched_getaffinity(0, sizeof before, &before);
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<unsigned>(sched_getcpu()), &one);
  sched_setaffinity(0, sizeof one, &one);  // so that who writes the log waits for who ends the program
  for (int i = 0; i < 40; ++i)
    BOOST_TEST(run({"serve", file, "--list"}).errors.find("\"lonely\"") != std::string::npos);
  sched_setaffinity(0, sizeof before, &before);
}
