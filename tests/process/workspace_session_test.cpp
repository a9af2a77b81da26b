// The program itself, as an editor starts it: confined, over pipes, in a few revisions.
#include <toolwire/client.hpp>

#define BOOST_TEST_MODULE workspace_session_test
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "file_content.hpp"
#include "process_status.hpp"
#include "scratch_folder.hpp"

using toolwire::CallResult;
using toolwire::Client;
using toolwire::ClientOptions;
using toolwire::JsonObject;
using toolwire::Program;

namespace {

struct Folder {
  toolwire_test::ScratchFolder folder;

  Program workspace(const std::vector<std::string>& more) const {
    Program program{.command = {std::string{TOOLWIRE_BIN_DIR} + "/workspace", "--root", (folder / "top").string()}};
    program.command.insert(program.command.end(), more.begin(), more.end());
    program.environment["LSAN_OPTIONS"] = "detect_leaks=0";  // who is confined cannot look for leaks in /proc
    return program;
  }
  std::string content(const std::string& name) const { return toolwire_test::content_of(folder / name); }
};

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// The arguments of the call named in "[To undo: TOOL ARGUMENTS]".
JsonObject undo_arguments(const std::string& text) {
  const std::size_t begin = text.find('{', text.find("[To undo: move "));
  return toolwire::parse_json(text.substr(begin, text.rfind(']') - begin)).as_object();
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_bug_is_found_read_mended_after_a_dry_run_and_the_change_undone, Folder) {
  const std::string before = "export function divide(a: number, b: number) {\n  return a / b;\n}\n";
  folder.file("top/src/math.ts", before);
  for (const char* revision : {"2024-11-05", "2025-11-25", "2026-07-28"}) {
    ClientOptions options;
    options.revision = revision;
    Client client{workspace({"--write"}), options};
    BOOST_TEST(client.call("find_files", {{"pattern", "math.*"}}).text() == "src/math.ts");
    BOOST_TEST(
        says(client.call("search_text", {{"pattern", "divide"}}).text(), "src/math.ts:1: export function divide"));
    BOOST_TEST(client.call("read_file", {{"path", "src/math.ts"}, {"offset", 2}, {"limit", 1}})
                   .text()
                   .starts_with("  return a / b;"));
    const JsonObject edit{
        {"path", "src/math.ts"}, {"oldText", "return a / b"}, {"newText", "return b === 0 ? 0 : a / b"}};
    JsonObject dry = edit;
    dry["dryRun"] = true;
    BOOST_TEST(says(client.call("edit_file", dry).text(), "\n-  return a / b;\n+  return b === 0 ? 0 : a / b;\n"));
    BOOST_TEST(content("top/src/math.ts") == before);
    const CallResult edited = client.call("edit_file", edit);
    BOOST_TEST(edited.text().starts_with("edited src/math.ts\n"));
    BOOST_TEST(says(content("top/src/math.ts"), "b === 0"));
    BOOST_TEST(!client.call("move", undo_arguments(edited.text())).is_error);
    BOOST_TEST(content("top/src/math.ts") == before);
  }
}

BOOST_FIXTURE_TEST_CASE(directories_are_served_with_and_without_the_option, Folder) {
  folder.file("top/one.txt", "1");
  folder.file("a b/two.txt", "2");
  folder.file("c/three.txt", "3");
  Client client{workspace({(folder / "a b").string(), "--secrets", "named=" + (folder / "c").string()})};
  BOOST_TEST(client.call("find_files", {{"pattern", "*.txt"}}).text() == "a b/two.txt\nnamed/three.txt\ntop/one.txt");
}

BOOST_FIXTURE_TEST_CASE(a_root_for_reading_only_is_never_changed_and_another_is, Folder) {
  folder.file("top/f", "one\n");
  folder.file("kept/f", "one\n");
  folder.file("kept/.workspace-trash/now/g", "old");
  const std::string kept = (folder / "kept").string();
  Client client{workspace({"--write", "--read-only", kept})};
  BOOST_TEST(says(client.server().instructions, "kept/ (" + kept + ", for reading only)"));
  BOOST_TEST(says(client.call("search_text", {{"pattern", "one"}}).text(), "kept/f:1: one\ntop/f:1: one"));
  const JsonObject one{{"oldText", "one"}, {"newText", "two"}};
  const auto edit = [&](const std::string& path) {
    JsonObject arguments = one;
    arguments["path"] = path;
    return client.call("edit_file", arguments);
  };
  BOOST_TEST(!edit("top/f").is_error);
  BOOST_TEST(content("top/f") == "two\n");
  for (const CallResult& refused :
       {edit("kept/f"), edit(kept + "/f"), client.call("write_file", {{"path", "kept/new/g"}, {"content", ""}}),
        client.call("create_directory", {{"path", "kept/d/e"}}), client.call("delete", {{"path", "kept/f"}}),
        client.call("move", {{"from", "kept/f"}, {"to", "top/g"}}),
        client.call("move", {{"from", "top/f"}, {"to", "kept/g"}}),
        client.call("move", {{"from", "kept/.workspace-trash/now/g"}, {"to", "kept/g"}}),
        client.call("replace_text", {{"pattern", "o"}, {"replacement", "x"}, {"path", "."}, {"dryRun", false}})}) {
    BOOST_TEST(refused.is_error);
    BOOST_TEST(says(refused.text(), "for reading only (--read-only)"), refused.text());
  }
  BOOST_TEST(content("kept/f") == "one\n");
  BOOST_TEST(content("top/f") == "two\n");
  BOOST_TEST(std::distance(std::filesystem::directory_iterator(kept), {}) == 2);
}

BOOST_FIXTURE_TEST_CASE(roots_for_reading_only_that_cannot_be_meant_end_the_program, Folder) {
  folder.file("top/sub/f", "a");
  folder.file("kept/sub/f", "a");
  const std::string sub = (folder / "top/sub").string(), kept = (folder / "kept").string();
  folder.link(sub, "linked");
  for (const std::string& inner : {sub, (folder / "linked").string(), (folder / "top").string() + "/./"}) {
    Program program = workspace({"--write", "--read-only", "inner=" + inner});
    BOOST_CHECK_THROW(Client{program}, toolwire::ConnectionError);
  }
  Program program = workspace({"--write"});
  program.command[1] = "--read-only";
  BOOST_CHECK_THROW(Client{program}, toolwire::ConnectionError);
  // A folder for changing inside of one for reading is one.
  Client client{workspace({"--write", "--read-only", kept, "--root", (folder / "kept/sub").string()})};
  BOOST_TEST(!client.call("write_file", {{"path", "sub/new"}, {"content", "x"}}).is_error);
  BOOST_TEST(!client.call("write_file", {{"path", kept + "/sub/newer"}, {"content", "x"}}).is_error);
  BOOST_TEST(client.call("write_file", {{"path", "kept/sub/newest"}, {"content", "x"}}).is_error);
}

BOOST_FIXTURE_TEST_CASE(without_write_nothing_can_be_changed, Folder) {
  folder.file("top/f", "a");
  Client client{workspace({})};
  for (const auto& tool : client.list_tools()) BOOST_TEST(tool.raw.at("annotations").at("readOnlyHint").as_bool());
  bool is_refused = false;
  try {
    is_refused = client.call("write_file", {{"path", "f"}, {"content", "b"}, {"overwrite", true}}).is_error;
  } catch (const toolwire::ProtocolError&) {
    is_refused = true;
  }
  BOOST_TEST(is_refused);
  BOOST_TEST(content("top/f") == "a");
}

BOOST_FIXTURE_TEST_CASE(audit_trace_and_resources_work_behind_the_confinement, Folder) {
  folder.file("top/f.txt", "words");
  folder.file("outside.txt", "secret");
  const std::string audit = (folder / "audit.jsonl").string(), trace = (folder / "trace.jsonl").string();
  {
    Client client{workspace({"--audit", audit, "--trace", trace})};
    BOOST_TEST(client.call("read_file", {{"path", "f.txt"}}).text() == "words");
    BOOST_TEST(read_resource(client, "file://" + (folder / "top/f.txt").string()).at(0).contents == "words");
    BOOST_CHECK_THROW(read_resource(client, "file://" + (folder / "outside.txt").string()), toolwire::ProtocolError);
    client.process()->close_input();
    BOOST_TEST(client.process()->wait().success());
  }
  BOOST_TEST(says(content("audit.jsonl"), R"("tool":"read_file")"));
  BOOST_TEST(says(content("trace.jsonl"), "tools/call"));
}

BOOST_FIXTURE_TEST_CASE(git_and_ctags_work_behind_the_confinement, Folder) {
  folder.file("top/f.py", "def one(): pass\n");
  const std::string top = (folder / "top").string();
  BOOST_REQUIRE(std::system(("git init -q -b main '" + top + "' && git -C '" + top + "' add f.py").c_str()) == 0);
  Client client{workspace({"--write"})};
  BOOST_TEST(client.call("git_status", {}).text() == "## main (no commit yet)\nA  f.py");
  BOOST_TEST(says(client.call("git_diff", {}).text(), "+def one(): pass"));
  BOOST_TEST(client.call("outline", {{"path", "f.py"}}).text() == "1: function one()");
  client.process()->close_input();
  BOOST_TEST(client.process()->wait().success());
}

BOOST_FIXTURE_TEST_CASE(bounds_of_the_surroundings_that_are_lower_than_those_of_programs_stay, Folder) {
  folder.file("top/f.py", "def one(): pass\n");
  Program program = workspace({});
  const std::string limits =
      std::string("ulimit -n 64; ") + (toolwire_test::memory_is_ours ? "ulimit -d 500000; " : "");
  program.command.insert(program.command.begin(), {"/bin/sh", "-c", limits + R"(exec "$0" "$@")"});
  Client client{program};
  BOOST_TEST(client.call("outline", {{"path", "f.py"}}).text() == "1: function one()");
}

BOOST_FIXTURE_TEST_CASE(a_mistake_in_a_pattern_names_the_argument_that_was_sent, Folder) {
  folder.file("top/f.py", "");
  Client client{workspace({})};
  BOOST_TEST(client.call("find_files", {{"pattern", "["}}).text().starts_with("pattern: \"[\" has a [ without ]"));
  BOOST_TEST(client.call("search_text", {{"pattern", "x"}, {"glob", "["}}).text().starts_with("glob: "));
}

BOOST_FIXTURE_TEST_CASE(the_helper_ends_with_the_server_even_if_that_is_killed, Folder) {
  folder.file("top/f", "a");
  Client client{workspace({})};
  BOOST_TEST(client.list_tools().size() > 6U);
  const std::string server = std::to_string(client.process()->id());
  const std::string children = toolwire_test::content_of("/proc/" + server + "/task/" + server + "/children");
  BOOST_TEST_REQUIRE(!children.empty());
  const int helper = static_cast<int>(::syscall(SYS_pidfd_open, std::stoi(children), 0));
  BOOST_TEST_REQUIRE(helper >= 0);
  BOOST_TEST(::kill(client.process()->id(), SIGKILL) == 0);
  pollfd ended{helper, POLLIN, 0};
  BOOST_TEST(::poll(&ended, 1, 20'000) == 1);
  ::close(helper);
}

BOOST_FIXTURE_TEST_CASE(several_processes_edit_one_file_and_no_edit_is_lost_unsaid, Folder) {
  folder.file("top/f", "0\n");
  Client one{workspace({"--write"})}, other{workspace({"--write"})};
  int applied = 0;
  for (int i = 0; i < 200; ++i) {
    const JsonObject edit{
        {"path", "f"}, {"oldText", std::to_string(applied) + "\n"}, {"newText", std::to_string(applied + 1) + "\n"}};
    auto first = one.start_call("edit_file", edit);
    auto second = other.start_call("edit_file", edit);
    const bool done_first = !first.wait().is_error, done_second = !second.wait().is_error;
    BOOST_TEST((done_first || done_second));
    ++applied;
    BOOST_TEST(content("top/f") == std::to_string(applied) + "\n");
  }
}

BOOST_FIXTURE_TEST_CASE(a_root_that_was_removed_is_an_error_of_each_call_and_never_an_empty_folder, Folder) {
  folder.file("top/f", "a");
  Client client{workspace({"--write", "--run", "--run-allow", "true"})};
  BOOST_TEST(!client.call("read_file", {{"path", "f"}}).is_error);
  std::filesystem::remove_all(folder / "top");
  folder.file("top/f", "another folder");
  const std::vector<std::pair<std::string, JsonObject>> calls{{"read_file", {{"path", "f"}}},
                                                              {"list_files", {}},
                                                              {"find_files", {{"pattern", "f"}}},
                                                              {"search_text", {{"pattern", "a"}}},
                                                              {"file_info", {{"path", "."}}},
                                                              {"write_file", {{"path", "g"}, {"content", "x"}}},
                                                              {"create_directory", {{"path", "d"}}},
                                                              {"run_command", {{"argv", toolwire::JsonArray{"true"}}}},
                                                              {"git_status", {}}};
  for (const auto& [tool, arguments] : calls) {
    const CallResult result = client.call(tool, arguments);
    BOOST_TEST(result.is_error, tool);
    BOOST_TEST(says(result.text(), (folder / "top").string() + " was removed"), tool << ": " << result.text());
    BOOST_TEST(says(result.text(), "start the server again"), tool << ": " << result.text());
  }
}

BOOST_FIXTURE_TEST_CASE(of_several_roots_those_that_are_there_are_served_on, Folder) {
  folder.file("top/f", "a");
  folder.file("gone/f", "a");
  Client client{workspace({"--write", "--run", "--run-allow", "true", (folder / "gone").string()})};
  BOOST_TEST(list_resources(client).size() == 2U);
  std::filesystem::remove_all(folder / "gone");
  BOOST_TEST(list_resources(client).size() == 1U);
  BOOST_TEST(!client.call("read_file", {{"path", "top/f"}}).is_error);
  BOOST_TEST(!client.call("write_file", {{"path", "top/g"}, {"content", "x"}}).is_error);
  const JsonObject command{{"argv", toolwire::JsonArray{"true"}}, {"directory", "top"}};
  const std::string text = client.call("run_command", command).text();
  BOOST_TEST(says(text, "gone was removed"), text);  // it could not be confined
}

BOOST_FIXTURE_TEST_CASE(a_standard_stream_that_is_closed_at_the_start_is_taken_for_no_root, Folder) {
  folder.file("top/f", "words\n");
  const std::string command = "exec '" TOOLWIRE_BIN_DIR "/workspace' '" + (folder / "top").string() +
                              "' --write --call write_file '{\"path\": \"g\", \"content\": \"x\"}' ";
  for (const char* closed : {"<&- >/dev/null", ">&-", "2>&- >/dev/null", "<&- >&- 2>&-"}) {
    std::filesystem::remove(folder / "top/g");
    const int status = std::system((command + closed).c_str());  // NOLINT(cert-env33-c): a shell closes streams
    BOOST_TEST(std::filesystem::exists(folder / "top/g"), closed << ": status " << status);
  }
}

BOOST_FIXTURE_TEST_CASE(an_option_whose_value_is_empty_ends_the_program, Folder) {
  folder.folder("top");
  const std::vector<std::vector<std::string>> commands{
      {"--tools", ""}, {"--tools", " ,"}, {"--audit", ""}, {"--run", "--run-memory", ""}, {"--run", "--run-time", ""}};
  for (const std::vector<std::string>& more : commands) {
    toolwire::ChildProcess program{workspace(more)};
    program.close_input();
    BOOST_TEST(program.wait().code == 2);
    BOOST_TEST(says(program.error_tail(), more.at(more.size() - 2) + ": "), program.error_tail());
    BOOST_TEST(says(program.error_tail(), "expected"), program.error_tail());
  }
}
