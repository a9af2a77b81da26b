// The bridge's program as people and scripts use it: check, manifest, http.
#include <toolwire/bridge/manifest.hpp>

#define BOOST_TEST_MODULE bridge_commands_test
#include <sched.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <toolwire/child_process.hpp>

#include "curl.hpp"
#include "file_content.hpp"
#include "manifest_document.hpp"
#include "once_failing_server.hpp"
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
  const std::string often =
      with("/tools/0/metadata/rate_limit_per_minute", 1'000'000);  // it is called until it changes
  Provider provider({bound_manifest(folder, often)});
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

BOOST_AUTO_TEST_CASE(http_counts_calls_across_edits) {
  const ScratchFolder folder;
  Provider provider({bound_manifest(folder, with("/tools/0/metadata/rate_limit_per_minute", 2))});
  for (int i = 0; i < 2; ++i) BOOST_TEST(provider.execute(call).status == 200);
  Json edited = parse_json(seed_text());
  edited.at_pointer("/tools/0/metadata").as_object()["rate_limit_per_minute"] = 2;
  edited.at_pointer("/tools/0").as_object()["description"] = "Edited";
  folder.file("m.json", to_json_text(edited));
  BOOST_TEST(provider.comes_to([&] { return curl({provider.url()}).body.find("Edited") != std::string::npos; }));
  BOOST_TEST(provider.execute(call).status == 429);
}

BOOST_AUTO_TEST_CASE(http_refuses_a_tool_that_nothing_runs) {
  const ScratchFolder folder;
  const std::string manifest = folder.file("m.json", seed_text()).string();
  const Provider provider({manifest});
  const CurlAnswer answer = provider.execute(
      R"({"tool_name":"spawn_coding_agent","arguments":{"task":"x","_output":{"run_id":"invented"}}})");
  BOOST_TEST(answer.status == 503);
  BOOST_TEST(answer.json().at("code") == Json("activity_missing"));
}

BOOST_AUTO_TEST_CASE(http_records_counts_and_reaches_other_servers) {
  const ScratchFolder folder;
  folder.file("m.bindings.json", R"({"servers": {"hello": {"command": ")" TOOLWIRE_BIN_DIR R"(/hello"}},
    "bindings": {"spawn_coding_agent": {"mcp": {"server": "hello", "tool": "add"}}}})");
  Json manifest = parse_json(seed_text());
  manifest.at_pointer("/tools/0").as_object()["parameters"] =
      parse_json(R"({"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "number"}}})");
  manifest.at_pointer("/tools/0/metadata").as_object().erase("examples");
  const std::string audit = (folder / "audit").string();
  const std::string metrics = (folder / "metrics").string();
  Provider provider({folder.file("m.json", to_json_text(manifest)).string(), "--audit", audit, "--metrics", metrics});
  const CurlAnswer answer = provider.execute(R"({"tool_name":"spawn_coding_agent","arguments":{"a":1,"b":2}})");
  BOOST_TEST(answer.status == 200, answer.body);
  BOOST_TEST(answer.body.find('3') != std::string::npos);
  BOOST_TEST(provider.end() == 0);
  BOOST_TEST(content_of(audit).find("\"tool\":\"spawn_coding_agent\"") != std::string::npos);
  BOOST_TEST(content_of(metrics).find("spawn_coding_agent") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(http_refuses_entries_that_nothing_uses) {
  const ScratchFolder folder;
  folder.file("m.bindings.json", R"({"bindings": {"spawn_codin_agent": {"constant": {"result": 1}}}})");
  const ProgramRun ended = run({"http", "--listen", "127.0.0.1:0", folder.file("m.json", seed_text()).string()});
  BOOST_TEST(ended.status == 2);
  BOOST_TEST(ended.errors.find("did you mean \"spawn_coding_agent\"?") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(http_takes_a_configuration) {
  const ScratchFolder folder;
  folder.file("m.json", seed_text());
  const std::string file = folder
                               .file("bridge.json", R"({"toolwire": {"manifests": ["m.json"],
    "bindings": {"spawn_coding_agent": {"constant": {"result": {"run_id": "9"}}}}}})")
                               .string();
  const Provider provider({file});
  BOOST_TEST(provider.execute(call).body.find("\"9\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(http_tries_a_tool_again_where_that_is_wanted) {
  const ScratchFolder folder;
  folder.file("m.json", seed_text());
  folder.file("server.sh", once_failing_server);
  const auto answer_with = [&](const std::string& retry) {
    std::filesystem::remove(folder / "died");
    const std::string configuration = R"j({"mcpServers": {"sh": {"command": "sh", "args": ["server.sh"]}}, "toolwire": {
      "servers": {"sh": {"revision": "2025-06-18", "offer": false}}, "manifests": ["m.json"],
      "bindings": {"spawn_coding_agent": {"mcp": {"server": "sh", "tool": "x"}}},
      "tools": {"spawn_coding_agent": {"retry": )j" +
                                      retry + "}}}}";
    const Provider provider({folder.file("bridge.json", configuration).string()});
    return provider.execute(call);
  };
  BOOST_TEST(answer_with("false").status == 502);
  const CurlAnswer again = answer_with("true");
  BOOST_TEST(again.status == 200, again.body);
  BOOST_TEST(again.body.find("at last") != std::string::npos, again.body);
}

BOOST_AUTO_TEST_CASE(compose_prints_what_serve_offers) {
  const ScratchFolder folder;
  const std::string file = folder.file("m.json", seed_text()).string();
  const ProgramRun composed = run({"compose", file});
  BOOST_TEST(composed.status == 0);
  BOOST_TEST(parse_json(composed.out).at_pointer("/properties/calls/items/anyOf/0/properties/_tool/const") ==
             Json("spawn_coding_agent"));
}

BOOST_AUTO_TEST_CASE(http_does_not_start_with_what_it_cannot_serve) {
  const ScratchFolder folder;
  const ProgramRun wrong = run({"http", folder.file("m.json", "{}").string()});
  BOOST_TEST(wrong.status == 2);
  BOOST_TEST(wrong.errors.find("/tools: missing") != std::string::npos);
  BOOST_TEST(run({"http", (folder / "none").string()}).status == 2);
  BOOST_TEST(run({"http", "--token-file", (folder / "none").string(), seed_path}).status == 2);
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
  const std::string many = folder.file("many.json", to_json_text(JsonArray(usual_json_values, Json(1)))).string();
  const ProgramRun refused = run({"call", many, "--tools", tools});
  BOOST_TEST(refused.status == 1);
  BOOST_TEST(
      refused.errors.find(many + ": at byte 1600000 ([799999]): expected at most 800000 values") != std::string::npos,
      refused.errors);
}

BOOST_AUTO_TEST_CASE(an_option_with_an_empty_value_is_not_taken_for_one_that_is_not_there) {
  const ScratchFolder folder;
  const std::string file = folder.file("tools.json", seed_text()).string();
  const auto refused = [&](const std::vector<std::string>& words, const std::string& option) {
    const ProgramRun ended = run(words);
    BOOST_TEST(ended.status == 2, option << ": " << ended.errors);
    BOOST_TEST(ended.errors.find(option) != std::string::npos, ended.errors);
    BOOST_TEST(ended.errors.find("value") != std::string::npos, ended.errors);
  };
  for (const std::string option : {"--audit", "--metrics", "--preferences", "--token-file", "--listen", "--bindings"}) {
    refused({"serve", file, "--list", option, ""}, option);
    refused({"serve", option + "=", file, "--list"}, option);
  }
  for (const std::string option : {"--audit", "--preferences", "--token-file", "--bindings"}) {
    refused({"http", file, option, ""}, option);
    refused({"http", option + "=", file}, option);
  }
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
