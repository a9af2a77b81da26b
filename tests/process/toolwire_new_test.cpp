// `toolwire new`: which files it writes, and what it refuses. That the projects build and pass their tests is shown by
// consumer_new_projects.
#define BOOST_TEST_MODULE toolwire_new_test
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <toolwire/json.hpp>
#include <vector>

#include "tools_bench.hpp"

using namespace toolwire_test;
namespace fs = std::filesystem;

BOOST_FIXTURE_TEST_CASE(each_kind_of_project_has_its_files_and_its_name, ToolsBench) {
  for (const char* const kind : {"tools", "sqlite", "engine", "bridge"}) {
    const std::string name = std::string("a_") + kind + "-1";
    const ProgramRun made = run({"new", name, "--template", kind});
    BOOST_TEST(made.status == 0, made.errors);
    for (const char* const file :
         {"CMakeLists.txt", ".mcp.json", "AGENTS.md", ".gitignore", ".github/workflows/ci.yml"}) {
      BOOST_TEST(fs::exists(project + "/" + name + "/" + file), kind << " has no " << file);
      BOOST_TEST(made.out.find(name + "/" + file + "\n") != std::string::npos, made.out);
    }
    const auto servers = toolwire::parse_json(content_of(project + "/" + name + "/.mcp.json")).at("mcpServers");
    BOOST_TEST(servers.get_object().contains(name));
  }
  for (const auto& [file, text] : files()) {
    BOOST_TEST(text.find("{{NAME") == std::string::npos, file);
    BOOST_TEST(text.ends_with('\n'), file);
  }
  const std::string version = run({"--version"}).out.substr(sizeof "toolwire");
  for (const char* const kind : {"tools", "sqlite", "engine"})
    BOOST_TEST(content_of(project + "/a_" + kind + "-1/CMakeLists.txt")
                   .find("GIT_TAG v" + version.substr(0, version.find('\n')) + ")") != std::string::npos);
  BOOST_TEST(fs::exists(project + "/a_bridge-1/a_bridge-1.bindings.json"));
  BOOST_TEST(!fs::exists(project + "/a_bridge-1/check.hpp"));
  BOOST_TEST(content_of(project + "/a_tools-1/main.cpp").find("\"a_tools-1\"") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(no_file_is_written_over, ToolsBench) {
  BOOST_TEST(run({"new", "one"}).status == 0);
  const auto before = files();
  const ProgramRun again = run({"new", "one", "--template", "bridge"});
  BOOST_TEST(again.status == 1);
  BOOST_TEST(again.errors.find("one: there is such a file or folder already") != std::string::npos, again.errors);
  BOOST_TEST((files() == before));
}

BOOST_FIXTURE_TEST_CASE(mistakes_have_a_sentence_and_write_nothing, ToolsBench) {
  for (const char* const name : {"", "../x", "a b", "A", "-x", "test", "tools_test", "a/b", "1", "/tmp/x", "ü",
                                 "edit_cache", "rebuild_cache", "preinstall", "toolwire", "toolwire_http"}) {
    const ProgramRun wrong = run({"new", "--", name});
    BOOST_TEST(wrong.status == 2, name);
    BOOST_TEST(wrong.errors.find("toolwire new: ") == 0U, wrong.errors);
  }
  const ProgramRun wrong = run({"new", "x", "--template", "tool"});
  BOOST_TEST(wrong.status == 2);
  BOOST_TEST(wrong.errors.find("expected one of tools, sqlite, engine, bridge, found \"tool\", did you mean tools?") !=
                 std::string::npos,
             wrong.errors);
  BOOST_TEST(run({"new"}).status == 2);
  BOOST_TEST(files().empty());
}

BOOST_FIXTURE_TEST_CASE(what_cannot_be_written_is_said_with_its_name, ToolsBench) {
  fs::permissions(project, fs::perms::owner_read | fs::perms::owner_exec);
  std::ofstream probe(project + "/probe");
  if (!probe)
    BOOST_TEST(run({"new", "one"}).errors == "toolwire new: one: Permission denied\n");  // root may write anywhere
  fs::permissions(project, fs::perms::owner_all);
  environment["TMPDIR"] = project + "/none";
  const ProgramRun wrong = run({"pack", "--name", "io.github.x/y", "--", TOOLWIRE_BIN_DIR "/toolwire"});
  BOOST_TEST(
      wrong.errors.ends_with("toolwire pack: the folder for temporary files (TMPDIR): No such file or directory\n"),
      wrong.errors);
}

BOOST_FIXTURE_TEST_CASE(of_a_project_that_cannot_be_written_nothing_is_left, ToolsBench) {
  // No file may have more than 512 bytes.
  const ProgramRun full = run_program(
      {.command = {"/bin/sh", "-c", R"(trap '' XFSZ; ulimit -f 1; exec "$0" new one)", TOOLWIRE_BIN_DIR "/toolwire"},
       .environment = environment,
       .inherit_environment = false,
       .directory = project});
  BOOST_TEST(full.status == 1);
  BOOST_TEST(full.errors.find("toolwire new: one/") == 0U, full.errors);
  BOOST_TEST(full.errors.find("File too large") != std::string::npos, full.errors);
  BOOST_TEST(fs::is_empty(project));
  BOOST_TEST(run({"new", "one"}).status == 0);
}

BOOST_FIXTURE_TEST_CASE(where_the_library_comes_from_is_said, ToolsBench) {
  BOOST_TEST(run({"new", "one"}).out.find("-DTOOLWIRE_REPOSITORY=FOLDER_OR_URL") != std::string::npos);
  BOOST_TEST(run({"new", "two", "--template", "bridge"}).out.find("FOLDER_OR_URL") == std::string::npos);
}
