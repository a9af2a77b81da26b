// The daemon that hosts share where the user has a systemd: its control group, and the socket that systemd hands over.
#define BOOST_TEST_MODULE bridge_attach_systemd_test
#include <sys/socket.h>
#include <sys/un.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <toolwire/system/file_descriptor.hpp>
#include <utility>
#include <vector>

#include "attach_bench.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

namespace fs = std::filesystem;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string group_of(pid_t process) { return content_of(("/proc/" + std::to_string(process) + "/cgroup").c_str()); }

/// Folders of a user, and their systemd, which has them for its own.
struct UserSystemd {
  /// Below `folder`: "run" is there and closed to others.
  explicit UserSystemd(const ScratchFolder& folder)
      : surroundings{{"XDG_RUNTIME_DIR", (folder / "run").string()},
                     {"XDG_CONFIG_HOME", (folder / "config").string()},
                     {"XDG_STATE_HOME", (folder / "state").string()},
                     {"DBUS_SESSION_BUS_ADDRESS", "unix:path=" + (folder / "run/bus").string()}},
        process(with({TOOLWIRE_SOURCE_DIR "/tests/support/user_systemd.sh"})) {
    char ready = 0;
    is_there = process.transport().read(&ready, 1) == 1;
  }
  UserSystemd(const UserSystemd&) = delete;
  UserSystemd& operator=(const UserSystemd&) = delete;
  ~UserSystemd() {
    process.close_input();
    process.wait();
  }

  Program with(std::vector<std::string> command) const {
    return {.command = std::move(command), .environment = surroundings};
  }

  const std::map<std::string, std::string> surroundings;
  ChildProcess process;
  bool is_there = false;
};

boost::test_tools::assertion_result has_systemd(boost::unit_test::test_unit_id) {
  static const bool is_there = [] {
    const ScratchFolder folder;
    fs::permissions(folder.folder("run"), fs::perms::owner_all);
    return UserSystemd(folder).is_there;
  }();
  boost::test_tools::assertion_result has(is_there);
  has.message() << "this machine lets the test start no systemd of its own";
  return has;
}

struct SystemdFixture : AttachFixture {
  UserSystemd systemd{folder};

  SystemdFixture() { BOOST_REQUIRE(systemd.is_there); }
  ~SystemdFixture() {
    for (const Json& one : daemons()) ::kill(static_cast<pid_t>(one.at("process").as_int64()), SIGTERM);
  }

  void ask_systemd(std::vector<std::string> words) const {
    words.insert(words.begin(), {"systemctl", "--user"});
    const ProgramRun asked = run_program(systemd.with(words));
    BOOST_TEST(asked.status == 0, asked.errors);
  }
};

/// What a busctl of ours does instead of systemd's, where a socket makes it look as if there were one.
struct FakeFixture : AttachFixture {
  system::FileDescriptor listens{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};

  void pretend(const std::string& script) {
    const fs::path path = folder / "run/systemd/private";
    fs::create_directories(path.parent_path());
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::ranges::copy(path.string(), address.sun_path);
    BOOST_REQUIRE(::bind(listens.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    BOOST_REQUIRE(::listen(listens.get(), 8) == 0);
    fs::permissions(folder.file("bin/busctl", "#!/bin/sh\n" + script), fs::perms::owner_all);
  }
  Program attach_with_fake() const {
    Program made = attach();
    made.environment["PATH"] = (folder / "bin").string() + ":" + std::getenv("PATH");
    return made;
  }
  pid_t asked_by_fake() const { return std::atoi(content_of((folder / "asked").c_str()).c_str()); }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_daemon_outlives_all_that_is_in_the_group_of_the_host_that_started_it, SystemdFixture,
                        *boost::unit_test::precondition(has_systemd)) {
  Peer first(systemd.with({"systemd-run", "--user", "--scope", "--quiet", "--unit=host", bridge_program, "attach",
                           (folder / "mcp.json").string()}));
  first.shake_hands();
  const pid_t process = daemon_process();
  BOOST_TEST(has(group_of(first.process().id()), "/host.scope"), group_of(first.process().id()));
  BOOST_TEST(has(group_of(process), "/toolwire-bridge-" + std::to_string(process) + ".scope"), group_of(process));
  ask_systemd({"kill", "--signal=KILL", "host.scope"});
  BOOST_TEST(first.hear() == "");
  Peer second(systemd.with({bridge_program, "attach", (folder / "mcp.json").string()}));
  second.shake_hands();
  BOOST_TEST(daemon_process() == process);
}

BOOST_FIXTURE_TEST_CASE(a_socket_of_systemd_starts_the_bridge_that_listens_on_it, SystemdFixture,
                        *boost::unit_test::precondition(has_systemd)) {
  const fs::path units = TOOLWIRE_SOURCE_DIR "/bridge/systemd";
  folder.file("config/systemd/user/toolwire-bridge@.socket", content_of((units / "toolwire-bridge@.socket").c_str()));
  std::string service = content_of((units / "toolwire-bridge@.service").c_str());
  const std::string name = "ExecStart=";
  service.replace(service.find(name + "toolwire-bridge"), name.size(), name + TOOLWIRE_BIN_DIR "/");
  folder.file("config/systemd/user/toolwire-bridge@.service", service);
  folder.file("config/toolwire/mine.json", content_of((folder / "mcp.json").c_str()));
  ask_systemd({"daemon-reload"});
  ask_systemd({"start", "toolwire-bridge@mine.socket"});
  BOOST_TEST(daemons().empty());
  const std::string socket = (folder / "run/toolwire/mine.sock").string();
  Peer first(systemd.with({TOOLWIRE_BIN_DIR "/toolwire-attach", "--socket", socket}));
  first.shake_hands();
  const pid_t process = daemon_process();
  BOOST_TEST(has(group_of(process), "toolwire\\x2dbridge"), group_of(process));
  Peer second(systemd.with({TOOLWIRE_BIN_DIR "/toolwire-attach", "--socket", socket}));
  second.shake_hands();
  BOOST_TEST(daemon_process() == process);
  BOOST_TEST(attached() == 2U);
}

BOOST_FIXTURE_TEST_CASE(systemd_is_asked_for_the_daemon_by_its_number, FakeFixture) {
  pretend("echo \"$PPID $*\" > \"${0%/bin/*}/asked\"\n");
  Peer peer(attach_with_fake());
  peer.shake_hands();
  const std::string asked = content_of((folder / "asked").c_str());
  BOOST_TEST(has(asked, " PIDs au 1 " + std::to_string(daemon_process()) + " "), asked);
  BOOST_TEST(has(asked, " Delegate b true "), asked);
}

BOOST_FIXTURE_TEST_CASE(a_daemon_starts_though_systemd_refuses, FakeFixture) {
  pretend("exit 1\n");
  Peer peer(attach_with_fake());
  peer.shake_hands();
  BOOST_TEST(attached() == 1U);
}

BOOST_FIXTURE_TEST_CASE(a_daemon_starts_though_systemd_does_not_answer, FakeFixture) {
  pretend("echo $$ > \"${0%/bin/*}/asked\"\nexec sleep 600\n");
  Peer peer(attach_with_fake());
  peer.shake_hands();
  BOOST_TEST(asked_by_fake() > 0);
  BOOST_TEST(eventually([&] { return has_ended(asked_by_fake()); }));
}
