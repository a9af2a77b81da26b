// Runs the versions of a server between a host and it: starts a new one when its files have changed, and ends the old
// one when it owes nothing any more.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <toolwire/child_process.hpp>
#include <toolwire/transport.hpp>
#include <vector>

#include "changed_files.hpp"
#include "conversation.hpp"
#include "events.hpp"
#include "line_streams.hpp"

namespace toolwire::dev {

struct ProxyOptions {
  std::vector<std::string> command = {};  ///< The server; its program is an absolute path.
  bool show = false;                      ///< Prints the messages on standard error.
};

/// How long a server has once its input is closed, until SIGTERM and until SIGKILL.
struct Grace {
  std::chrono::milliseconds until_told, until_killed;
};

class Proxy {
 public:
  /// Starts the first version. `host` outlives the proxy. Throws as ChildProcess if it does not start.
  Proxy(ProxyOptions options, Transport& host);
  ~Proxy();
  Proxy(const Proxy&) = delete;
  Proxy& operator=(const Proxy&) = delete;

  /// Returns when the host has closed its side and all versions have ended.
  void run();

  /// As if the host had closed its side; servers that do not end soon then, or have not since the host has done so, are
  /// told by SIGTERM, and killed. From any thread, while `run` has not returned.
  void end();

 private:
  using Clock = std::chrono::steady_clock;

  struct Running {
    Running(const std::vector<std::string>& command, Version version, Events& events);
    ~Running();
    ChildProcess process;
    std::unique_ptr<LineWriter> writer;
    std::thread reader;
    /// Once its input is closed: when it is told by SIGTERM to end, and until when it may live.
    std::optional<Clock::time_point> told_at = {}, killed_at = {};
    bool has_strayed = false;  ///< It has written what is no message.
  };

  void handle(HostLine& line);
  void handle(HostEnded& end);
  void handle(EndAsked& asked);
  void handle(ServerLine& line);
  void handle(ServerEnded& end);
  void handle(FilesChanged& change);
  void handle_time();
  [[nodiscard]] std::optional<Clock::time_point> next_time() const;

  void try_new_version();
  void refuse(const std::string& reason);
  void after_message();
  void let_end(Version version, Grace grace);
  void send(const std::vector<Sent>& lines);
  void say_if_stray(const ServerLine& line);
  void say(const std::string& text) const;
  void show(std::string_view arrow, Version version, std::string_view line) const;

  const ProxyOptions options_;
  Transport& host_;
  Events events_ = {};
  Conversation conversation_ = {};
  std::map<Version, Running> running_ = {};
  Version last_ = 1, answering_ = 1;
  std::optional<Version> tried_ = {};
  Clock::time_point tried_since_ = {};
  std::optional<Clock::time_point> try_at_ = {}, refuse_at_ = {};
  bool host_has_ended_ = false;
  LineWriter to_host_;
  std::atomic<bool> is_over_ = false, host_is_read_ = true;
  std::thread host_reader_ = {};
  std::unique_ptr<ChangedFiles> changed_files_ = {};
};

}  // namespace toolwire::dev
