// The rows of the group robustness-process. Some are shown elsewhere under names of their own:
// * server_ending_test: rb-sigint, rb-exit-code-clean
// * server_streams_test: rb-stderr-undrained, rb-stderr-closed, rb-stdin-closed-at-start, rb-stdio-kinds,
// rb-minimal-env,
//   rb-foreign-cwd
// * server_load_test: rb-fd-leak, and rb-long-session of the group robustness-flow
#define BOOST_TEST_MODULE robustness_process_test
#include <boost/test/unit_test.hpp>

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "rows.hpp"
#include "scratch_folder.hpp"

using namespace toolwire_test;

namespace {

/// Waits until a process that is not our child is gone; false if it stays.
bool is_gone(pid_t process) {
  const int descriptor = static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
  if (descriptor < 0) return errno == ESRCH;
  pollfd watched{descriptor, POLLIN, 0};
  const bool ended = ::poll(&watched, 1, 60'000) == 1;
  ::close(descriptor);
  return ended;
}

toolwire::ExitStatus wait_until_gone(Conversation& talk) {
  while (talk.read_one()) {
  }
  return talk.process().wait();
}

/// The id of a process that a tool keeps, said as progress.
pid_t keep_child(Conversation& talk) {
  talk.send(talk.call("1", "child", R"({"line":"echo $$; exec sleep 1000"})", "\"progressToken\":1"));
  while (talk.others().empty() && talk.read_one()) {
  }
  return static_cast<pid_t>(
      std::stol(std::string(std::string_view(talk.others().front().at("params").at("message").as_string()))));
}

void eof_in_flight_child_procs(Era era) {
  Conversation talk(era, fixture_program(R"({"limits":{"drain":20}})"));
  const pid_t child = keep_child(talk);
  BOOST_TEST(talk.end().code == 0);
  BOOST_TEST(is_gone(child));
}

void sigterm_in_flight(Era era) {
  Conversation talk(era);
  const pid_t child = keep_child(talk);
  talk.process().signal(SIGTERM);
  BOOST_TEST(wait_until_gone(talk).code == 0);
  BOOST_TEST(is_gone(child));
}

void sighup(Era era) {
  Conversation talk(era);
  talk.check_alive();
  talk.process().signal(SIGHUP);
  const toolwire::ExitStatus status = talk.end();
  BOOST_TEST((status.code == 0 || status.signal == SIGHUP), status.text());
}

void epipe(Era) {
  // The shell's descriptor 3 is the test's pipe; the server writes into one whose reader has left.
  Conversation talk(Era::modern,
                    fixture_behind_shell(R"(exec 3>&1; { "$0" "$1" 3>&-; echo "status $?" >&3; } | true)"));
  for (int i = 0; i < 50; ++i) talk.send(talk.call("1", "big", R"({"bytes":100000})"));
  std::string text;
  for (char byte = 0; talk.process().transport().read(&byte, 1) == 1;) text.push_back(byte);
  BOOST_TEST(text == "status 0\n");
}

void host_killed(Era) {
  ScratchFolder folder;
  toolwire::Program host = fixture_behind_shell(
      R"(cd ')" + folder.text() +
      R"('; mkfifo in; "$0" "$1" <in >/dev/null & echo $!; exec 3>in; echo ready; exec sleep 1000)");
  toolwire::ChildProcess process(host);
  std::string text;
  for (char byte = 0; text.find("ready\n") == std::string::npos && process.transport().read(&byte, 1) == 1;)
    text.push_back(byte);
  process.signal(SIGKILL);
  BOOST_TEST(process.wait().signal == SIGKILL);
  BOOST_TEST(is_gone(static_cast<pid_t>(std::stol(text))));
}

/// Only descriptor 0 and its private copy may lead to the pipe the client writes to, and neither for writing.
void stdin_half_open_dup(Era era) {
  Conversation talk(era);
  talk.check_alive();
  const std::filesystem::path folder = "/proc/" + std::to_string(talk.process().id()) + "/fd";
  std::vector<std::string> pipes;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::error_code closed_meanwhile;
    const std::string target = std::filesystem::read_symlink(entry.path(), closed_meanwhile).string();
    if (target.rfind("pipe:", 0) == 0) pipes.push_back(target);
  }
  std::sort(pipes.begin(), pipes.end());
  const auto distinct = static_cast<std::size_t>(std::unique(pipes.begin(), pipes.end()) - pipes.begin());
  BOOST_TEST(distinct == 3u);  // input, output, errors: none of them from elsewhere
  BOOST_TEST(talk.end().code == 0);
}

void stderr_flood(Era era) {
  Conversation talk(era);
  talk.send(talk.call("1", "stderr", R"({"bytes":10000000})"));
  BOOST_TEST(talk.code_of("1") == 0);
  talk.check_alive();
}

void no_tty(Era era) {
  Conversation talk(era, fixture_behind_shell(R"(exec setsid "$0" "$1")"));
  talk.check_alive();
  BOOST_TEST(talk.end().code == 0);
}

void locale(Era era) {
  for (const char* name : {"C", "POSIX", "tr_TR.UTF-8", "de_DE.UTF-8"}) {
    toolwire::Program program = fixture_program();
    program.environment["LC_ALL"] = name;
    Conversation talk(era, program);
    talk.send(talk.call("1", "echo", "{\"text\":\"\xc3\xa4\xe2\x98\x83 Iı\"}"));
    BOOST_TEST(talk.text_of("1") == "\xc3\xa4\xe2\x98\x83 Iı");
    talk.send(talk.call("2", "add", R"({"a":1234567.25,"b":0.5})"));
    BOOST_TEST(talk.text_of("2") == "1234567.75");
  }
}

void path_with_spaces(Era era) {
  ScratchFolder folder;
  toolwire::Program program = fixture_program();
  const auto place = folder / "a b \xc3\xa4" / "the server";
  std::filesystem::create_directory(place.parent_path());
  std::filesystem::create_symlink(program.command.front(), place);
  program.command.front() = place.string();
  program.directory = place.parent_path().string();
  Conversation talk(era, program);
  talk.check_alive();
}

void memory_limit(Era era) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  return;  // their shadow memory needs more address space than that
#endif
#endif
  // So many values that it is the memory that ends.
  Conversation talk(era,
                    fixture_behind_shell(R"(ulimit -v 524288; exec "$0" "$1")", R"({"limits":{"values":100000000}})"));
  talk.send(talk.call("1", "echo", "{\"text\":\"" + std::string(std::size_t{64} << 20, 'x') + "\"}"));
  BOOST_TEST(talk.text_of("1").size() > 0u);
  talk.send(std::string(1'000'000, '['));
  std::string numbers = "[1";
  for (int i = 0; i < 1'000'000; ++i) numbers += ",1";
  talk.send(talk.call("2", "echo_json", R"({"value":)" + numbers + "]}"));
  BOOST_TEST(talk.text_of("2").size() > 0u);
  for (int i = 0; i < 20'000'000; ++i) numbers += ",1";  // 24 bytes of memory each
  talk.send(talk.call("3", "echo_json", R"({"value":)" + numbers + "]}"));
  BOOST_TEST(talk.code_of("3") == -32603);
  talk.check_alive();
  BOOST_TEST(talk.end().code == 0);
}

/// The input ends at a different place of the same conversation each time.
void no_core_on_shutdown(Era era) {
  for (std::size_t i = 0; i < 50; ++i) {
    Conversation talk(era, fixture_program(R"({"limits":{"drain":5}})"));
    const std::string burst = talk.call("1", "wait", R"({"gate":"a"})") + "\n" +
                              talk.call("2", "big", R"({"bytes":100000})") + "\n" +
                              talk.call("3", "progress", R"({"steps":[1,2,3]})", "\"progressToken\":1") + "\n" +
                              talk.call("4", "ask", R"({"target":"x"})") + "\n";
    talk.send_bytes(burst.substr(0, burst.size() * i / 49));
    const toolwire::ExitStatus status = talk.end();
    BOOST_TEST(status.code == 0, status.text());
  }
}

const Row rows[] = {
    {"rb-eof-in-flight-child-procs", eof_in_flight_child_procs},
    {"rb-sigterm-in-flight", sigterm_in_flight},
    {"rb-sighup", sighup},
    {"rb-epipe-stdout-closed", epipe},
    {"rb-host-killed", host_killed},
    {"rb-stdin-half-open-dup", stdin_half_open_dup},
    {"rb-stderr-flood", stderr_flood},
    {"rb-no-tty", no_tty},
    {"rb-locale-c", locale},
    {"rb-path-with-spaces", path_with_spaces},
    {"rb-memory-limit", memory_limit},
    {"rb-no-core-on-shutdown", no_core_on_shutdown},
};

const bool registered = register_rows(rows);

}  // namespace
