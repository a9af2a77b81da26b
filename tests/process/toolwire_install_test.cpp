// `toolwire install`, `uninstall` and `list` with files of all hosts, and with hosts' own commands.
#define BOOST_TEST_MODULE toolwire_install_test
#include <boost/test/unit_test.hpp>

#include <signal.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "hosts/config_text.hpp"
#include "hosts/host_entry.hpp"
#include "hosts/host_files.hpp"
#include "tools_bench.hpp"

using namespace toolwire;
using namespace toolwire::hosts;
using namespace toolwire_test;
namespace fs = std::filesystem;

namespace {

struct Fixture : ToolsBench {
  Surroundings here() const {
    return {.system = System::linux_,
            .variable =
                [this](const std::string& name) {
                  const auto found = environment.find(name);
                  return found == environment.end() ? std::string() : found->second;
                },
            .home = home,
            .folder = project};
  }

  /// Writes the file of a host, and returns where.
  std::string file_of(const Host& host, Scope scope, const std::string& text) const {
    std::string file = host_file(host, scope, here())->path;
    fs::create_directories(fs::path(file).parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }

  Server installed() const { return {hello, {"--root", "/a b"}, {}}; }
};

/// A file as people have them, in the host's format, with another server and with what the host keeps there besides.
std::string odd_file(const Host& host, Scope scope, const std::string& project) {
  const std::string key(host.key);
  if (host.format == Format::toml)
    return "\xEF\xBB\xBF# mine\r\nmodel = 'o'\r\n\r\n[" + key +
           ".other]\r\ncommand = \"x\" # of it\r\n[projects.\"/ü\"]\r\ntrust = 1";
  if (host.format == Format::yaml) return key + ":\n  - {}\n# end";
  std::string servers =
      "\"" + key + "\" : {\n\t\t\"other\": { \"command\": \"x\", \"extra\": [1, 2.50, \"\\u00e9\"] }\n\t}";
  if (scope == Scope::local)
    servers = "\"projects\": {\n\t\t\"" + project + "\": {\"a\": 1,\n\t" + servers + "\n\t}\n\t}";
  if (host.format == Format::jsonc)
    return "// mine\n{\n\t\"theme\": \"dark\", // why not\n\t" + servers + ", /* the end */\n}\n// \"quoted\"";
  return "{\n\t\"theme\": \"dark\",\n\n\t" + servers + ",\n\t\"z\":null}\n";
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(of_our_programs_the_one_beside_toolwire_is_installed_and_no_script_for_it, Fixture) {
  for (const char* const name : {"toolwire-schema", "toolwire", "toolwire-of-somebody"}) {
    fs::rename(script(name, "exit 0\n"), path + "/" + name);
    const ProgramRun made = run({"install", "cursor", "--no-start", "--force", "--name", "ours", "--", name});
    BOOST_TEST(made.status == 0, made.errors);
    const std::string expected = fs::exists(TOOLWIRE_BIN_DIR "/" + std::string(name))
                                     ? TOOLWIRE_BIN_DIR "/" + std::string(name)
                                     : path + "/" + name;
    const std::string text = content_of(home + "/.cursor/mcp.json");
    BOOST_TEST(text.find('"' + expected + '"') != std::string::npos, text);
  }
}

BOOST_FIXTURE_TEST_CASE(in_files_of_all_hosts_a_server_comes_and_goes_and_no_other_byte_changes, Fixture) {
  int edited = 0, left = 0;
  for (const Host& host : all_hosts()) {
    for (const Scope scope : scopes_of(host, here())) {
      BOOST_TEST_CONTEXT(host.name << " " << name_of(scope)) {
        const std::string before = odd_file(host, scope, project), name(host.name);
        const std::string file = file_of(host, scope, before);
        const std::vector<std::string> options{"--scope", std::string(name_of(scope))};
        const ProgramRun install_run = install(name, options);
        if (install_run.status == 3) {
          BOOST_TEST(content_of(file) == before);
          BOOST_TEST(install_run.out.find(file) != std::string::npos, install_run.out);
          BOOST_TEST(install_run.out.find(hello) != std::string::npos, install_run.out);
          ++left;
        } else {
          BOOST_TEST(install_run.status == 0, install_run.errors);
          const auto entry = member_of(host.format, content_of(file), path_of_server(host, scope, here(), "notes"));
          BOOST_TEST_REQUIRE(entry.has_value());
          BOOST_TEST((server_of(host, *entry) == installed()));
          BOOST_TEST((*entry == Json(entry_of(host, "notes", installed()))));
          const ProgramRun again = install(name, options);
          BOOST_TEST(again.status == 0);
          BOOST_TEST(again.out.find("is there already, and the same") != std::string::npos, again.out);
          BOOST_TEST(uninstall(name, options).status == 0);
          BOOST_TEST(content_of(file) == before);
          ++edited;
        }
        fs::remove(file);
      }
    }
  }
  BOOST_TEST(edited == 30);
  BOOST_TEST(left == 4);  // antigravity and claude-desktop (which file?), continue and goose (YAML)
}

BOOST_FIXTURE_TEST_CASE(a_missing_file_is_made_and_goes_again, Fixture) {
  for (const Host& host : all_hosts()) {
    for (const Scope scope : scopes_of(host, here())) {
      BOOST_TEST_CONTEXT(host.name << " " << name_of(scope)) {
        const HostFile place = host_file(host, scope, here()).value();
        const std::vector<std::string> options{"--scope", std::string(name_of(scope))};
        const std::string name(host.name);
        if (!place.may_be_written) {
          BOOST_TEST(install(name, options).status == 3);
        } else {
          BOOST_TEST(install(name, options).status == 0);
          const fs::perms rights = fs::status(place.path).permissions();
          BOOST_TEST(((rights & (fs::perms::group_all | fs::perms::others_all)) == fs::perms::none) ==
                     (scope != Scope::project));
          BOOST_TEST(uninstall(name, options).status == 0);
        }
        BOOST_TEST(!fs::exists(place.path));
      }
    }
  }
}

BOOST_FIXTURE_TEST_CASE(files_without_servers_come_back_as_they_were, Fixture) {
  const Host& cursor = *find_host("cursor");
  for (const char* const text : {"", "\n", "{}", "{ }\n", "{\n}", "{\"mcpServers\":{}}",
                                 "{\"mcpServers\": {\n}, \"a\": 1}", "\xEF\xBB\xBF{}\r\n", "{\"a\":1}"}) {
    const std::string file = file_of(cursor, Scope::user, text);
    BOOST_TEST(install("cursor").status == 0, text);
    BOOST_TEST(uninstall("cursor").status == 0, text);
    BOOST_TEST(content_of(file) == text);
    fs::remove_all(home + "/.local");
  }
}

BOOST_FIXTURE_TEST_CASE(several_servers_go_in_any_order, Fixture) {
  const std::string file = file_of(*find_host("cursor"), Scope::user, "{ }\n");
  BOOST_TEST(run({"install", "cursor", "--no-start", "--name", "one", "--", hello}).status == 0);
  BOOST_TEST(install("cursor").status == 0);
  BOOST_TEST(run({"uninstall", "cursor", "--name", "one"}).status == 0);
  BOOST_TEST(uninstall("cursor").status == 0);
  BOOST_TEST(content_of(file) == "{ }\n");
}

BOOST_FIXTURE_TEST_CASE(what_does_not_parse_is_never_written, Fixture) {
  const std::map<std::string, std::pair<std::string, std::string>> broken{
      {"cursor", {"{\n  \"a\": 1 // no\n}", "line 2, column 10: expected JSON without comments"}},
      {"vscode", {"{\"servers\": {}\n", "line 2, column 1: expected a comma or }"}},
      {"codex", {"a = 1\na = 2\n", "line 2, column 1: \"a\" is defined already"}},
      {"zed", {"{\"context_servers\": []}", "line 1, column 21: expected an object under \"context_servers\""}}};
  for (const auto& [name, text] : broken) {
    const std::string file = file_of(*find_host(name), Scope::user, text.first);
    const auto before = files();
    for (const ProgramRun& run_of : {install(name), install(name, {"--force"}), uninstall(name)}) {
      BOOST_TEST(run_of.status == 1, name);
      BOOST_TEST(run_of.errors.find(file + ": " + text.second) != std::string::npos, run_of.errors);
    }
    BOOST_TEST((files() == before), name);
  }
}

BOOST_FIXTURE_TEST_CASE(rights_and_symbolic_links_stay, Fixture) {
  const fs::path real = folder.file("dotfiles/mcp.json", "{\"mcpServers\": {\"a\": {\"command\": \"x\"}}}");
  fs::permissions(real, static_cast<fs::perms>(0604));
  fs::create_directories(home + "/.cursor");
  fs::create_symlink("../link", home + "/.cursor/mcp.json");
  fs::create_symlink(real, home + "/link");
  BOOST_TEST(install("cursor").status == 0);
  BOOST_TEST(fs::read_symlink(home + "/.cursor/mcp.json") == "../link");
  BOOST_TEST(content_of(real).find("notes") != std::string::npos);
  BOOST_TEST((fs::status(real).permissions() == static_cast<fs::perms>(0604)));
  fs::remove(real);  // a link that leads nowhere: its target is made
  BOOST_TEST(install("cursor").status == 0);
  BOOST_TEST(content_of(real).find("notes") != std::string::npos);
  BOOST_TEST(fs::is_symlink(home + "/.cursor/mcp.json"));
}

BOOST_FIXTURE_TEST_CASE(a_home_that_is_no_absolute_path_is_refused, Fixture) {
  for (const std::string odd : {"", "home", "./home"}) {
    environment["HOME"] = odd;
    const ProgramRun run_of = install("cursor");
    BOOST_TEST(run_of.status == 1);
    BOOST_TEST(run_of.errors.find("HOME: expected the home directory, an absolute path, found \"" + odd + "\"") !=
                   std::string::npos,
               run_of.errors);
  }
  BOOST_TEST(files().empty());
  BOOST_TEST(!fs::exists(project + "/home"));
}

BOOST_FIXTURE_TEST_CASE(what_is_no_regular_file_is_refused, Fixture) {
  fs::create_directories(home + "/.cursor/mcp.json");
  const ProgramRun run_of = install("cursor");
  BOOST_TEST(run_of.status == 1);
  BOOST_TEST(run_of.errors.find("mcp.json: expected a regular file") != std::string::npos, run_of.errors);
}

BOOST_FIXTURE_TEST_CASE(several_at_once_are_all_installed_and_taken_out, Fixture) {
  const std::string before = R"({"mcpServers": {"mine": {"command": "x"}}, "z": 1})";
  const std::string file = file_of(*find_host("cursor"), Scope::user, before);
  constexpr std::size_t many = 8;
  const auto at_once = [&](const auto& words_of) {
    std::array<ProgramRun, many> runs;
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < many; ++i)
      threads.emplace_back([&, i] { runs[i] = run(words_of("s" + std::to_string(i))); });
    for (std::thread& thread : threads) thread.join();
    for (const ProgramRun& one : runs) BOOST_TEST(one.status == 0, one.errors);
  };
  using Words = std::vector<std::string>;
  at_once([&](const std::string& name) {
    return Words{"install", "cursor", "--no-start", "--name", name, "--", hello, name};
  });
  BOOST_TEST(parse_json(content_of(file)).at("mcpServers").as_object().size() == many + 1);
  at_once([](const std::string& name) { return Words{"uninstall", "cursor", "--name", name}; });
  BOOST_TEST((parse_json(content_of(file)) == parse_json(before)));
}

BOOST_FIXTURE_TEST_CASE(what_a_file_held_is_kept_for_its_user_only, Fixture) {
  file_of(*find_host("cursor"), Scope::user, "{\"a\": 1}");
  for (int i = 0; i < 25; ++i) {
    BOOST_TEST(install("cursor").status == 0);
    BOOST_TEST(uninstall("cursor").status == 0);
  }
  int kept = 0;
  for (const auto& entry : fs::directory_iterator(home + "/.local/state/toolwire/replaced-files")) {
    BOOST_TEST((entry.status().permissions() == (fs::perms::owner_read | fs::perms::owner_write)));
    ++kept;
  }
  BOOST_TEST(kept == 20);
  // Where nothing can be kept, nothing is changed.
  environment["XDG_STATE_HOME"] = folder.file("no-folder").string();
  const auto before = files();
  const ProgramRun run_of = install("cursor");
  BOOST_TEST(run_of.status == 1);
  BOOST_TEST(run_of.errors.find("nothing was changed, because what it holds cannot be kept") != std::string::npos,
             run_of.errors);
  BOOST_TEST((files() == before));
}

BOOST_FIXTURE_TEST_CASE(another_server_of_the_name_is_replaced_by_force_only, Fixture) {
  const std::string before =
      "{\"mcpServers\": {\"notes\": {\"command\": \"/bin/x\", \"env\": {\"K\": \"secret\"}}, \"b\": 2}}";
  const std::string file = file_of(*find_host("cursor"), Scope::user, before);
  const ProgramRun refused = install("cursor");
  BOOST_TEST(refused.status == 1);
  BOOST_TEST(
      refused.errors.find("\"notes\" is another server: /bin/x   (with K); --force replaces it") != std::string::npos,
      refused.errors);
  BOOST_TEST(refused.errors.find("secret") == std::string::npos);
  BOOST_TEST(content_of(file) == before);
  BOOST_TEST(install("cursor", {"--force"}).status == 0);
  BOOST_TEST(content_of(file) == "{\"mcpServers\": {\"notes\": {\"command\": \"" + hello +
                                     "\", \"args\": [\"--root\", \"/a b\"]}, \"b\": 2}}");
}

BOOST_FIXTURE_TEST_CASE(an_entry_of_another_host_that_has_less_is_not_taken_for_the_same, Fixture) {
  BOOST_TEST(install("claude-code", {"--scope", "project"}).status == 0);
  const std::string file = project + "/.mcp.json", before = content_of(file);
  const ProgramRun refused = install("copilot-cli", {"--scope", "project"});
  BOOST_TEST(refused.status == 1);
  BOOST_TEST(refused.errors.find("\"notes\" is there already, but without \"tools\", which Copilot CLI needs; --force "
                                 "writes it anew\n") != std::string::npos,
             refused.errors);
  BOOST_TEST(content_of(file) == before);
  const ProgramRun examined = run({"doctor", "copilot-cli", "--no-start"});
  BOOST_TEST(examined.status == 1);
  BOOST_TEST(examined.out.find("project, \"notes\": is not loaded, because it has no \"tools\"\n") != std::string::npos,
             examined.out);
  BOOST_TEST(install("copilot-cli", {"--scope", "project", "--force"}).status == 0);
  for (const char* const host : {"claude-code", "copilot-cli"}) {
    BOOST_TEST(install(host, {"--scope", "project"}).out.find("is there already, and the same") != std::string::npos);
    BOOST_TEST(run({"doctor", host, "--no-start"}).status == 0);
  }
}

BOOST_FIXTURE_TEST_CASE(an_entry_that_is_not_started_is_not_the_same_server, Fixture) {
  const std::string line = "command = \"" + hello + "\"\nargs = [\"--root\", \"/a b\"]\n";
  const std::string file =
      file_of(*find_host("codex"), Scope::user, "[mcp_servers.notes]\n" + line + "enabled = false\n");
  const std::string before = content_of(file);
  const ProgramRun refused = install("codex");
  BOOST_TEST(refused.status == 1, refused.out);
  BOOST_TEST(refused.errors.find("\"notes\" is there already, but switched off; --force writes it anew\n") !=
                 std::string::npos,
             refused.errors);
  BOOST_TEST(content_of(file) == before);
  BOOST_TEST(install("codex", {"--force"}).status == 0);
  BOOST_TEST(content_of(file) == "[mcp_servers.notes]\n" + line);
  const std::string rest = "\"command\": \"" + hello + "\", \"args\": [\"--root\", \"/a b\"]";
  for (const std::string& more : {std::string(", \"disabled\": true"), std::string(", \"type\": \"http\"")}) {
    const std::string other =
        file_of(*find_host("cursor"), Scope::user, "{\"mcpServers\": {\"notes\": {" + rest + more + "}}}");
    BOOST_TEST(install("cursor").status == 1, more);
    BOOST_TEST(install("cursor", {"--force"}).status == 0, more);
    BOOST_TEST(content_of(other) == "{\"mcpServers\": {\"notes\": {" + rest + "}}}");
  }
}

BOOST_FIXTURE_TEST_CASE(what_the_host_puts_something_else_in_the_place_of_is_said, Fixture) {
  const std::string said = "but Claude Code may put something else in the place of ${…} in the variable P\n";
  const ProgramRun made = install("claude-code", {"--env", "P=a${X}b", "--env", "Q=$X"});
  BOOST_TEST(made.status == 0, made.errors);
  BOOST_TEST(made.out.find(said) != std::string::npos, made.out);
  BOOST_TEST(made.out.find("variable Q") == std::string::npos, made.out);
  BOOST_TEST(install("gemini-cli", {"--env", "Q=$X"}).out.find("in the place of $… in the variable Q\n") !=
             std::string::npos);
  BOOST_TEST(install("cursor").out.find("in the place of") == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(the_list_of_hosts_is_of_the_one_that_is_asked_for, Fixture) {
  const ProgramRun unknown = run({"list", "nosuch", "--all"});
  BOOST_TEST(unknown.status == 2, unknown.out);
  BOOST_TEST(unknown.errors.find("there is no host \"nosuch\"") != std::string::npos, unknown.errors);
  const ProgramRun one = run({"list", "cursor", "--all"});
  BOOST_TEST(one.status == 0);
  BOOST_TEST(one.out == "cursor          Cursor                 user, project\n");
}

BOOST_FIXTURE_TEST_CASE(a_dry_run_shows_the_difference_and_changes_nothing, Fixture) {
  file_of(*find_host("vscode"), Scope::user, "{\n  \"servers\": {\n    \"a\": {}\n  }\n}\n");
  const auto before = files();
  const ProgramRun shown = install("vscode", {"--dry-run", "--env", "K=a b"});
  BOOST_TEST(shown.status == 0);
  for (const char* const line :
       {"\n@@ -1,5 +1,13 @@\n", "\n-    \"a\": {}\n+    \"a\": {},\n+    \"notes\": {\n", "\n+        \"K\": \"a b\"\n",
        "\nor open: vscode:mcp/install?%7B%22name%22%3A%22notes%22"})
    BOOST_TEST(shown.out.find(line) != std::string::npos, shown.out);
  BOOST_TEST((files() == before));
}

BOOST_FIXTURE_TEST_CASE(a_link_is_shown_for_what_it_installs_the_users_servers, Fixture) {
  for (const char* const host : {"vscode", "cursor"}) {
    for (const char* const scope : {"user", "project"}) {
      const ProgramRun shown = install(host, {"--dry-run", "--scope", scope});
      BOOST_TEST(shown.status == 0, shown.errors);
      BOOST_TEST((shown.out.find("or open: ") != std::string::npos) == (scope == std::string_view("user")), shown.out);
    }
  }
}

BOOST_FIXTURE_TEST_CASE(the_same_server_under_another_name_is_pointed_at, Fixture) {
  const std::string twice = "\" in " + home + "/.cursor/mcp.json already, so its tools will be there twice\n";
  const auto named = [&](const std::string& name, const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"install", "cursor", "--no-start", "--name", name};
    arguments.insert(arguments.end(), more.begin(), more.end());
    for (const std::string& word : {std::string("--"), hello, std::string("--root"), std::string("/a b")})
      arguments.push_back(word);
    return run(arguments);
  };
  const ProgramRun alone = install("cursor");
  BOOST_TEST(alone.out.find("twice") == std::string::npos, alone.out);
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"--dry-run"}, {}, {"--scope", "project", "--dry-run"}}) {
    const ProgramRun second = named("others", more);
    BOOST_TEST(second.status == 0, second.errors);
    BOOST_TEST(second.out.find("but the same server is \"notes" + twice) != std::string::npos, second.out);
  }
  const ProgramRun different = named("third", {"--env", "K=v"});
  BOOST_TEST(different.out.find("twice") == std::string::npos, different.out);
  const ProgramRun again = install("cursor");
  BOOST_TEST(again.out.find("is there already, and the same") != std::string::npos, again.out);
  file_of(*find_host("cursor"), Scope::project, "{");
  const ProgramRun beside = named("fourth", {});
  BOOST_TEST(beside.status == 0, beside.errors);
  BOOST_TEST(beside.out.find("\"others" + twice) != std::string::npos, beside.out);
}

BOOST_FIXTURE_TEST_CASE(what_is_found_says_the_server_before_anything_is_written, Fixture) {
  const ProgramRun run_of = run({"install", "cursor", "--", hello});
  BOOST_TEST(run_of.status == 0, run_of.errors);
  BOOST_TEST(run_of.out.starts_with("calculator 1.0.0 answers after "), run_of.out);
  BOOST_TEST(run_of.out.find("1 tool: add\n") != std::string::npos, run_of.out);
  BOOST_TEST(run_of.out.find("mcp.json: added \"calculator\"\n") != std::string::npos, run_of.out);
}

BOOST_FIXTURE_TEST_CASE(a_name_that_the_host_keeps_for_itself_is_not_taken, Fixture) {
  const std::string workspace = script("workspace", "exit 0\n");
  const ProgramRun refused = run({"install", "claude-code", "--no-start", "--name", "workspace", "--", workspace});
  BOOST_TEST(refused.status == 2);
  BOOST_TEST(
      refused.errors.find("--name: Claude Code keeps \"workspace\" for itself, so take another") != std::string::npos,
      refused.errors);
  const ProgramRun other = run({"install", "claude-code", "--no-start", "--", workspace});
  BOOST_TEST(other.status == 0, other.errors);
  BOOST_TEST(
      other.out.starts_with(
          "Claude Code keeps the name \"workspace\" for itself, so this one is called \"workspace-server\" there\n"),
      other.out);
  BOOST_TEST(content_of(home + "/.claude.json").find("\"workspace-server\": {") != std::string::npos);
  BOOST_TEST(run({"install", "cursor", "--no-start", "--", workspace}).status == 0);
  BOOST_TEST(content_of(home + "/.cursor/mcp.json").find("\"workspace\": {") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(what_the_host_refuses_of_a_tool_is_said_before_it_is_installed, Fixture) {
  const std::string server =
      script("server",
             R"(while read -r line; do id=$(printf '%s' "$line" | /bin/sed 's/.*"id":\([^,}]*\).*/\1/'); case $line in
*'"initialize"'*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}';;
*'"tools/list"'*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"tools":[{"name":"t","inputSchema":{"type":"object","anyOf":[{}]}}]}}';;
esac; done
)");
  const std::string refusal = "but Claude Code refuses the schema of its tool \"t\": #: \"anyOf\" at the root; ";
  const ProgramRun made = run({"install", "claude-code", "--", server});
  BOOST_TEST(made.status == 0, made.errors);
  BOOST_TEST(made.out.find(refusal) != std::string::npos, made.out);
  BOOST_TEST(run({"install", "cursor", "--", server}).out.find("refuses") == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_server_that_does_not_answer_is_not_installed, Fixture) {
  const auto problem = [&](std::vector<std::string> server) {
    std::vector<std::string> arguments{"install", "cursor", "--name", "notes", "--"};
    arguments.insert(arguments.end(), server.begin(), server.end());
    const ProgramRun run_of = run(arguments);
    BOOST_TEST(run_of.status == 1);
    BOOST_TEST(!fs::exists(home + "/.cursor"));
    return run_of.errors;
  };
  BOOST_TEST(problem({script("dies", "echo no licence >&2; exit 3")}).find("exited with status 3") !=
             std::string::npos);
  BOOST_TEST(problem({script("dies2", "echo no licence >&2; exit 3")}).find("no licence") != std::string::npos);
  BOOST_TEST(problem({"no-such-program"}) ==
             "toolwire install: \"no-such-program\": there is no such program on PATH\n");
  BOOST_TEST(problem({"./missing"}).find(project + "/missing: there is no such program") != std::string::npos);
  BOOST_TEST(problem({folder.file("plain").string()}).find("it is not executable") != std::string::npos);
  // Hosts do not have the variables of a shell.
  environment["NEEDED"] = "yes";
  const std::string needy = script("needy", "[ -n \"$NEEDED\" ] || exit 4\nexec '" + hello + "'\n");
  BOOST_TEST(problem({needy}).find("name those it needs with --env NAME=VALUE") != std::string::npos);
  BOOST_TEST(run({"install", "cursor", "--env", "NEEDED=yes", "--", needy}).status == 0);
}

BOOST_FIXTURE_TEST_CASE(the_program_is_made_absolute, Fixture) {
  fs::create_symlink(hello, path + "/hello-of-path");
  BOOST_TEST(run({"install", "cursor", "--name", "notes", "--", "hello-of-path"}).status == 0);
  BOOST_TEST(content_of(home + "/.cursor/mcp.json").find("\"" + path + "/hello-of-path\"") != std::string::npos);
  fs::create_symlink(hello, project + "/here");
  BOOST_TEST(run({"install", "kiro", "--name", "notes", "--", "../project/./here"}).status == 0);
  BOOST_TEST(content_of(home + "/.kiro/settings/mcp.json").find("\"" + project + "/here\"") != std::string::npos);
}

namespace {

/// A host's own command that writes down its arguments, and ends with the status in a file.
struct OwnCommandFixture : Fixture {
  const std::string log = (folder / "log").string();

  void put(const std::string& name, int status = 0) const {
    script("path/" + name,
           "for word; do printf '%s\\n' \"$word\" >> '" + log + "'; done\nexit " + std::to_string(status) + "\n");
  }
  std::string said() const {
    std::string text = content_of(log);
    fs::remove(log);
    return text;
  }
  /// That empties this file, too.
  void put_remover(const std::string& name, const std::string& file) const {
    script("path/" + name,
           "for word; do printf '%s\\n' \"$word\" >> '" + log + "'; done\necho '{}' > '" + file + "'\n");
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_hosts_own_command_is_used_where_it_is_on_path, OwnCommandFixture) {
  for (const char* const name : {"claude", "codex", "code", "copilot", "gemini", "agy"}) put(name);
  const std::vector<std::string> variable{"--env", "K=a b"};
  const auto ran = [&](const std::string& host, std::vector<std::string> options) {
    const auto before = files();
    const ProgramRun run_of = install(host, std::move(options));
    BOOST_TEST(run_of.status == 0, run_of.errors);
    std::string words = said();
    BOOST_TEST((files() == before), host << ": the file is left to the host");
    return words;
  };
  const std::string json =
      R"({"type":"stdio","command":")" + hello + R"(","args":["--root","/a b"],"env":{"K":"a b"}})";
  BOOST_TEST(ran("claude-code", variable) == "mcp\nadd-json\n-s\nuser\nnotes\n" + json + "\n");
  BOOST_TEST(ran("claude-code", {"--scope", "local", "--env", "K=a b"}) ==
             "mcp\nadd-json\n-s\nlocal\nnotes\n" + json + "\n");
  BOOST_TEST(ran("codex", variable) == "mcp\nadd\nnotes\n--env\nK=a b\n--\n" + hello + "\n--root\n/a b\n");
  BOOST_TEST(ran("copilot-cli", {}) == "mcp\nadd\nnotes\n--\n" + hello + "\n--root\n/a b\n");
  BOOST_TEST(ran("gemini-cli", {"--scope", "project", "--env", "K=a b"}) ==
             "mcp\nadd\n-s\nproject\n-e\nK=a b\nnotes\n" + hello + "\n--\n--root\n/a b\n");
  BOOST_TEST(ran("vscode", variable) == "--add-mcp\n" + std::string(R"({"name":"notes",)") + json.substr(1) + "\n");
  // Scopes and arguments that the command does not know.
  BOOST_TEST(install("codex", {"--scope", "project"}).out.find("/.codex/config.toml: added") != std::string::npos);
  BOOST_TEST(install("antigravity").status == 3);
  BOOST_TEST(said().empty());
  BOOST_TEST(run({"install", "antigravity", "--name", "notes", "--no-start", "--", hello}).status == 0);
  BOOST_TEST(said() == "mcp\nadd\nnotes\n" + hello + "\n");
}

BOOST_FIXTURE_TEST_CASE(a_dry_run_runs_no_command, OwnCommandFixture) {
  put("codex");
  const ProgramRun run_of = install("codex", {"--dry-run"});
  BOOST_TEST(run_of.out == "would run: " + path + "/codex mcp add notes -- " + hello + " --root '/a b'\n");
  BOOST_TEST(said().empty());
}

BOOST_FIXTURE_TEST_CASE(a_command_that_fails_is_an_error, OwnCommandFixture) {
  put("codex", 5);
  const ProgramRun run_of = install("codex");
  BOOST_TEST(run_of.status == 1);
  BOOST_TEST(run_of.errors.find("this ended with 5: ") != std::string::npos, run_of.errors);
}

BOOST_FIXTURE_TEST_CASE(a_server_goes_by_the_hosts_own_command_too, OwnCommandFixture) {
  put("claude");
  BOOST_TEST(uninstall("claude-code").status == 1);  // there is none
  BOOST_TEST(said().empty());
  const std::string file =
      file_of(*find_host("claude-code"), Scope::user, R"({"mcpServers": {"notes": {"command": "x"}}})");
  const ProgramRun in_vain = uninstall("claude-code");
  BOOST_TEST(in_vain.status == 1);
  BOOST_TEST(
      in_vain.errors.find(file + ": \"notes\" is there all the same, though this ended well: ") != std::string::npos,
      in_vain.errors);
  BOOST_TEST(said() == "mcp\nremove\n-s\nuser\nnotes\n");
  put_remover("claude", file);
  const ProgramRun gone = uninstall("claude-code");
  BOOST_TEST(gone.status == 0, gone.errors);
  BOOST_TEST(gone.out == "took out \"notes\" with: claude\n");
  BOOST_TEST(said() == "mcp\nremove\n-s\nuser\nnotes\n");
}

BOOST_FIXTURE_TEST_CASE(servers_of_any_name_go, OwnCommandFixture) {
  put("claude");
  const std::string file =
      file_of(*find_host("claude-code"), Scope::user, R"({"mcpServers": {"-s": 1, "@a/b c": 2, "z": 3}})");
  BOOST_TEST(run({"uninstall", "claude-code", "--name=-s"}).status == 0);
  BOOST_TEST(said().empty());
  BOOST_TEST(content_of(file) == R"({"mcpServers": { "@a/b c": 2, "z": 3}})");
  put_remover("claude", file);
  BOOST_TEST(run({"uninstall", "claude-code", "--name", "@a/b c"}).status == 0);
  BOOST_TEST(said() == "mcp\nremove\n-s\nuser\n@a/b c\n");
}

BOOST_FIXTURE_TEST_CASE(a_server_that_is_elsewhere_is_pointed_at, Fixture) {
  BOOST_TEST(install("cursor", {"--scope", "project"}).status == 0);
  const ProgramRun run_of = uninstall("cursor");
  BOOST_TEST(run_of.status == 1);
  BOOST_TEST(run_of.errors.find("there is no server \"notes\"; it is there with --scope project") != std::string::npos,
             run_of.errors);
  BOOST_TEST(uninstall("goose").status == 3);
}

BOOST_FIXTURE_TEST_CASE(a_broken_file_of_another_scope_does_not_hide_that_a_server_is_missing, Fixture) {
  const std::string user = file_of(*find_host("cursor"), Scope::user, R"({"mcpServers": {}})");
  const std::string broken = file_of(*find_host("cursor"), Scope::project, "{");
  const ProgramRun run_of = uninstall("cursor");
  BOOST_TEST(run_of.status == 1);
  BOOST_TEST(
      run_of.errors.find("toolwire uninstall: " + user +
                         ": there is no server \"notes\"; whether it is there with --scope project is not known: " +
                         broken + ": line 1, column 2: ") == 0U,
      run_of.errors);
}

BOOST_FIXTURE_TEST_CASE(a_path_that_no_file_of_a_host_can_hold_is_named, Fixture) {
  const std::string odd = project + "/bad\xFF";
  fs::create_directory(odd);
  fs::create_symlink(hello, odd + "/server");
  for (const char* const host : {"cursor", "codex"}) {
    const ProgramRun run_of = run_program(
        {.command = {TOOLWIRE_BIN_DIR "/toolwire", "install", host, "--name", "notes", "--no-start", "--", "./server"},
         .environment = environment,
         .inherit_environment = false,
         .directory = odd});
    BOOST_TEST(run_of.status == 1);
    BOOST_TEST(run_of.errors.find("toolwire install: a file of a host holds UTF-8 only, and this is not: " + project +
                                  "/bad\\xFF/server; nothing was changed\n") == 0U,
               run_of.errors);
  }
  BOOST_TEST(!fs::exists(home + "/.cursor"));
}

BOOST_FIXTURE_TEST_CASE(what_is_installed_is_listed, Fixture) {
  BOOST_TEST(run({"list"}).out == "no host has a server here; toolwire list --all names the hosts\n");
  install("cursor", {"--env", "K=secret"});
  install("codex", {"--scope", "project"});
  file_of(*find_host("zed"), Scope::user, "{\"context_servers\": {\"web\": {\"url\": \"http://x\"}, \"odd\": 1}} // a");
  const ProgramRun all = run({"list"});
  BOOST_TEST(all.status == 0);
  BOOST_TEST(all.out == "Codex, project: " + project + "/.codex/config.toml\n  notes: " + hello + " --root '/a b'\n" +
                            "Cursor, user: " + home + "/.cursor/mcp.json\n  notes: " + hello +
                            " --root '/a b'   (with K)\n" + "Zed, user: " + home +
                            "/.config/zed/settings.json\n  web: http://x\n" + "  odd: (neither a command nor a URL)\n");
  BOOST_TEST(run({"list", "kiro"}).out.find("Kiro, user: there is no " + home) != std::string::npos);
  file_of(*find_host("kiro"), Scope::user, "{");
  const ProgramRun broken = run({"list"});
  BOOST_TEST(broken.status == 1);
  BOOST_TEST(broken.out.find("mcp.json: line 1, column 2: ") != std::string::npos, broken.out);
}

BOOST_FIXTURE_TEST_CASE(mistakes_on_the_command_line_have_a_sentence, Fixture) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes{
      {{"install", "cursr", "--", hello}, "there is no host \"cursr\", did you mean cursor?"},
      {{"install", "cursor"}, "expected the server behind --"},
      {{"install", "cursor", "--"}, "expected the server behind --"},
      {{"install", "--", hello}, "HOST is required"},
      {{"install", "cursor", "--scope", "local", "--", hello},
       "--scope: expected user, project for Cursor, found \"local\""},
      {{"install", "cursor", "--env", "=x", "--", hello}, "--env: expected NAME=VALUE, found \"=x\""},
      {{"install", "cursor", "--name", "a b", "--", hello}, "--name: expected letters, digits, _ and -"},
      {{"install", "cursor", "--name", std::string(51, 'a'), "--", hello}, "--name: expected letters"},
      {{"install", "cursor", "--bogus", "--", hello}, "--bogus"},
      {{"uninstall", "cursor"}, "--name is required"},
      {{"list", "nohost"}, "there is no host \"nohost\""},
      {{"doctor", "nohost"}, "there is no host \"nohost\""}};
  for (const auto& [arguments, expected] : mistakes) {
    const ProgramRun run_of = run(arguments);
    BOOST_TEST(run_of.status == 2, expected);
    BOOST_TEST(run_of.errors.find(expected) != std::string::npos, run_of.errors);
  }
  BOOST_TEST(files().empty());
}

BOOST_FIXTURE_TEST_CASE(the_server_in_front_of_the_dashes_is_a_mistake_that_says_so, Fixture) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"install", "cursor", hello}, {"install", "cursor"}, {"dev", hello}, {"inspect", hello}, {"pack", hello}}) {
    const ProgramRun wrong = run(words);
    BOOST_TEST(wrong.status == 2);
    BOOST_TEST(wrong.errors.find("the server ") != std::string::npos, wrong.errors);
    BOOST_TEST(wrong.errors.find("behind --, as in: toolwire " + words.front()) != std::string::npos, wrong.errors);
  }
}

BOOST_FIXTURE_TEST_CASE(a_line_in_one_word_is_no_program, Fixture) {
  const ProgramRun wrong = run({"install", "cursor", "--", "npx -y x"});
  BOOST_TEST(wrong.errors ==
             "toolwire install: \"npx -y x\": there is no such program on PATH; give each word by itself, unquoted\n");
}

// Else `workspace --root .` serves whatever folder the host starts it in.
BOOST_FIXTURE_TEST_CASE(arguments_that_name_what_is_here_are_told_for_hosts_are_elsewhere, Fixture) {
  folder.folder("project/data dir");
  const std::vector<std::string> server{"--no-start", "--name", "x", "--dry-run", "--", hello};
  const auto said = [&](std::vector<std::string> words, const std::vector<std::string>& arguments) {
    words.insert(words.begin(), {"install", "cursor"});
    words.insert(words.end(), server.begin(), server.end());
    words.insert(words.end(), arguments.begin(), arguments.end());
    return run(words).out;
  };
  const std::string but = "but hosts start servers in other folders than this one: write " + project;
  const std::string out = said({}, {".", "--root=data dir", "data dir", "none", "/", "--x"});
  BOOST_TEST(out.find(but + "/ if that is meant by .\n") != std::string::npos, out);
  BOOST_TEST(out.find(but + "/data dir if that is meant by --root=data dir\n") != std::string::npos, out);
  BOOST_TEST(out.find(but + "/data dir if that is meant by data dir\n") != std::string::npos, out);
  BOOST_TEST(said({}, {"none", "/", "--x", "--x=", ""}).find("but ") == std::string::npos);
  BOOST_TEST(said({"--scope", "project"}, {"."}).find("but ") == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(what_is_no_message_on_standard_output_is_told, Fixture) {
  const std::string loud = script("loud", "echo 'Server 1.0 is ready'\nexec '" + hello + "'\n");
  const ProgramRun made = run({"install", "cursor", "--", loud});
  BOOST_TEST(made.status == 0, made.errors);
  BOOST_TEST(
      made.out.find("but it writes to its standard output what is no message, and a host may refuse it for that: "
                    "Server 1.0 is ready\n") != std::string::npos,
      made.out);
}

BOOST_FIXTURE_TEST_CASE(where_there_is_no_server_that_is_listed, Fixture) {
  BOOST_TEST(run({"list"}).out == "no host has a server here; toolwire list --all names the hosts\n");
  folder.file("home/.cursor/mcp.json", "{}");
  BOOST_TEST(run({"list"}).out == "no host has a server here; toolwire list --all names the hosts\n");
}

// Ctrl-C ends what a server has started, too: `npx` starts a shell, and that a server.
BOOST_FIXTURE_TEST_CASE(whoever_is_interrupted_leaves_nothing_behind, Fixture) {
  const std::string ids = (folder / "ids").string();
  const std::string silent = script("silent", "trap '' TERM INT\n/bin/sleep 1000 &\necho $$ $! > '" + ids +
                                                  ".new'\n/bin/mv '" + ids + ".new' '" + ids + "'\nwait\n");
  for (const char* const word : {"install", "doctor"}) {
    for (const int signal : {SIGINT, SIGTERM}) {
      fs::remove(ids);
      folder.file("home/.cursor/mcp.json", "{\"mcpServers\": {\"s\": {\"command\": \"" + silent + "\"}}}");
      Program program{.command = {TOOLWIRE_BIN_DIR "/toolwire", word, "cursor"},
                      .environment = environment,
                      .inherit_environment = false};
      if (program.command[1] == "install") program.command.insert(program.command.end(), {"--", silent});
      ChildProcess toolwire(program);
      while (!fs::exists(ids)) std::this_thread::sleep_for(std::chrono::milliseconds(2));
      toolwire.signal(signal);
      BOOST_TEST(toolwire.wait().signal == SIGINT);
      std::istringstream numbers(content_of(ids));
      for (pid_t id = 0; numbers >> id;) {
        // Of one that has ended, what its parent has not asked for may be there for a moment.
        while (::kill(id, 0) == 0 &&
               content_of("/proc/" + std::to_string(id) + "/stat").find(") Z ") == std::string::npos)
          std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
    }
  }
}
