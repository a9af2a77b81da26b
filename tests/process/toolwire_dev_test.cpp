// `toolwire dev`: a host that keeps its connection while the server behind it is built anew, with real processes.
#define BOOST_TEST_MODULE toolwire_dev_test
#include <algorithm>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <toolwire/client.hpp>
#include <vector>

#include "process_status.hpp"
#include "tools_bench.hpp"

using namespace toolwire;
using namespace toolwire_test;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

constexpr auto limit = 60s;  // after which a test has failed

/// A server in sh that has one tool. What `call` says is done for a call; it answers with $answer.
std::string server(const std::string& tool, const std::string& call = "") {
  return "while read -r line; do\n"
         "  id=$(printf '%s' \"$line\" | sed -n 's/.*\"id\":\\([^,}]*\\).*/\\1/p')\n"
         "  case $line in\n"
         "  *'\"initialize\"'*) answer='\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
         "\"serverInfo\":{\"name\":\"x\",\"version\":\"1\"}' ;;\n"
         "  *'\"tools/list\"'*) answer='\"tools\":[{\"name\":\"" +
         tool +
         "\",\"inputSchema\":{\"type\":\"object\"}}]' ;;\n"
         "  *'\"tools/call\"'*) answer='\"content\":[{\"type\":\"text\",\"text\":\"" +
         tool + "\"}]'; " + call +
         " ;;\n"
         "  *) continue ;;\n"
         "  esac\n"
         "  echo \"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":$id,\\\"result\\\":{$answer}}\"\n"
         "done\n";
}

/// Counts what has happened, and waits until that was often enough.
class Counter {
 public:
  void add() {
    const std::lock_guard lock(mutex_);
    ++count_;
    changed_.notify_all();
  }
  bool reaches(int count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, limit, [&] { return count_ >= count; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
};

struct Fixture : ToolsBench {
  Counter changes = {};
  const std::string file = project + "/server";

  /// Puts a file in the place of the server, as a linker or an editor does.
  void build(const std::string& text) const {
    std::ofstream(file + ".new") << "#!/bin/sh\n" << text;
    put_in_place();
  }
  void build_from(const fs::path& program) const {
    fs::copy_file(program, file + ".new");
    put_in_place();
  }
  void put_in_place() const {
    fs::permissions(file + ".new", fs::perms::owner_all);
    fs::rename(file + ".new", file);
  }

  Program dev(const std::vector<std::string>& words = {}) const {
    Program program{.command = {TOOLWIRE_BIN_DIR "/toolwire", "dev"}};
    program.command.insert(program.command.end(), words.begin(), words.end());
    program.command.insert(program.command.end(), {"--", file});
    return program;
  }

  std::unique_ptr<Client> host(const std::string& revision = "2025-11-25", const std::vector<std::string>& words = {}) {
    ClientOptions options;
    options.revision = revision;
    options.on_notification = [this](const std::string& method, const Json&) {
      if (method == "notifications/tools/list_changed") changes.add();
    };
    return std::make_unique<Client>(dev(words), options);
  }

  static std::string tools(Client& client) {
    std::string names;
    for (const ListedTool& tool : client.list_tools()) names += tool.name + " ";
    return names;
  }

  /// Until standard error has the text.
  static bool says(Client& client, const std::string& text) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (client.process()->error_tail().find(text) == std::string::npos) {
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::sleep_for(2ms);
    }
    return true;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(the_host_goes_on_with_what_was_built, Fixture) {
  build(server("one"));
  const auto client = host();
  BOOST_TEST(tools(*client) == "one ");
  for (int i = 1; i <= 3; ++i) {
    const std::string name = "version_" + std::to_string(i);
    build(server(name));
    BOOST_TEST_REQUIRE(changes.reaches(i));
    BOOST_TEST(tools(*client) == name + " ");
    BOOST_TEST(client->call(name).text() == name);
  }
}

BOOST_FIXTURE_TEST_CASE(a_host_without_a_handshake_is_told_where_it_listens, Fixture) {
  if (!fs::exists(TOOLWIRE_BIN_DIR "/workspace")) return;  // a second server with other tools
  build_from(hello);
  const auto client = host("2026-07-28");
  const Subscription listening = client->subscribe_tools([this] { changes.add(); });
  BOOST_TEST(tools(*client) == "add ");
  build_from(TOOLWIRE_BIN_DIR "/workspace");
  BOOST_TEST_REQUIRE(changes.reaches(1));
  BOOST_TEST(tools(*client).find("read_file ") != std::string::npos);
  BOOST_TEST(listening.is_active());
}

BOOST_FIXTURE_TEST_CASE(calls_that_go_on_end_on_the_old_version_which_then_ends, Fixture) {
  const std::string gate = folder.file("waits", ""), pid = folder.file("pid", "");
  build(server("old", "echo $$ > '" + pid + "'; while [ -e '" + gate + "' ]; do sleep 0.01; done"));
  const auto client = host();
  CallHandle call = client->start_call("old");
  while (content_of(pid).find('\n') == std::string::npos) std::this_thread::sleep_for(1ms);
  build(server("new"));
  BOOST_TEST_REQUIRE(changes.reaches(1));
  BOOST_TEST(client->call("new").text() == "new");
  BOOST_TEST(!call.is_done());
  fs::remove(gate);
  BOOST_TEST(call.wait().text() == "old");
  const int old = std::stoi(content_of(pid));
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!has_ended(old) && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(1ms);
  BOOST_TEST(has_ended(old));
}

BOOST_FIXTURE_TEST_CASE(what_does_not_answer_is_not_taken, Fixture) {
  build(server("good"));
  const auto client = host();
  build("exit 3\n");
  BOOST_TEST(says(
      *client, "the new version is not taken: it exited with status 3 before it has answered; the one before stays"));
  BOOST_TEST(tools(*client) == "good ");
  fs::remove(file);  // as a linker does before it writes
  build(server("better"));
  BOOST_TEST_REQUIRE(changes.reaches(1));
  BOOST_TEST(tools(*client) == "better ");
}

BOOST_FIXTURE_TEST_CASE(a_server_that_crashes_is_started_again_and_one_that_cannot_work_is_waited_for, Fixture) {
  build(server("fragile", "kill -9 $$"));
  const auto client = host();
  BOOST_TEST(tools(*client) == "fragile ");
  BOOST_CHECK_EXCEPTION(static_cast<void>(client->call("fragile")), std::exception, [](const std::exception& error) {
    return std::string(error.what()).find("killed by signal 9") != std::string::npos;
  });
  BOOST_TEST(tools(*client) == "fragile ");
  BOOST_TEST_REQUIRE(changes.reaches(1));
  const auto fails = [&](const std::string& text) {
    BOOST_CHECK_EXCEPTION(static_cast<void>(client->call("fragile")), std::exception, [&](const std::exception& error) {
      return std::string(error.what()).find(text) != std::string::npos;
    });
  };
  fails("killed by signal 9");
  BOOST_TEST_REQUIRE(changes.reaches(2));
  fails("killed by signal 9");  // it has answered nothing else: it is not started again and again
  fails("it is started again when it has been built anew");
  build(server("robust"));
  BOOST_TEST_REQUIRE(changes.reaches(3));
  BOOST_TEST(client->call("robust").text() == "robust");
}

BOOST_FIXTURE_TEST_CASE(a_folder_that_is_removed_and_made_again_is_watched_on, Fixture) {
  fs::create_directory(project + "/build");
  fs::rename(script("first", server("one")), project + "/build/server");
  Program program{.command = {TOOLWIRE_BIN_DIR "/toolwire", "dev", "--", "build/server"}, .directory = project};
  ClientOptions options;
  options.revision = "2025-11-25";
  options.on_notification = [this](const std::string&, const Json&) { changes.add(); };
  Client client(program, options);
  BOOST_TEST(tools(client) == "one ");
  fs::remove_all(project + "/build");
  fs::create_directory(project + "/build");
  fs::rename(script("second", server("two")), project + "/build/server");
  BOOST_TEST_REQUIRE(changes.reaches(1));
  BOOST_TEST(tools(client) == "two ");
}

BOOST_FIXTURE_TEST_CASE(messages_are_shown_if_that_is_wanted, Fixture) {
  build(server("one"));
  const auto client = host("2025-11-25", {"--show"});
  BOOST_TEST(tools(*client) == "one ");
  BOOST_TEST(says(*client, "tools/list"));
  BOOST_TEST(says(*client, "result {\"tools\":[{\"name\":\"one\""));
  BOOST_TEST(client->process()->error_tail().find("host → 1  #") != std::string::npos);
  BOOST_TEST(client->call("one", parse_json(R"({"api_key": "abc123", "name": "kept"})")).text() == "one");
  BOOST_TEST(says(*client, R"x("api_key":"(redacted)","name":"kept")x"));
  BOOST_TEST(client->process()->error_tail().find("abc123") == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(all_ends_when_the_host_has_ended, Fixture) {
  const std::string pid = folder.file("pid", "");
  build("echo $$ > '" + pid + "'\n" + server("one"));
  ChildProcess process(dev());
  while (content_of(pid).find('\n') == std::string::npos) std::this_thread::sleep_for(1ms);
  process.close_input();
  BOOST_TEST(process.wait().code == 0);
  BOOST_TEST(has_ended(std::stoi(content_of(pid))));
}

BOOST_FIXTURE_TEST_CASE(mistakes_have_a_sentence, Fixture) {
  const ProgramRun none = run({"dev"});
  BOOST_TEST(none.status == 2);
  BOOST_TEST(
      none.errors ==
      "toolwire dev: expected the server behind --, as in: toolwire dev -- ./server --its-options; see --help\n");
  const ProgramRun missing = run({"dev", "--", "./missing"});
  BOOST_TEST(missing.status == 1);
  BOOST_TEST(missing.errors.find("/missing: there is no such program") != std::string::npos, missing.errors);
}

BOOST_FIXTURE_TEST_CASE(what_is_no_message_is_told_once_and_kept_from_the_host, Fixture) {
  build("echo 'Server 1.0 is ready'\necho 'and well'\n" + server("one"));
  const auto client = host();
  BOOST_TEST(tools(*client) == "one ");
  BOOST_TEST(says(*client,
                  "toolwire dev: the server writes to its standard output what is no message, and a host may refuse it "
                  "for that: Server 1.0 is ready\n"));
  BOOST_TEST(client->process()->error_tail().find("and well") == std::string::npos);
}

// Hosts end their servers by SIGTERM, too: then the server is told, and ended if it does not end.
BOOST_FIXTURE_TEST_CASE(a_signal_ends_it_and_the_server_in_good_order, Fixture) {
  for (const int signal : {SIGTERM, SIGINT}) {
    fs::remove(project + "/ended");
    build("echo ready >&2\nwhile read -r line; do :; done\n: > '" + project + "/ended'\n");
    ChildProcess proxy(dev());
    while (proxy.error_tail().find("ready") == std::string::npos) std::this_thread::sleep_for(2ms);
    proxy.signal(signal);
    BOOST_TEST(proxy.wait().code == 0);
    BOOST_TEST(fs::exists(project + "/ended"));
  }
}

BOOST_FIXTURE_TEST_CASE(a_second_signal_asks_the_server_at_once, Fixture) {
  build("trap 'exit 0' TERM\necho ready >&2\nwhile :; do sleep 0.01; done\n");  // does not see the end of its input
  const auto time_to_end = [&](const std::vector<int>& signals) {
    ChildProcess proxy(dev());
    while (proxy.error_tail().find("ready") == std::string::npos) std::this_thread::sleep_for(2ms);
    const auto first = std::chrono::steady_clock::now();
    for (const int signal : signals) proxy.signal(signal);
    BOOST_TEST(proxy.wait().code == 0);
    return std::chrono::steady_clock::now() - first;
  };
  const auto patient = time_to_end({SIGINT});
  auto shortest = patient;
  for (int round = 0; round < 5; ++round) shortest = std::min(shortest, time_to_end({SIGINT, SIGTERM}));
  BOOST_CHECK(2 * shortest < patient);
}

BOOST_FIXTURE_TEST_CASE(why_a_program_that_is_there_does_not_start_is_told, Fixture) {
  for (const char* const word : {"dev", "inspect"}) {
    std::ofstream(file + ".new") << "#!/no/such/sh\n";
    put_in_place();
    const ProgramRun wrong = run({word, "--", file});
    BOOST_TEST(wrong.status == 1);
    BOOST_TEST(wrong.errors.find("; there is no /no/such/sh, which its first line names\n") != std::string::npos,
               wrong.errors);
  }
}

BOOST_FIXTURE_TEST_CASE(an_output_that_cannot_be_written_is_told_of_and_no_good_end, Fixture) {
  const std::string toolwire = TOOLWIRE_BIN_DIR "/toolwire", hello = TOOLWIRE_BIN_DIR "/hello";
  const ProgramRun ended =
      run_program({.command = {"/bin/sh", "-c", R"(exec "$0" dev -- "$1" >/dev/full)", toolwire, hello}},
                  R"({"jsonrpc":"2.0","id":1,"method":"ping"})"
                  "\n");
  BOOST_TEST(ended.status == 1);
  BOOST_TEST(ended.errors.find("toolwire dev: standard output cannot be written: No space left") != std::string::npos,
             ended.errors);
}
