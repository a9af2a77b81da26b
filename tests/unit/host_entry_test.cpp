#include "hosts/host_entry.hpp"

#define BOOST_TEST_MODULE host_entry_test
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

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
