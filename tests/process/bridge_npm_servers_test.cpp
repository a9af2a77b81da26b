// Three servers of others behind the bridge, as npm has them: what they offer is in the first lists a host asks for,
// and has the same names at every start.
#define BOOST_TEST_MODULE bridge_npm_servers_test
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include <toolwire/json_members.hpp>

#include "serve_bench.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

struct NpmFixture {
  ScratchFolder folder;
  JsonObject servers;

  NpmFixture() {
    const std::string modules = TOOLWIRE_HOSTS_DIR "/node_modules/";
    const auto server = [&](const std::string& name, const std::string& more) {
      return JsonObject{
          {"command", modules + ".bin/node"},
          {"args", more.empty() ? JsonArray{program(modules, name)} : JsonArray{program(modules, name), more}},
          {"env", JsonObject{{"MEMORY_FILE_PATH", (folder / "memory.jsonl").string()},
                             {"NODE_COMPILE_CACHE", TOOLWIRE_HOSTS_DIR "/compile_cache"}}}};
    };
    servers = JsonObject{{"everything", server("everything", "stdio")},
                         {"filesystem", server("filesystem", folder.text())},
                         {"memory", server("memory", "")}};
    configure({{"wait_seconds", 120}});
  }
  void configure(const JsonObject& own) const {
    folder.file("mcp.json", to_json_text(JsonObject{{"mcpServers", servers}, {"toolwire", own}}));
  }
  static std::string program(const std::string& modules, const std::string& name) {
    return modules + "@modelcontextprotocol/server-" + name + "/dist/index.js";
  }
  Program serve(std::vector<std::string> more = {}) const {
    Program made{.command = {bridge_program, "serve", (folder / "mcp.json").string()}};
    made.command.insert(made.command.end(), more.begin(), more.end());
    made.environment["XDG_STATE_HOME"] = (folder / "state").string();
    return made;
  }

  struct Names {
    std::vector<std::string> tools, resources, prompts;
  };
  /// What is in the first lists.
  static Names first_lists(const Program& program) {
    Client client(program);
    Names names;
    for (const auto& tool : client.list_tools()) names.tools.push_back(tool.name);
    for (const auto& resource : list_resources(client)) names.resources.push_back(resource.uri);
    for (const auto& prompt : client.list_prompts()) names.prompts.push_back(prompt.name);
    return names;
  }
};

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(the_first_lists_have_everything_and_names_never_move, NpmFixture) {
  const Names first = first_lists(serve());
  BOOST_TEST(contains(first.tools, "echo"));
  BOOST_TEST(contains(first.tools, "read_text_file"));
  BOOST_TEST(contains(first.tools, "create_entities"));
  BOOST_TEST(!first.resources.empty());
  BOOST_TEST(!first.prompts.empty());
  BOOST_TEST(first.tools.size() == 40U);
  for (int start = 1; start < 20; ++start) {
    if (start == 2) configure({{"wait_seconds", 0}});  // from now on the lists are those that were stored
    const Names again = first_lists(start == 1 ? serve({"--no-remember"}) : serve());
    BOOST_TEST_CONTEXT("start " << start) {
      BOOST_TEST(again.tools == first.tools, boost::test_tools::per_element());
      BOOST_TEST(again.resources == first.resources, boost::test_tools::per_element());
      BOOST_TEST(again.prompts == first.prompts, boost::test_tools::per_element());
    }
  }
}

BOOST_FIXTURE_TEST_CASE(their_tools_can_be_called, NpmFixture) {
  folder.file("note.txt", "written here");
  Client client(serve());
  BOOST_TEST(client.call("echo", {{"message", "hello"}}).text().find("hello") != std::string::npos);
  BOOST_TEST(client.call("read_text_file", {{"path", (folder / "note.txt").string()}}).text().find("written here") !=
             std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(with_a_search_the_list_is_a_tenth, NpmFixture) {
  const auto size_of_list = [&] {
    Client client(serve());
    return to_json_text(client.request("tools/list").at("tools")).size();
  };
  const std::size_t all = size_of_list();
  configure({{"wait_seconds", 120}, {"search", true}});
  const std::size_t two = size_of_list();
  BOOST_TEST_MESSAGE("tools/list: " << all << " bytes, with a search " << two);
  BOOST_TEST(two * 10 < all);
}

BOOST_FIXTURE_TEST_CASE(a_search_finds_what_people_ask_for, NpmFixture) {
  configure({{"wait_seconds", 120}, {"search", true}});
  Client client(serve());
  const auto first = [&](const char* query) {
    const std::string found = client.call("search_tools", {{"query", query}, {"limit", 1}}).text();
    return text_or(parse_json(found.substr(0, found.find('\n'))), "name");
  };
  BOOST_TEST(first("rename or move a file") == "move_file");
  BOOST_TEST(first("remember facts about a person as new entities") == "create_entities");
  BOOST_TEST(first("what is in this folder, with sizes") == "list_directory_with_sizes");
  BOOST_TEST(first("delete relations from the knowledge graph") == "delete_relations");
  BOOST_TEST(first("search files by pattern") == "search_files");
  const auto echoed = client.call("call_tool", {{"name", "echo"}, {"arguments", JsonObject{{"message", "hello"}}}});
  BOOST_TEST(echoed.text().find("hello") != std::string::npos);
}
