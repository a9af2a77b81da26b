// `toolwire doctor`: each reason why a host does not see a server.
#define BOOST_TEST_MODULE toolwire_doctor_test
#include <boost/test/unit_test.hpp>

#include <unistd.h>

#include <filesystem>
#include <map>
#include <string>
#include <toolwire/client.hpp>
#include <vector>

#include "install/typescript_sdk.hpp"
#include "tools_bench.hpp"

using namespace toolwire_test;
namespace fs = std::filesystem;

namespace {

struct Fixture : ToolsBench {
  /// The servers of Cursor, as members.
  void cursor(const std::string& servers) const {
    folder.file("home/.cursor/mcp.json", "{\"mcpServers\": {" + servers + "}}");
  }

  void has(const ProgramRun& run_of, int status, const std::string& line) const {
    BOOST_TEST(run_of.status == status, run_of.out << run_of.errors);
    BOOST_TEST(run_of.out.find(line) != std::string::npos, line << "\n-- is not in --\n" << run_of.out);
  }

  /// One server with this program has this problem.
  void problem(const std::string& program, const std::string& text, const std::string& more = "") const {
    cursor("\"s\": {\"command\": \"" + program + "\"" + more + "}");
    has(run({"doctor", "cursor"}), 1, "problem: cursor, user, \"s\": " + text);
  }
};

/// A server that lists these tools.
std::string answer_to(const std::string& method, const std::string& members) {
  return "*'\"" + method + "\"'*) echo '{\"jsonrpc\":\"2.0\",\"id\":'$(id \"$line\")'," + members + "}';;\n";
}

const std::string refusal = answer_to("server/discover", R"("error":{"code":-32601,"message":"no"})");

/// A server that lists these tools. `discovery`: how it answers the question of the revisions without a handshake;
/// `more`: members beside the tools.
std::string listing(const std::string& tools, const std::string& discovery = refusal, const std::string& more = "") {
  return "while read -r line; do case $line in\n" + discovery +
         answer_to("initialize", R"("result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},)"
                                 R"("serverInfo":{"name":"s","version":"1"}})") +
         answer_to("tools/list", "\"result\":{\"tools\":[" + tools + "]" + more + "}") + "esac; done\n";
}

std::string tool(const std::string& name) {
  return "{\"name\":\"" + name + "\",\"inputSchema\":{\"type\":\"object\"}}";
}

const std::string id_of_line = "id() { printf '%s' \"$1\" | /bin/sed 's/.*\"id\":\\([^,}]*\\).*/\\1/'; }\n";

}  // namespace

BOOST_FIXTURE_TEST_CASE(nothing_is_wrong_with_what_install_has_put_in, Fixture) {
  has(run({"doctor"}), 0, "0 servers, 0 problems\n");
  install("cursor", {"--dry-run"});
  BOOST_TEST(run({"install", "cursor", "--", hello}).status == 0);
  BOOST_TEST(run({"install", "codex", "--scope", "project", "--", hello}).status == 0);
  const ProgramRun all = run({"doctor", "--project"});
  has(all, 0, "good: cursor, user, \"calculator\": 1 tool after ");
  has(all, 0, "good: codex, project, \"calculator\": 1 tool after ");
  has(all, 0, "2 servers, 0 problems\n");
  has(run({"doctor", "cursor"}), 0, "1 server, 0 problems\n");
}

BOOST_FIXTURE_TEST_CASE(a_program_that_cannot_be_started_is_found, Fixture) {
  problem("/no/such/program", "its program is missing: /no/such/program");
  problem(folder.file("plain").string(), "its program is not executable: " + (folder / "plain").string());
  problem("no-such-program", "its program \"no-such-program\" is neither absolute nor on PATH");
  problem("./server", "its program ./server is not absolute");
  problem(script("dies", "echo no licence >&2; exit 3"), "does not answer: the server ");
  problem(script("dies", "echo no licence >&2; exit 3"), "does not answer: ", ", \"args\": []");
  cursor("\"s\": {\"command\": \"" + script("dies", "exit 3") + "\"}");
  has(run({"doctor", "--no-start"}), 0, "good: cursor, user, \"s\": its program is there");
}

BOOST_FIXTURE_TEST_CASE(servers_that_a_folder_names_are_started_only_if_that_is_asked_for, Fixture) {
  const std::string server = script("server", "echo started > '" + (folder / "started").string() + "'\n");
  folder.file("project/.mcp.json", "{\"mcpServers\": {\"s\": {\"command\": \"" + server + "\"}}}");
  has(run({"doctor", "claude-code"}), 0, "note: claude-code, project, \"s\": its program is there, and is not started");
  BOOST_TEST(!fs::exists(folder / "started"));
  BOOST_TEST(run({"doctor", "claude-code", "--project"}).status == 1);
  BOOST_TEST(fs::exists(folder / "started"));
}

BOOST_FIXTURE_TEST_CASE(in_the_home_directory_no_file_is_looked_at_twice, Fixture) {
  cursor("\"s\": {\"command\": \"" + hello + "\"}");
  const ProgramRun all = run_program({.command = {TOOLWIRE_BIN_DIR "/toolwire", "doctor"},
                                      .environment = environment,
                                      .inherit_environment = false,
                                      .directory = home});
  has(all, 0, "1 server, 0 problems\n");
}

BOOST_FIXTURE_TEST_CASE(a_program_on_path_is_good_enough, Fixture) {
  fs::create_symlink(hello, path + "/calc");
  cursor("\"s\": {\"command\": \"calc\"}");
  has(run({"doctor"}), 0, "good: cursor, user, \"s\": 1 tool");
}

BOOST_FIXTURE_TEST_CASE(names_of_tools_that_hosts_refuse_are_found, Fixture) {
  const std::string server =
      script("server", id_of_line + listing(tool("a.b") + "," + tool("ok") + "," + tool(std::string(51, 'x'))));
  problem(server, "hosts refuse the name of its tool \"a.b\": expected letters, digits, _ and -\n");
  problem(server,
          "the name of its tool \"" + std::string(51, 'x') + "\" has 51 bytes, of which hosts take no more than 50\n");
  has(run({"doctor"}), 1, "1 server, 2 problems\n");
}

BOOST_FIXTURE_TEST_CASE(schemas_that_this_host_refuses_are_found, Fixture) {
  const std::string types =
      R"({"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":["string","null"]}}}})";
  const std::string choice = R"({"name":"c","inputSchema":{"type":"object","oneOf":[{"type":"object"}]}})";
  const std::string server = script("server", id_of_line + listing(types + "," + choice));
  problem(server, "Cursor refuses the schema of its tool \"t\": #/properties/a: a list of types: ");
  has(run({"doctor"}), 1, "1 server, 1 problem\n");
  folder.file("home/.cursor/mcp.json", "{}");
  folder.file("home/.claude.json", "{\"mcpServers\": {\"s\": {\"command\": \"" + server + "\"}}}");
  has(run({"doctor", "claude-code"}), 1,
      "Claude Code refuses the schema of its tool \"c\": #: \"oneOf\" at the root; ");
  has(run({"doctor"}), 1, "1 server, 1 problem\n");
  folder.file("home/.kiro/settings/mcp.json",
              "{\"mcpServers\": {\"s\": {\"command\": \"" +
                  script("rootless", id_of_line + listing(R"({"name":"r","inputSchema":{}})")) + "\"}}}");
  has(run({"doctor", "kiro"}), 1, "Kiro refuses the schema of its tool \"r\": #: the root has no \"type\": \"object\"");
}

BOOST_FIXTURE_TEST_CASE(a_name_that_the_host_keeps_for_itself_is_found, Fixture) {
  folder.file("home/.claude.json", "{\"mcpServers\": {\"workspace\": {\"command\": \"" + hello + "\"}}}");
  has(run({"doctor"}), 1,
      "problem: claude-code, user, \"workspace\": is not loaded, because the host keeps this name for itself\n");
}

BOOST_FIXTURE_TEST_CASE(a_slow_start_is_held_against_the_hosts_limit, Fixture) {
  const std::string slow = script("slow", id_of_line + "/bin/sleep 1.2\n" + listing(tool("ok")));
  folder.file("home/.codex/config.toml", "[mcp_servers.s]\ncommand = \"" + slow + "\"\n");
  has(run({"doctor", "codex"}), 0, " ms to start; the host may begin without it after 1000 ms\n");
  folder.file("home/.codex/config.toml", "[mcp_servers.s]\ncommand = \"" + slow + "\"\nstartup_timeout_sec = 0.5\n");
  has(run({"doctor", "codex"}), 1, " ms to start; the host gives it 500 ms\n");
}

// Else one that is silent when it is asked what it does not know would count as slow.
BOOST_FIXTURE_TEST_CASE(a_server_is_greeted_as_most_hosts_greet_it, Fixture) {
  const std::string heard = (folder / "heard").string();
  const std::string server = script("server", id_of_line + "while read -r line; do echo \"$line\" >> '" + heard +
                                                  "'; echo \"$line\"; done | { " + listing(tool("ok"), "") + "}\n");
  cursor("\"s\": {\"command\": \"" + server + "\"}");
  has(run({"doctor", "cursor"}), 0, "good: cursor, user, \"s\": 1 tool after ");
  BOOST_TEST(content_of(heard).find("\"initialize\"") != std::string::npos);
  BOOST_TEST(content_of(heard).find("server/discover") == std::string::npos, content_of(heard));
}

BOOST_FIXTURE_TEST_CASE(a_server_without_a_handshake_is_good_too, Fixture) {
  const std::string modern =
      "while read -r line; do case $line in\n" + answer_to("initialize", R"("error":{"code":-32601,"message":"no"})") +
      answer_to("server/discover", R"("result":{"resultType":"complete","supportedVersions":["2026-07-28"],)"
                                   R"("capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}})") +
      answer_to("tools/list", "\"result\":{\"resultType\":\"complete\",\"tools\":[" + tool("ok") + "]}") +
      "esac; done\n";
  cursor("\"s\": {\"command\": \"" + script("server", id_of_line + modern) + "\"}");
  has(run({"doctor", "cursor"}), 0, "good: cursor, user, \"s\": 1 tool after ");
}

BOOST_FIXTURE_TEST_CASE(the_same_server_twice_and_two_of_one_name_are_found, Fixture) {
  cursor("\"one\": {\"command\": \"" + hello + "\"}, \"two\": {\"command\": \"" + hello + "\", \"args\": []}");
  has(run({"doctor", "--no-start"}), 1,
      "problem: cursor, user, \"two\": is the same server as user, \"one\", so its tools are there twice\n");
  cursor("\"one\": {\"command\": \"" + hello + "\"}");
  folder.file("project/.cursor/mcp.json",
              "{\"mcpServers\": {\"one\": {\"command\": \"" + hello + "\", \"args\": [\"x\"]}}}");
  has(run({"doctor", "--no-start"}), 1, "problem: cursor, project, \"one\": has the name of user, \"one\"");
}

BOOST_FIXTURE_TEST_CASE(a_file_that_does_not_parse_hides_all_its_servers, Fixture) {
  folder.file("home/.cursor/mcp.json", "{\"mcpServers\": {\"a\": {},}}");
  has(run({"doctor"}), 1,
      "mcp.json: line 1, column 25: expected a member behind the comma, so the host sees no server of this file\n");
  folder.file("home/.cursor/mcp.json", "{\"mcpServers\": {\"a\": {\"command\": 5}, \"b\": \"\\u001b[2J\"}}");
  const ProgramRun odd = run({"doctor"});
  has(odd, 1, "problem: cursor, user, \"a\": expected an entry such as {\"command\"");
  BOOST_TEST(odd.out.find('\x1B') == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(what_cannot_be_tried_is_said, Fixture) {
  cursor(
      "\"a\": {\"url\": \"http://x\"}, \"b\": {\"command\": \"x\", \"disabled\": true}, \"c\": {\"command\": "
      "\"${HOME}/x\"}");
  folder.file("home/.config/goose/config.yaml", "extensions: {}");
  folder.file("home/.config/zed/settings.json", "{\"context_servers\": {\"x\": {\"source\": \"extension\"}}}");
  const ProgramRun notes = run({"doctor"});
  has(notes, 0, "note: cursor, user, \"a\": is reached by a URL");
  has(notes, 0, "note: cursor, user, \"b\": is switched off");
  has(notes, 0, "note: cursor, user, \"c\": its program is named by a variable");
  has(notes, 0, "config.yaml is YAML, which is not read here");
  has(notes, 0, "note: zed, user, \"x\": has no command");
}

BOOST_FIXTURE_TEST_CASE(what_is_no_message_on_standard_output_is_told, Fixture) {
  const std::string server = listing(tool("ok"));
  problem(script("banner", "echo 'Server 1.0 is ready'\n" + id_of_line + server),
          "it writes to its standard output what is no message, and the host may refuse it for that: Server 1.0 is "
          "ready\n");
  problem(script("log", "echo '[INFO] ready'\n" + id_of_line + server),
          "it writes to its standard output what is no message");
  cursor("\"s\": {\"command\": \"" + script("blank", "echo\n" + id_of_line + server) + "\"}");
  has(run({"doctor", "cursor"}), 0, "good: cursor, user, \"s\": 1 tool after ");
}

BOOST_FIXTURE_TEST_CASE(last_words_stand_on_lines_of_their_own, Fixture) {
  problem(
      script("dies", "echo no licence >&2; echo ask for one >&2; exit 3"),
      "does not answer: the server \"" + (folder / "dies").string() +
          "\" exited with status 3; the last it wrote to standard error:\n    no licence\n    ask for one\n1 server");
  problem(script("web", "echo '<html>'; exit 0"), "does not answer: the server ");
  has(run({"doctor"}), 1, "\n    it wrote to its standard output what is no message: <html>\n1 server");
}

BOOST_FIXTURE_TEST_CASE(why_a_file_that_is_there_does_not_start_is_told, Fixture) {
  const auto executable = [&](const std::string& name, const std::string& text) {
    const fs::path file = folder.file(name, text);
    fs::permissions(file, fs::perms::owner_all);
    return file.string();
  };
  problem(executable("old", "#! /no/such/sh -e\n"), "does not answer: cannot start ");
  has(run({"doctor"}), 1, "; there is no /no/such/sh, which its first line names\n");
  problem(executable("dos", "#!/bin/sh\r\necho\r\n"), "does not answer: cannot start ");
  has(run({"doctor"}), 1,
      "; there is no /bin/sh\\r, which its first line names (its lines end as those of Windows do)\n");
  problem(executable("plain", "import sys\n"), "does not answer: cannot start ");
  has(run({"doctor"}), 1,
      "; it is neither a program of this system nor a script, whose first line is #! and its interpreter\n");
}

BOOST_FIXTURE_TEST_CASE(a_server_that_sends_back_what_it_is_told_is_told_apart, Fixture) {
  problem("/bin/cat", "does not answer: it sends back what it is told; is there a terminal between (docker run -t)?\n");
}

BOOST_FIXTURE_TEST_CASE(arguments_in_the_place_of_the_program_and_paths_from_anywhere_are_told, Fixture) {
  problem(hello + " --list",
          "its program is missing: " + hello + " --list (its arguments are words of their own, not part of it)\n");
  problem("npx -y x", "its program \"npx -y x\" is neither absolute nor on PATH (its arguments are words");
  problem(hello, "expected an entry such as {\"command\":\"/path/to/server\",\"args\":[\"--option\"]}\n",
          ", \"args\": \"--list\"");
  cursor("\"s\": {\"command\": \"" + hello + "\", \"args\": [\"--root\", \".\", \"../x\"]}");
  const ProgramRun notes = run({"doctor", "--no-start"});
  has(notes, 0,
      "note: cursor, user, \"s\": its argument . is a path from the folder in which the host starts it, whichever that "
      "is\n");
  has(notes, 0, "note: cursor, user, \"s\": its argument ../x is a path");
}

BOOST_FIXTURE_TEST_CASE(a_command_that_cannot_be_passed_on_is_a_problem_of_its_server_alone, Fixture) {
  cursor("\"s\": {\"command\": \"" + hello + "\", \"args\": [\"a\\u0000b\"]}, \"t\": {\"command\": \"" + hello + "\"}");
  const ProgramRun both = run({"doctor", "cursor"});
  has(both, 1, "problem: cursor, user, \"s\": does not answer: ");
  has(both, 1, "good: cursor, user, \"t\": 1 tool after ");
}

// Else the project that `toolwire new --template bridge` writes would be a problem.
BOOST_FIXTURE_TEST_CASE(a_server_whose_arguments_only_the_host_knows_is_not_started, Fixture) {
  const std::string server = script("server", "echo started > '" + (folder / "started").string() + "'\n");
  for (const char* const more :
       {"\"args\": [\"${CLAUDE_PROJECT_DIR:-.}/x.json\"]", "\"env\": {\"KEY\": \"${input:key}\"}"}) {
    cursor("\"s\": {\"command\": \"" + server + "\", " + more + "}");
    has(run({"doctor", "cursor"}), 0,
        "note: cursor, user, \"s\": its program is there, and is not started, as ${…} stands for what only the host "
        "knows\n");
  }
  BOOST_TEST(!fs::exists(folder / "started"));
}

BOOST_FIXTURE_TEST_CASE(what_hosts_with_the_typescript_sdk_refuse_is_a_problem_of_these_and_a_note_of_others, Fixture) {
  const std::string cursor_null = script("null", id_of_line + listing(tool("ok"), refusal, ",\"nextCursor\":null"));
  const std::string fault =
      "hosts with the TypeScript SDK see none of its tools, because of nextCursor: expected a string; leave it out "
      "instead of null\n";
  problem(cursor_null, fault);
  has(run({"doctor"}), 1, "1 server, 1 problem\n");
  folder.file("home/.cursor/mcp.json", "{}");
  folder.file("home/.codex/config.toml", "[mcp_servers.s]\ncommand = \"" + cursor_null + "\"\n");
  has(run({"doctor", "codex"}), 0, "note: codex, user, \"s\": " + fault);
  has(run({"doctor", "codex"}), 0, "good: codex, user, \"s\": 1 tool after ");
  const std::string nameless =
      "while read -r line; do case $line in\n" +
      answer_to("initialize", R"("result":{"protocolVersion":"2025-11-25","capabilities":{}})") + "esac; done\n";
  problem(script("nameless", id_of_line + nameless),
          "hosts with the TypeScript SDK refuse its answer to initialize: serverInfo: missing\n");
  const std::string both = listing(tool("ok"), refusal, "},\"time\":{");
  problem(script("both", id_of_line + both),
          "hosts with the TypeScript SDK do not see its answers: \"time\" stands beside \"result\"; leave it out\n");
  const ProgramRun made = run({"install", "kiro", "--name", "s", "--", cursor_null});
  has(made, 0, "but " + fault);
  BOOST_TEST(run({"install", "codex", "--dry-run", "--name", "t", "--", cursor_null}).out.find("SDK") ==
             std::string::npos);
}

// Else whoever is told that our servers are wrong looks for a mistake that is not there.
BOOST_FIXTURE_TEST_CASE(servers_of_ours_are_not_blamed_in_any_revision, Fixture) {
  const std::string bin = TOOLWIRE_BIN_DIR "/", root = TOOLWIRE_SOURCE_DIR;
  const std::vector<std::vector<std::string>> servers{
      {bin + "hello"},
      {bin + "everything"},
      {bin + "workspace", "--root", project, "--write", "--run"},
      {bin + "workspace", "--root", project},
      {bin + "toolwire-bridge", "serve", root + "/bridge/examples/words.json", "--bindings",
       root + "/bridge/examples/words.bindings.json"}};
  for (const std::vector<std::string>& command : servers) {
    if (!fs::exists(command.front())) continue;  // left out of this build
    for (const char* const revision : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
      BOOST_TEST_CONTEXT(command.front() << " " << revision) {
        toolwire::Client client(toolwire::Program{.command = command}, {.revision = revision});
        BOOST_TEST(client.server().revision == revision);
        BOOST_TEST(toolwire::install::faults_of_greeting(client.server().raw).empty());
        const toolwire::Json listed = client.request("tools/list");
        const auto faults = toolwire::install::faults_of_tools(listed);
        BOOST_TEST(faults.empty(), (faults.empty() ? "" : faults.front()));
        BOOST_TEST(!listed.at("tools").as_array().empty());
      }
    }
    const std::string name = fs::path(command.front()).filename().string();
    std::string arguments;
    for (std::size_t i = 1; i < command.size(); ++i)
      arguments += (arguments.empty() ? "\"" : ", \"") + command[i] + "\"";
    cursor("\"" + name + "\": {\"command\": \"" + command.front() + "\", \"args\": [" + arguments + "]}");
    const ProgramRun looked = run({"doctor", "cursor"});
    BOOST_TEST(looked.out.find("TypeScript SDK") == std::string::npos, looked.out);
    BOOST_TEST(looked.out.find("good: cursor, user, \"" + name + "\": ") != std::string::npos, looked.out);
  }
}

BOOST_FIXTURE_TEST_CASE(a_server_is_started_in_the_folder_that_its_entry_names, Fixture) {
  script("there/server", "[ -f ./here ] || exit 1\n" + id_of_line + listing(tool("ok")));
  folder.file("there/here");
  const std::string there = (folder / "there").string();
  folder.file("home/.codex/config.toml",
              "[mcp_servers.s]\ncommand = \"" + there + "/server\"\nargs = [\"./here\"]\ncwd = \"" + there + "\"\n");
  const ProgramRun looked = run({"doctor", "codex"});
  has(looked, 0, "good: codex, user, \"s\": 1 tool after ");
  BOOST_TEST(looked.out.find("is a path from the folder") == std::string::npos, looked.out);
  folder.file("home/.codex/config.toml", "[mcp_servers.s]\ncommand = \"./server\"\ncwd = \"" + there + "\"\n");
  has(run({"doctor", "codex"}), 0, "good: codex, user, \"s\": 1 tool after ");
  folder.file("home/.codex/config.toml", "[mcp_servers.s]\ncommand = \"./no\"\ncwd = \"" + there + "\"\n");
  has(run({"doctor", "codex"}), 1, "its program is missing: " + there + "/no\n");
  folder.file("home/.codex/config.toml",
              "[mcp_servers.s]\ncommand = \"" + there + "/server\"\ncwd = \"" + there + "/none\"\n");
  has(run({"doctor", "codex"}), 1, "problem: codex, user, \"s\": there is no folder " + there + "/none");
  cursor("\"s\": {\"command\": \"" + there + "/server\", \"cwd\": \"${workspaceFolder}\"}");
  has(run({"doctor", "cursor"}), 0, "and is not started, as ${…} stands for what only the host knows\n");
}

BOOST_FIXTURE_TEST_CASE(variables_are_known_in_each_hosts_own_form, Fixture) {
  const std::string server = script("server", "echo started > '" + (folder / "started").string() + "'\n");
  folder.file("home/.gemini/settings.json",
              "{\"mcpServers\": {\"s\": {\"command\": \"" + server + "\", \"env\": {\"TOKEN\": \"$MY_TOKEN\"}}}}");
  has(run({"doctor", "gemini-cli"}), 0, "and is not started, as $… stands for what only the host knows\n");
  folder.file("home/.config/opencode/opencode.json", "{\"mcp\": {\"s\": {\"type\": \"local\", \"command\": [\"" +
                                                         server +
                                                         "\"], \"environment\": {\"TOKEN\": \"{env:MY_TOKEN}\"}}}}");
  has(run({"doctor", "opencode"}), 0, "and is not started, as {env:…} stands for what only the host knows\n");
  BOOST_TEST(!fs::exists(folder / "started"));
  cursor("\"s\": {\"command\": \"" + server + "\", \"env\": {\"TOKEN\": \"$MY_TOKEN\"}}");
  BOOST_TEST(run({"doctor", "cursor"}).status == 1);
  BOOST_TEST(fs::exists(folder / "started"));
}

BOOST_FIXTURE_TEST_CASE(what_cannot_be_looked_at_is_a_problem_and_not_missing, Fixture) {
  const auto both = [&](const std::string& text) {
    has(run({"doctor"}), 1, "problem: cursor, user: " + home + "/.cursor" + text);
    has(run({"list"}), 1, text);
  };
  fs::create_directories(home + "/.cursor");
  fs::create_symlink("mcp.json", home + "/.cursor/mcp.json");
  both("/mcp.json: too many symbolic links");
  fs::remove_all(home + "/.cursor");
  folder.file("home/.cursor", "a file");
  both("/mcp.json: cannot be read: Not a directory");
  if (::geteuid() == 0) return;  // who may search all folders
  fs::remove(home + "/.cursor");
  fs::create_directories(home + "/.cursor");
  fs::permissions(home + "/.cursor", fs::perms::none);
  both("/mcp.json: cannot be read: Permission denied");
  fs::permissions(home + "/.cursor", fs::perms::owner_all);
}

BOOST_FIXTURE_TEST_CASE(a_home_directory_of_several_names_is_looked_at_once, Fixture) {
  cursor("\"s\": {\"command\": \"" + hello + "\"}");
  fs::create_symlink(home, folder / "link");
  for (const std::string& name : {home + "/", (folder / "link").string()}) {
    std::map<std::string, std::string> variables = environment;
    variables["HOME"] = name;
    has(run_program({.command = {TOOLWIRE_BIN_DIR "/toolwire", "doctor"},
                     .environment = variables,
                     .inherit_environment = false,
                     .directory = home}),
        0, "1 server, 0 problems\n");
  }
}

BOOST_FIXTURE_TEST_CASE(an_entry_that_is_off_is_no_twin_and_one_for_a_url_starts_no_command, Fixture) {
  cursor("\"one\": {\"command\": \"" + hello + "\"}, \"two\": {\"command\": \"" + hello + "\", \"disabled\": true}");
  has(run({"doctor"}), 0, "note: cursor, user, \"two\": is switched off\n");
  problem(hello, "its \"type\" is \"http\", so that its program is not started; expected an entry such as {\"command\"",
          ", \"type\": \"http\"");
}

BOOST_FIXTURE_TEST_CASE(an_entry_may_give_its_server_another_time, Fixture) {
  const std::string slow = script("slow", id_of_line + "/bin/sleep 1.2\n" + listing(tool("ok")));
  const auto limited = [&](const std::string& limit) {
    folder.file("home/.codex/config.toml", "[mcp_servers.s]\ncommand = \"" + slow + "\"\n" + limit + "\n");
    return run({"doctor", "codex"});
  };
  has(limited("startup_timeout_ms = 500"), 1, " ms to start; the host gives it 500 ms\n");
  has(limited("startup_timeout_sec = 1e300"), 0, "good: codex, user, \"s\": 1 tool after ");
  has(limited("startup_timeout_sec = -1"), 0, "good: codex, user, \"s\": 1 tool after ");
}

BOOST_FIXTURE_TEST_CASE(a_program_is_looked_for_on_the_path_of_its_entry, Fixture) {
  fs::create_directories(folder / "own");
  fs::create_symlink(hello, folder / "own/calc");
  const std::string own = ", \"env\": {\"PATH\": \"" + (folder / "own").string() + "\"}";
  cursor("\"s\": {\"command\": \"calc\"" + own + "}");
  has(run({"doctor"}), 0, "good: cursor, user, \"s\": 1 tool");
  fs::create_symlink(hello, path + "/other");
  problem("other", "its program \"other\" is neither absolute nor on the PATH of its entry\n", own);
}
