// What a server program does with the streams, the environment and the descriptors it is given.
#include "conversation.hpp"
#include "program_run.hpp"

#define BOOST_TEST_MODULE server_streams_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <thread>

#include "file_content.hpp"
#include "scratch_folder.hpp"

using namespace toolwire_test;

namespace {

std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// Runs a shell command around the server to its end, feeding nothing.
toolwire::ExitStatus run_shell(const std::string& command) {
  toolwire::Program program = fixture_behind_shell(command);
  program.errors = toolwire::Program::Errors::discard;
  toolwire::ChildProcess process(program);
  return process.stop({.after_end_of_input = std::chrono::minutes(1), .after_terminate = std::chrono::minutes(1)});
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_a_tool_prints_does_not_reach_the_wire) {
  Conversation talk(Era::modern);
  talk.send(talk.call("1", "prints"));
  BOOST_TEST(talk.text_of("1") == "printed");
  talk.check_alive();
  BOOST_TEST(talk.end().code == 0);
  BOOST_TEST(talk.process().error_tail() == "{\"not\":\"from the server\"}\nstray\n");
}

BOOST_AUTO_TEST_CASE(the_command_line_of_the_program_is_not_the_servers) {
  Conversation talk(Era::modern, fixture_behind_shell(R"(exec "$0" --fullscreen --list)"));
  talk.check_alive();
  BOOST_TEST(talk.end().code == 0);
}

BOOST_AUTO_TEST_CASE(what_a_child_of_a_tool_prints_does_not_reach_the_wire) {
  Conversation talk(Era::modern);
  talk.send(talk.call("1", "shell", R"({"line":"echo stray; echo other >&2"})"));
  BOOST_TEST(talk.text_of("1") == "0");
  BOOST_TEST(talk.end().code == 0);
  BOOST_TEST(talk.process().error_tail() == "stray\nother\n");
}

BOOST_AUTO_TEST_CASE(a_child_of_a_tool_cannot_eat_the_requests) {
  Conversation talk(Era::modern);
  talk.send_bytes(talk.call("1", "shell", R"({"line":"cat >/dev/null"})") + "\n" +
                  talk.call("2", "echo", R"({"text":"kept"})") + "\n");
  BOOST_TEST(talk.text_of("1") == "0");
  BOOST_TEST(talk.text_of("2") == "kept");
}

BOOST_AUTO_TEST_CASE(a_child_of_a_tool_inherits_only_the_standard_descriptors) {
  Conversation talk(Era::modern);
  talk.send(talk.call("1", "shell_output", R"({"line":"ls /proc/self/fd"})"));
  BOOST_TEST(talk.text_of("1") == "0\n1\n2\n3\n");  // 3 is the folder that ls reads
}

BOOST_AUTO_TEST_CASE(a_server_works_with_a_socket_for_both_directions) {
  toolwire::Program program = fixture_program();
  program.streams = toolwire::Program::Streams::socket;
  for (Era era : {Era::legacy, Era::modern}) {
    Conversation talk(era, program);
    talk.check_alive();
    talk.send(talk.call("1", "big", R"({"bytes":3000000})"));
    BOOST_TEST(talk.text_of("1").size() == 3'000'000u);
    BOOST_TEST(talk.end().code == 0);
  }
}

BOOST_AUTO_TEST_CASE(a_server_works_with_files_as_streams) {
  ScratchFolder folder;
  std::string input;
  {
    Conversation talk(Era::modern);
    for (int i = 0; i < 100; ++i) input += talk.call(std::to_string(i), "echo", R"({"text":"x"})") + "\n";
  }
  folder.file("in", input);
  BOOST_TEST(run_shell(R"(cd ')" + folder.text() + R"(' && exec "$0" "$1" <in >out)").code == 0);
  BOOST_TEST(lines_in(content_of(folder / "out")) == 100u);
}

BOOST_AUTO_TEST_CASE(closed_streams_at_the_start_end_a_server_or_do_no_harm) {
  BOOST_TEST(run_shell(R"(exec "$0" "$1" <&-)").code == 0);
  BOOST_TEST(run_shell(R"(exec "$0" "$1" </dev/null)").code == 0);
  BOOST_TEST(run_shell(R"(exec "$0" "$1" <&- >&-)").code == 0);
  BOOST_TEST(run_shell(R"(exec "$0" "$1" <&- >&- 2>&-)").code == 0);
  Conversation talk(Era::modern, fixture_behind_shell(R"(exec "$0" "$1" 2>&-)"));
  talk.send(talk.call("1", "throws"));
  BOOST_TEST(talk.text_of("1") != "");
  talk.send(talk.call("2", "prints"));
  BOOST_TEST(talk.text_of("2") == "printed");
  talk.check_alive();
  BOOST_TEST(talk.end().code == 0);
}

BOOST_AUTO_TEST_CASE(a_server_needs_no_environment) {
  toolwire::Program program = fixture_program();
  program.environment.clear();
  program.inherit_environment = false;
  for (Era era : {Era::legacy, Era::modern}) {
    Conversation talk(era, program);
    talk.check_alive();
    talk.send(talk.call("1", "ask", R"({"target":"x"})"));
    if (era == Era::modern) BOOST_TEST(talk.answer("1").at("result").at("resultType") == "input_required");
    BOOST_TEST(talk.end().code == 0);
  }
}

BOOST_AUTO_TEST_CASE(a_server_works_in_any_directory) {
  toolwire::Program program = fixture_program();
  program.directory = "/";
  Conversation talk(Era::modern, program);
  talk.send(talk.call("1", "directory"));
  BOOST_TEST(talk.text_of("1") == "/");
}

BOOST_AUTO_TEST_CASE(a_log_that_nobody_reads_holds_up_nothing) {
  ScratchFolder folder;
  // The reader of standard error opens the fifo and never reads: 64 KiB fit into it, a megabyte is logged.
  toolwire::Program program = fixture_behind_shell("mkfifo '" + (folder / "errors").string() + "' && exec 3<>'" +
                                                   (folder / "errors").string() + R"(' && exec "$0" "$1" 2>&3)");
  Conversation talk(Era::modern, program);
  for (int i = 0; i < 16; ++i) talk.send(talk.call(std::to_string(i), "throws", R"({"bytes":65536})"));
  for (int i = 0; i < 16; ++i)
    BOOST_TEST(talk.text_of(std::to_string(i)).find("failed unexpectedly") != std::string::npos);
  talk.check_alive();
  BOOST_TEST(talk.end().code == 0);
}

BOOST_AUTO_TEST_CASE(a_state_that_was_sealed_is_good_in_another_process) {
  std::string state;
  {
    Conversation talk(Era::modern);
    talk.send(talk.call("1", "ask", R"({"target":"x"})"));
    state = std::string_view(talk.answer("1").at("result").at("requestState").as_string());
  }
  auto retry = [&](Conversation& talk) {
    std::string line = talk.call("1", "ask", R"({"target":"x"})");
    line.insert(line.size() - 2,
                R"(,"requestState":")" + state + R"(","inputResponses":{"confirm":{"action":"decline"}})");
    talk.send(line);
    return talk.text_of("1");
  };
  Conversation sibling(Era::modern);
  BOOST_TEST(retry(sibling) == "x: declined");
  toolwire::Program with_another_key = fixture_program();
  with_another_key.environment["TOOLWIRE_STATE_KEY"] = "quite another key";
  Conversation stranger(Era::modern, with_another_key);
  BOOST_TEST(retry(stranger).find("sealed with a key that this server does not have") != std::string::npos);
  with_another_key.environment["TOOLWIRE_SECOND_STATE_KEY"] = "a key for tests only";
  Conversation with_both(Era::modern, with_another_key);
  BOOST_TEST(retry(with_both) == "x: declined");
}

BOOST_AUTO_TEST_CASE(with_a_secret_that_is_too_short_nothing_begins) {
  for (const char* const name : {"TOOLWIRE_STATE_KEY", "TOOLWIRE_SECOND_STATE_KEY"}) {
    toolwire::Program weak = fixture_program();
    weak.environment[name] = "fifteen letters";
    const ProgramRun ended = run_program(weak);
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(ended.errors.find("cannot begin: " + std::string(name) +
                                 ": expected a secret of at least 16 bytes, or "
                                 "none; found one of 15") != std::string::npos,
               ended.errors);
  }
}

BOOST_AUTO_TEST_CASE(a_state_is_good_after_a_restart_with_a_key_in_a_file) {
  ScratchFolder folder;
  toolwire::Program program = fixture_program();
  program.environment = {{"XDG_STATE_HOME", folder.text()}};
  std::string state;
  for (int round = 0; round < 2; ++round) {
    Conversation talk(Era::modern, program);
    std::string line = talk.call("1", "ask", R"({"target":"x"})");
    if (round == 1)
      line.insert(line.size() - 2,
                  R"(,"requestState":")" + state + R"(","inputResponses":{"confirm":{"action":"decline"}})");
    talk.send(line);
    if (round == 1) {
      BOOST_TEST(talk.text_of("1") == "x: declined");
    } else {
      state = std::string_view(talk.answer("1").at("result").at("requestState").as_string());
    }
  }
  const auto file = folder / "toolwire" / "state-key";
  BOOST_TEST(std::filesystem::file_size(file) == 32u);
  BOOST_TEST((std::filesystem::status(file).permissions() ==
              (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write)));
}

BOOST_AUTO_TEST_CASE(a_client_that_stops_reading_gets_everything_later) {
  for (auto streams : {toolwire::Program::Streams::pipes, toolwire::Program::Streams::socket}) {
    toolwire::Program program = fixture_program();
    program.streams = streams;
    Conversation talk(Era::modern, program);
    constexpr int count = 2048;
    // Once all requests are taken although nobody reads, the server holds the answers: nothing of 32 MB may be lost.
    for (int i = 0; i < count; ++i) talk.send(talk.call(std::to_string(i), "big", R"({"bytes":16384})"));
    for (int i = 0; i < count; ++i) BOOST_REQUIRE(talk.text_of(std::to_string(i)).size() == 16384u);
    talk.check_alive();
    BOOST_TEST(talk.end().code == 0);
  }
}

BOOST_AUTO_TEST_CASE(a_client_that_reads_slowly_after_the_end_of_its_input_gets_everything) {
  Conversation talk(Era::modern);
  constexpr int count = 64;
  for (int i = 0; i < count; ++i) talk.send(talk.call(std::to_string(i), "big", R"({"bytes":65536})"));
  talk.close_input();
  while (talk.read_one())
    std::this_thread::sleep_for(std::chrono::milliseconds(30));  // in all longer than calls may go on after the end
  for (int i = 0; i < count; ++i) BOOST_REQUIRE(talk.text_of(std::to_string(i)).size() == 65536u);
  BOOST_TEST(talk.end().code == 0);
}

BOOST_AUTO_TEST_CASE(output_beyond_its_bound_holds_the_client_back_and_loses_nothing) {
  Conversation talk(Era::modern,
                    fixture_program(R"({"limits":{"line":100000,"output_soft":100000,"output_hard":200000}})"));
  constexpr int count = 1000;
  std::thread writer([&] {
    for (int i = 0; i < count; ++i) talk.send(talk.call(std::to_string(i), "big", R"({"bytes":16384})"));
  });
  for (int i = 0; i < count; ++i) BOOST_CHECK(talk.text_of(std::to_string(i)).size() == 16384u);
  writer.join();
  BOOST_TEST(talk.end().code == 0);
}

BOOST_AUTO_TEST_CASE(hello_is_a_server) {
  const std::string hello = std::string(TOOLWIRE_BIN_DIR) + "/hello";
  if (!std::filesystem::exists(hello)) return;  // servers are not built
  Conversation talk(Era::legacy, {.command = {hello}});
  talk.check_alive();
  BOOST_TEST(talk.end().code == 0);
}
