#include "hosts/host_entry.hpp"

#define BOOST_TEST_MODULE host_entry_test
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "install/findings.hpp"
#include "install/one_hunk.hpp"
#include "install/take_out.hpp"

using namespace toolwire;
using namespace toolwire::hosts;

namespace {

const Server server{"/bin/s", {"--x", "a b"}, {{"K", "v"}}};

Json entry(std::string_view host, const Server& of = server) { return entry_of(*find_host(host), "notes", of); }

std::vector<std::string> own(std::string_view host, Scope scope = Scope::user, const Server& of = server) {
  return own_add_command(*find_host(host), scope, "notes", of).value_or(std::vector<std::string>{"none"});
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_form_of_entry_is_written) {
  BOOST_TEST(entry("cursor") == parse_json(R"({"command": "/bin/s", "args": ["--x", "a b"], "env": {"K": "v"}})"));
  BOOST_TEST(entry("cursor", {"/bin/s", {}, {}}) == parse_json(R"({"command": "/bin/s", "args": []})"));
  BOOST_TEST(entry("opencode") == parse_json(R"({"type": "local", "command": ["/bin/s", "--x", "a b"], "enabled": true,
                                                 "environment": {"K": "v"}})"));
  BOOST_TEST(entry("copilot-cli").at("tools") == parse_json(R"(["*"])"));
  BOOST_TEST(entry("zed").at("source") == "custom");
  BOOST_TEST(entry("goose").at("envs").at("K") == "v");
}

BOOST_AUTO_TEST_CASE(what_is_written_is_read_again) {
  for (const Host& host : all_hosts())
    BOOST_TEST((server_of(host, entry_of(host, "notes", server)) == server), std::string(host.name));
}

BOOST_AUTO_TEST_CASE(what_is_no_server_with_a_command_is_none) {
  const Host& cursor = *find_host("cursor");
  for (const char* const text :
       {"1", "[]", "{}", R"({"url": "http://x"})", R"({"command": ["x"]})", R"({"command": "x", "args": [1]})",
        R"({"command": "x", "args": "y"})", R"({"command": "x", "env": []})", R"({"command": ""})"})
    BOOST_TEST(!server_of(cursor, parse_json(text)), text);
  BOOST_TEST(!server_of(*find_host("opencode"), parse_json(R"({"command": []})")));
  BOOST_TEST((server_of(cursor, parse_json(R"({"command": "x", "more": 1, "env": {"P": 1, "Q": null}})")) ==
              Server{"x", {}, {{"P", "1"}}}));
}

BOOST_AUTO_TEST_CASE(an_entry_for_a_url_has_no_server_whatever_command_stands_beside) {
  for (const char* const type : {"http", "sse", "streamable-http", "streamableHttp", "remote"}) {
    const Json remote = JsonObject{{"type", type}, {"command", "x"}};
    BOOST_TEST(!server_of(*find_host("claude-code"), remote), type);
    BOOST_TEST(remote_type_of(remote) == type);
  }
  for (const char* const type : {"stdio", "local", "custom", ""})
    BOOST_TEST(server_of(*find_host("claude-code"), JsonObject{{"type", type}, {"command", "x"}}).has_value(), type);
  BOOST_TEST(remote_type_of(parse_json("[]")) == "");
}

BOOST_AUTO_TEST_CASE(an_entry_says_that_it_is_off_and_where_its_server_starts) {
  BOOST_TEST(is_off(parse_json(R"({"disabled": true})")));
  BOOST_TEST(is_off(parse_json(R"({"enabled": false})")));
  for (const char* const text : {"{}", "[]", R"({"disabled": false, "enabled": true})", R"({"disabled": "true"})"})
    BOOST_TEST(!is_off(parse_json(text)), text);
  BOOST_TEST(folder_of(parse_json(R"({"cwd": "/a"})")) == "/a");
  for (const char* const text : {"{}", "5", R"({"cwd": 5})"}) BOOST_TEST(folder_of(parse_json(text)) == "", text);
}

BOOST_AUTO_TEST_CASE(a_server_is_waited_for_as_long_as_its_host_does_at_least) {
  const auto limits = [](std::string_view host, const char* text) {
    const Json of = parse_json(text);
    return std::pair{start_limit_of(*find_host(host), of).count(), install::time_for(*find_host(host), of).count()};
  };
  using Limits = std::pair<std::int64_t, std::int64_t>;
  BOOST_TEST((limits("codex", "{}") == Limits{10'000, 30'000}));
  BOOST_TEST((limits("codex", R"({"startup_timeout_sec": 120})") == Limits{120'000, 120'000}));
  BOOST_TEST((limits("codex", R"({"startup_timeout_sec": 0.5})") == Limits{500, 30'000}));
  BOOST_TEST((limits("codex", R"({"startup_timeout_ms": 45000})") == Limits{45'000, 45'000}));
  for (const char* const text : {R"({"startup_timeout_sec": "1"})", R"({"startup_timeout_sec": -1})", "[]"})
    BOOST_TEST((limits("codex", text) == Limits{10'000, 30'000}), text);
  BOOST_TEST((limits("codex", R"({"startup_timeout_sec": 1e300})") == Limits{86'400'000, 86'400'000}));
}

BOOST_AUTO_TEST_CASE(a_program_that_is_a_path_is_one_from_the_folder_of_its_entry) {
  const auto path = [](const std::string& program, const char* text) {
    return program_path({program, {}, {}}, parse_json(text));
  };
  BOOST_TEST(path("./s", R"({"cwd": "/a/b"})") == "/a/b/s");
  BOOST_TEST(path("../s", R"({"cwd": "${x}/b"})") == "${x}/s");
  BOOST_TEST(path("/s", R"({"cwd": "/a"})") == "/s");
  BOOST_TEST(path("s", R"({"cwd": "/a"})") == "s");
  BOOST_TEST(path("./s", "{}") == "./s");
}

BOOST_AUTO_TEST_CASE(variables_are_those_that_the_host_replaces) {
  const auto variable = [](std::string_view host, std::string_view text) {
    return variable_in(*find_host(host), text);
  };
  BOOST_TEST(variable("cursor", "a${X}") == "${…}");
  BOOST_TEST(variable("cursor", "$X {env:X}") == "");
  BOOST_TEST(variable("gemini-cli", "a$X_1") == "$…");
  BOOST_TEST(variable("gemini-cli", "a${X}$Y") == "${…}");
  BOOST_TEST(variable("gemini-cli", "5 $, $-, $$") == "");
  BOOST_TEST(variable("gemini-cli", "$$x$") == "$…");
  BOOST_TEST(variable("opencode", "{env:X} ${Y}") == "{env:…}");
  BOOST_TEST(variable("opencode", "{file:~/x}") == "{file:…}");
  BOOST_TEST(variable("opencode", "$X {X}") == "");
}

BOOST_AUTO_TEST_CASE(own_commands_have_one_word_for_each_value) {
  using Words = std::vector<std::string>;
  BOOST_TEST((own("codex") == Words{"codex", "mcp", "add", "notes", "--env", "K=v", "--", "/bin/s", "--x", "a b"}));
  BOOST_TEST((own("gemini-cli", Scope::project) ==
              Words{"gemini", "mcp", "add", "-s", "project", "-e", "K=v", "notes", "/bin/s", "--", "--x", "a b"}));
  BOOST_TEST((own("claude-code", Scope::local) ==
              Words{"claude", "mcp", "add-json", "-s", "local", "notes", to_json_text(entry("claude-code"))}));
  BOOST_TEST(own("vscode").back() ==
             R"({"name":"notes","type":"stdio","command":"/bin/s","args":["--x","a b"],"env":{"K":"v"}})");
  BOOST_TEST((own("vscode", Scope::project) == Words{"none"}));
  BOOST_TEST((own("cursor") == Words{"none"}));
  // Nothing is known of its options.
  BOOST_TEST((own("antigravity") == Words{"none"}));
  BOOST_TEST(
      (own("antigravity", Scope::user, {"/bin/s", {"a"}, {}}) == Words{"agy", "mcp", "add", "notes", "/bin/s", "a"}));
  BOOST_TEST((own_remove_command(*find_host("claude-code"), Scope::project, "notes") ==
              Words{"claude", "mcp", "remove", "-s", "project", "notes"}));
}

BOOST_AUTO_TEST_CASE(links_are_fit_for_a_url) {
  const auto all = links(*find_host("cursor"), "notes", {"/bin/s", {"?&"}, {}});
  BOOST_TEST_REQUIRE(all.size() == 2U);
  // {"command":"/bin/s","args":["?&"]}
  BOOST_TEST(all[0] ==
             "cursor://anysphere.cursor-deeplink/mcp/install?name=notes&config="
             "eyJjb21tYW5kIjoiL2Jpbi9zIiwiYXJncyI6WyI%2FJiJdfQ%3D%3D");
  BOOST_TEST(
      links(*find_host("vscode"), "notes", {"/s", {}, {}})[0] ==
      "vscode:mcp/install?%7B%22name%22%3A%22notes%22%2C%22type%22%3A%22stdio%22%2C%22command%22%3A%22%2Fs%22%2C%22"
      "args%22%3A%5B%5D%7D");
  BOOST_TEST(links(*find_host("goose"), "notes", {"/s", {"a b", "@name"}, {}})[0] ==
             "goose://extension?cmd=%2Fs&arg=a%20b&arg=%40name&id=notes&name=notes");
  // What it would install has not all that the server needs.
  BOOST_TEST(links(*find_host("goose"), "notes", {"/s", {}, {{"TOKEN", "abc"}}}).empty());
  BOOST_TEST(links(*find_host("vscode"), "notes", {"/s", {}, {{"TOKEN", "abc"}}}).size() == 2U);
}

BOOST_AUTO_TEST_CASE(snippets_have_all_that_leads_to_the_entry) {
  BOOST_TEST(snippet(*find_host("codex"), "notes", {"/s", {}, {}}) ==
             "[mcp_servers.notes]\ncommand = \"/s\"\nargs = []\n");
  BOOST_TEST(
      snippet(*find_host("continue"), "notes", {"/s", {"on", "a\n"}, {{"no", "1"}}}) ==
      "mcpServers:\n  - name: \"notes\"\n    command: \"/s\"\n    args:\n      - \"on\"\n      - \"a\\n\"\n    env:\n"
      "      \"no\": \"1\"\n");
}

BOOST_AUTO_TEST_CASE(a_difference_is_one_hunk) {
  using install::one_hunk;
  BOOST_TEST(one_hunk("f", "a\n", "a\n").empty());
  BOOST_TEST(one_hunk("f", "", "a\n") == "--- f\n+++ f\n@@ -0,0 +1 @@\n+a\n");
  BOOST_TEST(one_hunk("f", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\n5\nx\n6\n7\n8\n9\n") ==
             "--- f\n+++ f\n@@ -3,6 +3,7 @@\n 3\n 4\n 5\n+x\n 6\n 7\n 8\n");
  BOOST_TEST(one_hunk("f", "a\nb", "a\nc") ==
             "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n");
}

BOOST_AUTO_TEST_CASE(a_text_that_an_entry_was_put_into_comes_back_and_any_other_keeps_its_bytes) {
  const std::vector<std::string> path{"mcpServers", "x"};
  const auto without = [&](const std::string& text, const std::vector<std::string>& held) {
    return install::text_without(Format::json, text, path, held);
  };
  const std::string made = "{\n  \"mcpServers\": {\n    \"x\": {\n      \"a\": 1\n    }\n  }\n}";
  BOOST_TEST(without(made, {"{ \"b\": 1 }", "{  }"}).value() == "{\n  \"mcpServers\": {}\n}");  // none became it
  BOOST_TEST(without(made, {"{}"}).value() == "{}");
  BOOST_TEST(without(made + "\n", {}).has_value() == false);
  BOOST_TEST(without(made + "\n", {""}).value().empty());
  BOOST_TEST(without(made + "\n ", {}).value() == "{\n  \"mcpServers\": {}\n}\n ");
}
