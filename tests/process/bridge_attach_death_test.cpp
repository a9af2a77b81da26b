// What hosts notice when the bridge that they share is killed: calls in flight are answered, the session goes on, and
// nothing half said reaches them.
#define BOOST_TEST_MODULE bridge_attach_death_test
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <toolwire/system/file_descriptor.hpp>
#include <toolwire/system/private_file.hpp>
#include <utility>
#include <vector>

#include "attach_bench.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

namespace fs = std::filesystem;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string call(const std::string& tool, const std::string& id) {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"tools/call","params":{"name":")" + tool +
         R"(","arguments":{}}})";
}

/// A daemon of which every byte is written here.
class Scripted {
 public:
  explicit Scripted(const fs::path& path)
      : secret_(path.parent_path() / "secret"), listens_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::ranges::copy(path.string(), address.sun_path);
    BOOST_REQUIRE(::bind(listens_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    BOOST_REQUIRE(::listen(listens_.get(), 8) == 0);
  }

  /// The next one that comes; who was there before is dropped.
  void let_in() {
    heard_.clear();
    peer_.reset(::accept4(listens_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    BOOST_REQUIRE(peer_.is_open());
    BOOST_TEST(hear() == content_of(secret_.c_str()));
  }
  void die() { peer_.reset(); }
  void say(const std::string& bytes) {
    BOOST_TEST(::send(peer_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size()));
  }
  std::string hear() {
    while (heard_.find('\n') == std::string::npos) {
      char bytes[4096];
      const ssize_t count = ::recv(peer_.get(), bytes, sizeof bytes, 0);
      if (count <= 0) return std::exchange(heard_, "");
      heard_.append(bytes, static_cast<std::size_t>(count));
    }
    const std::size_t end = heard_.find('\n');
    std::string line = heard_.substr(0, end);
    heard_.erase(0, end + 1);
    return line;
  }

 private:
  fs::path secret_;
  system::FileDescriptor listens_, peer_;
  std::string heard_;
};

const std::string attach_program = TOOLWIRE_BIN_DIR "/toolwire-attach";

struct ScriptedFixture {
  ScratchFolder folder;
  Scripted daemon{folder / "socket"};
  Peer peer{Program{.command = {attach_program, "--socket", (folder / "socket").string(), "--log",
                                (folder / "log").string(), "--", "/bin/false"}}};

  ScriptedFixture() { daemon.let_in(); }
  void shake_hands() {
    peer.say(R"({"jsonrpc":"2.0","id":"h","method":"initialize","params":{"protocolVersion":"2025-06-18"}})");
    BOOST_TEST(has(daemon.hear(), "initialize"));
    daemon.say(R"({"jsonrpc":"2.0","id":"h","result":{"protocolVersion":"2025-06-18"}})"
               "\n");
    BOOST_TEST(has(peer.hear(), "protocolVersion"));
    peer.say(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    BOOST_TEST(has(daemon.hear(), "notifications/initialized"));
  }
  /// A new daemon, and the handshake that it is told.
  void take_up() {
    daemon.die();
    daemon.let_in();
    const std::string initialize = daemon.hear();
    BOOST_TEST(has(initialize, R"("method":"initialize","params":{"protocolVersion":"2025-06-18"})"), initialize);
    daemon.say(R"({"jsonrpc":"2.0","id":)" + std::string(id_in_text(initialize)) +
               R"(,"result":{"protocolVersion":"2025-06-18"}})"
               "\n");
    BOOST_TEST(has(daemon.hear(), "notifications/initialized"));
  }
  static std::string id_in_text(const std::string& line) { return to_json_text(parse_json(line).at("id")); }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_daemon_that_stands_still_is_told_of, ScriptedFixture) {
  peer.say(R"({"jsonrpc":"2.0","id":"h","method":"initialize","params":{"protocolVersion":"2025-06-18"}})");
  const auto said = [this] { return peer.process().error_tail(); };
  const std::string expected = "toolwire-attach: the bridge, process " + std::to_string(::getpid()) +
                               ", has not answered for 5 s; its log: " + (folder / "log").string();
  BOOST_TEST(eventually([&] { return has(said(), expected); }), said());
  daemon.hear();
  daemon.say(R"({"jsonrpc":"2.0","id":"h","result":{"protocolVersion":"2025-06-18"}})"
             "\n");
  BOOST_TEST(has(peer.hear(), "protocolVersion"));
}

BOOST_FIXTURE_TEST_CASE(a_daemon_that_is_not_heard_as_the_host_does_not_read_is_not_blamed, ScriptedFixture) {
  shake_hands();
  std::string much;
  while (much.size() < 160'000)
    much += R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})"
            "\n";
  daemon.say(much);
  daemon.die();
  daemon.let_in();
  const std::string initialize = daemon.hear();
  daemon.say(R"({"jsonrpc":"2.0","id":)" + id_in_text(initialize) +
             R"(,"result":{"protocolVersion":"2025-06-18"}})"
             "\n");
  ScriptedFixture silent;
  silent.peer.say(R"({"jsonrpc":"2.0","id":"h","method":"initialize","params":{"protocolVersion":"2025-06-18"}})");
  const auto is_blamed = [](ScriptedFixture& one) { return has(one.peer.process().error_tail(), "has not answered"); };
  BOOST_TEST(eventually([&] { return is_blamed(silent); }));
  BOOST_TEST(!is_blamed(*this));
  while (!much.empty() && much.starts_with(peer.hear() + "\n")) much.erase(0, much.find('\n') + 1);
  BOOST_TEST(much.empty());
  BOOST_TEST(has(daemon.hear(), "notifications/initialized"));
}

BOOST_AUTO_TEST_CASE(a_host_that_stands_still_while_it_starts_the_daemon_is_told_of) {
  const ScratchFolder folder;
  const std::string socket = (folder / "socket").string();
  std::optional<system::PrivateFile> other(std::in_place, socket + ".lock",
                                           system::PrivateFile::Access::read_and_write);
  BOOST_TEST(other->lock(std::chrono::seconds(0)));
  Peer peer(
      Program{.command = {attach_program, "--socket", socket, "--log", (folder / "log").string(), "--", "/bin/false"}});
  const auto said = [&peer] { return peer.process().error_tail(); };
  BOOST_TEST(eventually([&] {
               return has(said(),
                          "another process has been starting the bridge for 5 s, and holds " + socket + ".lock");
             }),
             said());
  other.reset();
  BOOST_TEST(peer.process().wait().code == 1);
  BOOST_TEST(has(said(), "the daemon ended with status 1 at its start"), said());
}

BOOST_FIXTURE_TEST_CASE(a_host_does_not_notice_that_there_is_another_daemon, AttachFixture) {
  for (const std::string& revision : eras) {
    Client client(attach(), {.revision = revision});
    const std::string before = client.call("process").text();
    kill_daemon();
    BOOST_TEST(eventually([&] { return has_ended(std::stoi(before)); }));
    BOOST_TEST(client.call("process").text() != before);
    BOOST_TEST(!client.list_tools().empty());
  }
}

BOOST_FIXTURE_TEST_CASE(many_hosts_find_one_daemon_again, AttachFixture) {
  std::vector<Peer> peers;
  peers.reserve(20);
  for (int i = 0; i < 20; ++i) peers.emplace_back(attach());
  for (Peer& peer : peers) peer.shake_hands();
  kill_daemon();
  for (Peer& peer : peers) peer.say(ping);
  for (Peer& peer : peers) BOOST_TEST(peer.hear_answer() == pong);
  BOOST_TEST(eventually([&] { return daemons().size() == 1 && attached() == 20; }));
}

BOOST_FIXTURE_TEST_CASE(a_call_in_flight_is_answered_and_not_made_again, AttachFixture) {
  Peer peer(attach());
  peer.shake_hands();
  peer.say(call("until_stopped", "7"));
  peer.say(call("watched", "8"));
  BOOST_TEST(has(peer.hear(), "\"id\":8,"));  // so that the other is running
  kill_daemon();
  const Json answer = parse_json(peer.hear());
  BOOST_TEST(answer.at("id") == Json(7));
  BOOST_TEST(answer.at("result").at("isError").as_bool());
  const Json& details = answer.at("result").at("_meta").at("dev.toolwire/error");
  BOOST_TEST(details == Json(JsonObject{{"code", "interrupted"}, {"retryable", false}, {"outcome", "unknown"}}));
  peer.say(ping);
  BOOST_TEST(has(peer.hear(), "notifications/tools/list_changed"));  // it may have other tools
  BOOST_TEST(peer.hear_answer() == pong);
}

BOOST_FIXTURE_TEST_CASE(half_a_line_of_a_daemon_that_dies_never_reaches_the_host, ScriptedFixture) {
  shake_hands();
  peer.say(call("x", "1"));
  BOOST_TEST(daemon.hear() == call("x", "1"));
  daemon.say(R"({"jsonrpc":"2.0","method":"notifications/message"})"
             "\n"
             R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"te)");
  BOOST_TEST(peer.hear() == R"({"jsonrpc":"2.0","method":"notifications/message"})");
  take_up();
  const Json answer = parse_json(peer.hear());
  BOOST_TEST(answer.at("id") == Json(1));
  BOOST_TEST(answer.at("result").at("_meta").at("dev.toolwire/error").at("retryable") == Json(false));
  peer.say(ping);
  BOOST_TEST(daemon.hear() == ping);
  daemon.say(pong + "\n");
  BOOST_TEST(peer.hear() == pong);
}

BOOST_FIXTURE_TEST_CASE(what_changes_nothing_is_asked_again_and_what_was_set_is_set_again, ScriptedFixture) {
  shake_hands();
  const std::string level = R"({"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"error"}})";
  peer.say(level);
  BOOST_TEST(daemon.hear() == level);
  daemon.say(R"({"jsonrpc":"2.0","id":2,"result":{}})"
             "\n");
  BOOST_TEST(has(peer.hear(), "\"id\":2,"));
  const std::string list = R"({"jsonrpc":"2.0","id":3,"method":"tools/list"})";
  peer.say(list);
  BOOST_TEST(daemon.hear() == list);
  take_up();
  const std::string again = daemon.hear();
  BOOST_TEST(has(again, R"("method":"logging/setLevel","params":{"level":"error"})"), again);
  BOOST_TEST(daemon.hear() == list);
  daemon.say(R"({"jsonrpc":"2.0","id":)" + id_in_text(again) + R"(,"result":{}})" + "\n");
  daemon.say(R"({"jsonrpc":"2.0","id":3,"result":{"tools":[]}})"
             "\n");
  BOOST_TEST(peer.hear() == R"({"jsonrpc":"2.0","id":3,"result":{"tools":[]}})");
}

BOOST_FIXTURE_TEST_CASE(a_long_line_that_a_daemon_had_not_taken_whole_is_the_next_ones, ScriptedFixture) {
  shake_hands();
  const std::string large = R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"x","arguments":{"t":")" +
                            std::string(4'000'000, 'y') + R"("}}})";
  peer.say(large);  // more than a socket takes
  take_up();
  BOOST_TEST((daemon.hear() == large));
  daemon.say(R"({"jsonrpc":"2.0","id":5,"result":{"content":[]}})"
             "\n");
  BOOST_TEST(peer.hear() == R"({"jsonrpc":"2.0","id":5,"result":{"content":[]}})");
}

BOOST_FIXTURE_TEST_CASE(an_answer_to_a_question_of_a_dead_daemon_does_not_answer_the_next_ones, ScriptedFixture) {
  shake_hands();
  const std::string question = R"({"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{}})";
  daemon.say(question + "\n");
  BOOST_TEST(peer.hear() == question);
  take_up();
  BOOST_TEST(has(peer.hear(), R"("method":"notifications/cancelled","params":{"requestId":1,)"));
  daemon.say(question + "\n");
  const std::string shown = peer.hear();
  BOOST_TEST(shown == R"({"jsonrpc":"2.0","id":2,"method":"elicitation/create","params":{}})");
  peer.say(R"({"jsonrpc":"2.0","id":1,"result":{"action":"cancel"}})");
  peer.say(R"({"jsonrpc":"2.0","id":2,"result":{"action":"decline"}})");
  BOOST_TEST(daemon.hear() == R"({"jsonrpc":"2.0","id":1,"result":{"action":"decline"}})");
}

BOOST_FIXTURE_TEST_CASE(without_any_daemon_calls_are_answered_and_the_attachment_ends, ScriptedFixture) {
  shake_hands();
  peer.say(call("x", "1"));
  BOOST_TEST(has(daemon.hear(), "\"id\":1,"));
  fs::remove(folder / "socket");  // what would be started is /bin/false
  daemon.die();
  BOOST_TEST(has(peer.hear(), R"("outcome":"unknown")"));
  BOOST_TEST(peer.hear() == "");
  BOOST_TEST(peer.process().wait().code == 1);
  BOOST_TEST(has(peer.process().error_tail(), "the daemon ended with status 1 at its start"));
}

BOOST_FIXTURE_TEST_CASE(kill_leaves_no_process_behind, AttachFixture) {
  Peer peer(attach());
  peer.shake_hands();
  peer.say(call("process", "3"));
  const Json answer = parse_json(peer.hear());
  const pid_t back_end = std::stoi(std::string(answer.at("result").at("content").at(0).at("text").as_string()));
  const pid_t daemon_id = daemon_process();
  peer.process().signal(SIGKILL);
  peer.process().wait();
  BOOST_TEST(eventually([&] { return attached() == 0; }));
  ::kill(daemon_id, SIGKILL);
  BOOST_TEST(eventually([&] { return has_ended(daemon_id) && has_ended(back_end); }));
}
