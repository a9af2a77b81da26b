// Mistakes in what `toolwire-bridge serve` is given: the start ends with a sentence that helps, an edit leaves what
// was, and no tool whose implementation is wrong is left to the imagination of a model.
#include <toolwire/client.hpp>

#define BOOST_TEST_MODULE bridge_serve_mistakes_test
#include <boost/test/unit_test.hpp>

#include <sys/stat.h>

#include <string>
#include <vector>

#include "process_bench.hpp"
#include "process_status.hpp"
#include "serve_bench.hpp"

using namespace toolwire;
using namespace toolwire_test;
using namespace std::chrono_literals;
using Fixture = ServeFixture;

namespace {

const char* const latent_answer = R"j({"task": "x", "_output": {"run_id": "invented"}})j";

struct Mistake {
  const char* what;
  const char* file;
  const char* text;
  std::vector<std::string> arguments;
  std::vector<std::string> said;
};

const std::vector<Mistake> that_end_the_start{
    {"bindings that are no JSON",
     "tools.bindings.json",
     "{\"bindings\": ",
     {},
     {"tools.bindings.json", "expected JSON"}},
    {"a member that does not exist", "tools.bindings.json", R"j({"bindngs": {}})j", {}, {"/bindngs"}},
    {"a kind that does not exist",
     "tools.bindings.json",
     R"j({"bindings": {"spawn_coding_agent": {"shell": {}}}})j",
     {},
     {"/bindings/spawn_coding_agent"}},
    {"a tool that is misspelt",
     "tools.bindings.json",
     "{\"bindings\": {\n\"spawn_codign_agent\": {\"constant\": {\"result\": 1}}}}",
     {},
     {"tools.bindings.json:2", "/bindings/spawn_codign_agent", R"(did you mean "spawn_coding_agent"?)"}},
    {"a profile that does not exist",
     "tools.bindings.json",
     R"j({"profiles": {"prod": {}}})j",
     {"--profile", "prd"},
     {"\"prd\"", "\"prod\""}},
    {"a server nobody uses",
     "tools.bindings.json",
     R"j({"servers": {"files": {"command": "npx", "args": ["-y", "x"]}}})j",
     {},
     {"/servers/files", "no binding uses it"}},
    {"a manifest that is no JSON", "tools.json", "{", {}, {"tools.json"}},
    {"a manifest that is something else", "tools.json", "[1]", {}, {"tools.json"}},
    {"preferences that are no JSON",
     "preferences.json",
     "{",
     {"--preferences", "preferences.json"},
     {"preferences.json"}},
    {"a preference that is misspelt",
     "preferences.json",
     R"j({"tools": {"spawn_coding_agent": {"aproval": "ask"}}})j",
     {"--preferences", "preferences.json"},
     {"/tools/spawn_coding_agent/aproval", "expected one of"}},
    {"a preference for a tool that does not exist",
     "preferences.json",
     "{\"tools\": {\n\"spawn_codin_agent\": {\"approval\": \"require\"}}}",
     {"--preferences", "preferences.json"},
     {"preferences.json:2: /tools/spawn_codin_agent: there is no tool of this name",
      R"(did you mean "spawn_coding_agent"?)"}},
    {"a prefix that nothing follows from",
     "tools.bindings.json",
     "{\"servers\": {\"s\": {\"command\": \"x\",\n\"prefix\": \"always\"}},"
     "\"bindings\": {\"spawn_coding_agent\": {\"mcp\": {\"server\": \"s\"}}}}",
     {},
     {"tools.bindings.json:2: /servers/s/prefix: nothing follows from it"}},
    {"variables for a server that is no program",
     nullptr,
     nullptr,
     {"--server", "a=http://127.0.0.1:1/", "--inherit", "X"},
     {"--inherit: expected a --server that is a program"}},
    {"bindings that are not there", nullptr, nullptr, {"--bindings", "nowhere.json"}, {"nowhere.json"}},
};

}  // namespace

BOOST_AUTO_TEST_CASE(what_cannot_be_understood_ends_the_start) {
  for (const Mistake& mistake : that_end_the_start) {
    Fixture fixture;
    const std::string manifest = fixture.write_manifest();
    if (mistake.file != nullptr) fixture.folder.file(mistake.file, mistake.text);
    std::vector<std::string> command{"serve", manifest};
    for (const std::string& argument : mistake.arguments)
      command.push_back(argument.ends_with(".json") ? fixture.path(argument) : argument);
    command.emplace_back("--list");
    const ProgramRun ended = run(command);
    BOOST_TEST_CONTEXT(mistake.what << ": " << ended.errors) {
      BOOST_TEST(ended.status == 2);
      BOOST_TEST(ended.out.empty());
      for (const std::string& said : mistake.said) BOOST_TEST(ended.errors.find(said) != std::string::npos, said);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_profile_of_nothing_ends_the_start) {
  const ProgramRun ended = run({"serve", "--server", "a=/bin/true", "--profile", "prod", "--list"});
  BOOST_TEST(ended.status == 2);
  BOOST_TEST(ended.errors.find("--profile: expected a configuration or bindings") != std::string::npos, ended.errors);
}

BOOST_FIXTURE_TEST_CASE(what_the_system_does_not_give_ends_the_start, Fixture) {
  if (!memory_is_ours) return;  // sanitizers need descriptors, too
  const std::string file = write_manifest();
  for (const char* const command : {"serve", "http"}) {
    const auto ended = [&](const char* limit) {
      const std::string script = std::string("ulimit ") + limit + R"(; exec "$0" "$@")";
      Program program{.command = {"sh", "-c", script, bridge_program, command, file}};
      program.environment["XDG_STATE_HOME"] = folder.text();
      return run_program(program);
    };
    for (const char* const number : {"4", "8"}) {
      const ProgramRun few = ended((std::string("-n ") + number).c_str());
      BOOST_TEST(few.status == 2);
      BOOST_TEST(few.errors.find(std::string("this process may have ") + number +
                                 " files open, expected at least 256 (ulimit -n)") != std::string::npos,
                 few.errors);
    }
    for (const char* const kilobytes : {"28000", "36000", "45000", "50000"}) {
      const ProgramRun little = ended((std::string("-v ") + kilobytes).c_str());
      BOOST_TEST(little.status == 2, kilobytes << ": " << little.status);
      for (const char* const said : {"begin", "memory"})
        BOOST_TEST(little.errors.find(said) != std::string::npos, kilobytes << ": " << little.errors);
    }
  }
}

BOOST_FIXTURE_TEST_CASE(a_pipe_without_a_writer_holds_nobody, Fixture) {
  const std::string pipe = (folder / "pipe").string();
  BOOST_REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const std::vector<std::vector<std::string>> commands{
      {"serve", pipe},
      {"serve", write_manifest(), "--bindings", pipe},
      {"serve", write_manifest(), "--preferences", pipe},
      {"http", pipe},
      {"http", write_manifest(), "--token-file", pipe, "--listen", "127.0.0.1:0"},
  };
  for (const auto& command : commands) {
    const ProgramRun ended = run(command);
    BOOST_TEST(ended.status == 2, command.front() << " " << command.back() << ": " << ended.errors);
  }
  BOOST_TEST(run({"attach", pipe}).status != 0);
  BOOST_TEST(run({"check", pipe}).status == 1);
}

BOOST_FIXTURE_TEST_CASE(a_tool_in_two_files_ends_the_start, Fixture) {
  const std::string first = write_manifest();
  const std::string second = folder.file("second.json", to_json_text(manifest)).string();
  const ProgramRun ended = run({"serve", first, second, "--list"});
  BOOST_TEST(ended.status == 2);
  BOOST_TEST(ended.errors.find(second + ": the tool \"spawn_coding_agent\" stands in " + first) != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_runtime_that_is_not_built_ends_the_start_and_says_what_builds_it, Fixture) {
  folder.file("scripts/greet.mjs");
  folder.file("words/count.py");
  const auto refused = [&](const std::string& directory, const std::string& told) {
    const std::vector<std::string> command{bridge_program, "serve", "--runtime",
                                           "mine=" + (folder / directory).string(), "--list"};
    const ProgramRun ended =
        run_program({.command = command, .environment = {{"TOOLWIRE_RUNTIMES", folder.text() + "/none"}}});
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(ended.errors.find(told) != std::string::npos, ended.errors);
  };
  refused("scripts", folder.text() + "/none/typescript/dist/main.js; \"npm ci --ignore-scripts && npm run build\"");
  refused("words", folder.text() + "/none/python/toolwire_runtime/__main__.py");
  refused("nowhere", "expected a directory, found \"" + folder.text() + "/nowhere\"");
}

BOOST_FIXTURE_TEST_CASE(a_runtime_without_its_interpreter_ends_the_start, Fixture) {
  folder.file("words/count.py");
  Program program{.command = {bridge_program, "serve", "--runtime", "mine=" + path("words"), "--list"}};
  program.environment["PATH"] = folder.text() + "/none";
  const ProgramRun ended = run_program(program);
  BOOST_TEST(ended.status == 2, ended.out);
  BOOST_TEST(ended.errors.find("there is no program \"python3\" in PATH (" + folder.text() +
                               "/none), which is to run the tools in Python") != std::string::npos,
             ended.errors);
  folder.file("tools.bindings.json", R"j({"runtimes": {"mine": {"tools": "words", "interpreter": "/no/python"}}})j");
  const ProgramRun named = run({"serve", write_manifest(), "--list"});
  BOOST_TEST(named.status == 2, named.out);
  BOOST_TEST(
      named.errors.find("/runtimes/mine/interpreter: there is no program \"/no/python\", which") != std::string::npos,
      named.errors);
}

BOOST_FIXTURE_TEST_CASE(a_key_that_is_too_short_ends_the_start, Fixture) {
  for (const char* const name : {"TOOLWIRE_STATE_KEY", "TOOLWIRE_SECOND_STATE_KEY"}) {
    Program started = serve({"--list"});
    started.environment[name] = "fifteen letters";
    const ProgramRun ended = run_program(started);
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(ended.errors.find(std::string(name) + ": expected a secret of at least 16 bytes") != std::string::npos,
               ended.errors);
  }
}

BOOST_AUTO_TEST_CASE(a_file_that_is_not_there_ends_the_start) {
  const ProgramRun ended = run({"serve", "/nowhere/tools.json", "--list"});
  BOOST_TEST(ended.status == 2);
  BOOST_TEST(ended.errors.find("/nowhere/tools.json") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_tool_whose_binding_is_wrong_fails_with_the_reason, Fixture) {
  const std::vector<std::pair<const char*, const char*>> wrong{
      {R"j({"http": {"url": "api.example.com/send"}})j", "/bindings/spawn_coding_agent/http/url"},
      {R"j({"http": {"url": "http://localhost:1/{recipent}"}})j", "recipent"},
      {R"j({"process": {"argv": ["echo", "{taks}"]}})j", "taks"},
      {R"j({"mcp": {"server": "nowhere"}})j", "/mcp/server"},
      {R"j({"runtime": {"runtime": "nowhere"}})j", "/runtime/runtime"},
  };
  const std::string file = write_manifest();
  for (const auto& [binding, reason] : wrong) {
    bind(binding);
    const ProgramRun ended = run({"serve", file, "--call", "spawn_coding_agent", latent_answer});
    BOOST_TEST_CONTEXT(binding << ": " << ended.out << ended.errors) {
      BOOST_TEST(ended.status != 0);
      BOOST_TEST(ended.out.find("invented") == std::string::npos);
      BOOST_TEST((ended.out + ended.errors).find(reason) != std::string::npos);
      BOOST_TEST((ended.out + ended.errors).find("its binding is wrong") != std::string::npos);
    }
  }
}

BOOST_FIXTURE_TEST_CASE(an_entry_of_servers_that_is_wrong_ends_nothing, Fixture) {
  const std::string file = write_manifest();
  for (const char* const entry : {R"j({"command": 1})j", R"j({"command": ""})j", R"j({"comand": "npx"})j", R"j({})j"}) {
    folder.file("tools.bindings.json", std::string(R"j({"servers": {"s": )j") + entry +
                                           R"j(}, "bindings": {"spawn_coding_agent": {"mcp": {"server": "s"}}}})j");
    const ProgramRun ended = run({"serve", file, "--list", "--metrics", path("metrics")});
    BOOST_TEST_CONTEXT(entry << ": " << ended.errors) {
      BOOST_TEST(ended.status == 0);
      BOOST_TEST(ended.errors.find("/servers/s") != std::string::npos);
    }
  }
}

BOOST_FIXTURE_TEST_CASE(a_file_that_cannot_be_written_ends_the_start, Fixture) {
  const std::string file = write_manifest();
  for (const char* const option : {"--audit", "--metrics"}) {
    const ProgramRun ended = run({"serve", file, option, path("nothing/here")});
    BOOST_TEST_CONTEXT(option << ": " << ended.errors) {
      BOOST_TEST(ended.status != 0);
      BOOST_TEST(ended.errors.find(path("nothing/here") + ": No such file or directory") != std::string::npos);
    }
  }
}

BOOST_FIXTURE_TEST_CASE(a_server_is_written_as_hosts_write_it, Fixture) {
  folder.file("tools.bindings.json", R"j({
    "servers": {"s": {"command": "/bin/sh", "args": ["-c", "cd \"$1\" && exec \"$HELLO\"", "sh", "."],
                      "env": {"HELLO": ")j" TOOLWIRE_BIN_DIR R"j(/hello"}, "cwd": "/"}},
    "bindings": {"spawn_coding_agent": {"mcp": {"server": "s", "tool": "add"}}}})j");
  Json& tool = manifest.at_pointer("/tools/0");
  tool.as_object()["parameters"] = parse_json(R"j({"type": "object", "properties": {"a": {}, "b": {}}})j");
  Client client(serve());
  BOOST_TEST(client.call("spawn_coding_agent", {{"a", 1}, {"b", 2}}).text() == "3");
}

namespace {

bool answers(Client& client, const char* expected) {
  return eventually([&] { return client.call("spawn_coding_agent", task).text().find(expected) != std::string::npos; });
}

bool says(Client& client, const char* expected) {
  return eventually([&] { return client.process()->error_tail().find(expected) != std::string::npos; });
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(an_edit_that_breaks_a_binding_keeps_what_ran_the_tool, Fixture) {
  manifest.at_pointer("/tools/0/metadata").as_object().erase("rate_limit_per_minute");
  Client client(serve());
  BOOST_TEST(answers(client, "r-1"));
  bind(R"j({"http": {"url": "no url"}})j");
  BOOST_TEST(says(client, "/bindings/spawn_coding_agent/http/url"));
  BOOST_TEST(client.call("spawn_coding_agent", task).text().find("r-1") != std::string::npos);
  bind(R"j({"constant": {"result": {"run_id": "r-2"}}})j");
  BOOST_TEST(answers(client, "r-2"));
}

BOOST_FIXTURE_TEST_CASE(an_edit_with_a_wrong_entry_of_servers_ends_nothing, Fixture) {
  manifest.at_pointer("/tools/0/metadata").as_object().erase("rate_limit_per_minute");
  Client client(serve({"--metrics", path("metrics")}));
  BOOST_TEST(answers(client, "r-1"));
  int servers = 0;
  for (const char* const entry : {R"j({"command": 1})j", R"j({"comand": "npx", "args": []})j", R"j({})j"}) {
    const std::string name = "wrong_" + std::to_string(++servers);
    folder.file("tools.bindings.json", "{\"servers\": {\"" + name + "\": " + entry +
                                           R"j(}, "bindings": {"spawn_coding_agent": {"mcp": {"server": ")j" + name +
                                           "\"}}}}");
    BOOST_TEST(says(client, ("/servers/" + name).c_str()), client.process()->error_tail());
    BOOST_TEST(client.call("spawn_coding_agent", task).text().find("r-1") != std::string::npos);
  }
  bind(R"j({"constant": {"result": {"run_id": "r-6"}}})j");
  BOOST_TEST(answers(client, "r-6"));
}

BOOST_FIXTURE_TEST_CASE(an_edit_that_misspells_a_tool_changes_nothing, Fixture) {
  manifest.at_pointer("/tools/0/metadata").as_object().erase("rate_limit_per_minute");
  Client client(serve());
  folder.file("tools.bindings.json", R"j({"bindings": {"spawn_codign_agent": {"constant": {"result": 2}}}})j");
  BOOST_TEST(says(client, "did you mean"));
  BOOST_TEST(client.call("spawn_coding_agent", task).text().find("r-1") != std::string::npos);
  bind(R"j({"constant": {"result": {"run_id": "r-3"}}})j");
  BOOST_TEST(answers(client, "r-3"));
}

BOOST_FIXTURE_TEST_CASE(an_edit_is_used_while_a_tool_with_a_binding_is_left_out, Fixture) {
  manifest.at_pointer("/tools/0/metadata").as_object().erase("rate_limit_per_minute");
  Json broken = manifest.at_pointer("/tools/0");
  broken.as_object()["name"] = "broken";
  broken.as_object()["parameters"] = JsonArray{};
  manifest.at("tools").as_array().push_back(broken);
  const auto bind_both = [&](const char* run_id) {
    folder.file("tools.bindings.json", std::string(R"j({"bindings": {"broken": {"constant": {"result": 1}},
                  "spawn_coding_agent": {"constant": {"result": {"run_id": ")j") +
                                           run_id + R"j("}}}}})j");
  };
  bind_both("r-4");
  Client client(serve());
  BOOST_TEST(answers(client, "r-4"));
  bind_both("r-5");
  BOOST_TEST(answers(client, "r-5"));
}

BOOST_FIXTURE_TEST_CASE(a_tool_that_was_bound_is_not_latent_afterwards_unless_that_is_said, Fixture) {
  manifest.at("scenario").as_object()["base_url"] = "";  // it would run the tool
  manifest.at_pointer("/tools/0").as_object()["_output"] = JsonObject{{"type", "object"}};
  manifest.at_pointer("/tools/0/metadata").as_object().erase("rate_limit_per_minute");
  Client client(serve());
  folder.file("tools.bindings.json", R"j({"bindings": {}})j");
  BOOST_TEST(answers(client, "its binding was removed"));
  bind(R"j({"latent": {}})j");
  BOOST_TEST(answers(client, "_output"));
}

BOOST_FIXTURE_TEST_CASE(a_profile_that_takes_a_binding_away_leaves_no_latent_tool, Fixture) {
  manifest.at("scenario").as_object()["base_url"] = "";  // it would run the tool
  manifest.at_pointer("/tools/0").as_object()["_output"] = JsonObject{{"type", "object"}};
  folder.file("tools.bindings.json", R"j({"bindings": {"spawn_coding_agent": {"constant": {"result": 1}}},
    "profiles": {"test": {"bindings": {"spawn_coding_agent": null}}}})j");
  const ProgramRun ended =
      run({"serve", write_manifest(), "--profile", "test", "--call", "spawn_coding_agent", latent_answer});
  BOOST_TEST(ended.status != 0);
  BOOST_TEST((ended.out + ended.errors).find("its binding was removed") != std::string::npos);
}
