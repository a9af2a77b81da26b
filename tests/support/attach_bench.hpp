// Hosts that share a bridge through `toolwire-bridge attach`, and the daemon behind them.
#pragma once

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "process_bench.hpp"
#include "process_status.hpp"
#include "serve_bench.hpp"

namespace toolwire_test {

/// A host that speaks in lines.
class Peer {
 public:
  explicit Peer(const Program& program) : process_(std::make_unique<ChildProcess>(program)) {}

  void say(std::string_view line) {
    const std::string whole = std::string(line) + "\n";
    BOOST_TEST(process_->transport().write(whole.data(), whole.size(), Transport::Blocking::yes) ==
               static_cast<std::ptrdiff_t>(whole.size()));
  }
  /// The next line; empty at the end.
  std::string hear() {
    while (heard_.find('\n') == std::string::npos) {
      char bytes[4096];
      const std::ptrdiff_t count = process_->transport().read(bytes, sizeof bytes);
      if (count <= 0) return std::exchange(heard_, "");
      heard_.append(bytes, static_cast<std::size_t>(count));
    }
    const std::size_t end = heard_.find('\n');
    std::string line = heard_.substr(0, end);
    heard_.erase(0, end + 1);
    return line;
  }
  /// The next line that is no notification.
  std::string hear_answer() {
    std::string line = hear();
    while (line.find("\"method\":\"notifications/") != std::string::npos) line = hear();
    return line;
  }
  /// As hosts did before 2026.
  void shake_hands() {
    say(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},)"
        R"("clientInfo":{"name":"peer","version":"1"}}})");
    BOOST_TEST(hear().find("\"protocolVersion\":\"2025-06-18\"") != std::string::npos);
    say(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  }
  ChildProcess& process() { return *process_; }

 private:
  std::unique_ptr<ChildProcess> process_;
  std::string heard_;
};

inline const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
inline const std::string pong = R"({"jsonrpc":"2.0","id":1,"result":{}})";

/// Folders of their own, and a configuration with one server, mcp_back_end. What runs in the end is ended.
struct AttachFixture {
  ScratchFolder folder;

  AttachFixture() {
    std::filesystem::create_directory(folder / "run");
    std::filesystem::permissions(folder / "run", std::filesystem::perms::owner_all);
    configure("{}");
  }
  ~AttachFixture() {
    for (const Json& daemon : daemons()) {
      const auto process = static_cast<pid_t>(daemon.at("process").as_int64());
      ::kill(process, SIGKILL);
      BOOST_TEST(eventually([&] { return has_ended(process); }));
    }
  }

  std::string configure(const std::string& environment, const std::string& own = "{}") const {
    return folder
        .file("mcp.json", R"({"mcpServers": {"many": {"command": ")" TOOLWIRE_BIN_DIR R"(/mcp_back_end", "env": )" +
                              environment + R"(}}, "toolwire": )" + own + "}")
        .string();
  }
  Program program(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), bridge_program);
    Program made{.command = std::move(arguments)};
    made.environment["XDG_STATE_HOME"] = (folder / "state").string();
    made.environment["XDG_RUNTIME_DIR"] = (folder / "run").string();
    return made;
  }
  Program attach(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"attach", (folder / "mcp.json").string()});
    return program(std::move(more));
  }
  /// What `status` says of each bridge that many share.
  std::vector<Json> daemons() const {
    std::vector<Json> found;
    std::string out = run_program(program({"status", "--json"})).out;
    for (std::size_t end = 0; (end = out.find('\n')) != std::string::npos; out.erase(0, end + 1)) {
      Json report = parse_json(out.substr(0, end));
      if (report.as_object().contains("shared")) found.push_back(std::move(report));
    }
    return found;
  }
  Json daemon() const {
    std::vector<Json> all = daemons();
    BOOST_REQUIRE(all.size() == 1U);
    return all.front();
  }
  pid_t daemon_process() const { return static_cast<pid_t>(daemon().at("process").as_int64()); }
  std::size_t attached() const { return daemon().at("shared").at("peers").as_array().size(); }
  void kill_daemon() const {
    const pid_t process = daemon_process();
    ::kill(process, SIGKILL);
    BOOST_TEST(eventually([&] { return has_ended(process); }));
  }
};

}  // namespace toolwire_test
