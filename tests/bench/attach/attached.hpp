// Hosts of one shared bridge, the folder it lives in, and a client of another program that shares a server over HTTP.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/child_process.hpp>

namespace toolwire::bench {

/// A call of tools/call with the id 1, whoever asks.
std::string call_text(std::string_view tool, std::string_view arguments);
/// In words of 2025-06-18; without their line feeds.
std::string initialize_text();
std::string initialized_text();

/// A program that speaks in lines.
class Host {
 public:
  explicit Host(const Program& program) : process_(program) {}

  void say(std::string_view line);
  /// Throws std::runtime_error at the end.
  std::string hear();
  /// The answer; notifications before it are passed over.
  std::string ask(std::string_view line);
  void shake_hands();
  pid_t id() const { return process_.id(); }

 private:
  ChildProcess process_;
  std::string heard_;
};

/// A bridge of its own for one configuration, in folders of its own; ended with it.
class SharedBridge {
 public:
  /// `configuration`: the text of a file with `mcpServers`.
  explicit SharedBridge(const std::string& configuration);
  SharedBridge(const SharedBridge&) = delete;
  SharedBridge& operator=(const SharedBridge&) = delete;
  ~SharedBridge();

  /// What a host starts.
  Program attach() const;
  /// The same without the bridge's command before it, once the daemon runs: `toolwire-attach` alone.
  Program attach_alone() const;
  /// Once it runs.
  pid_t process() const;

 private:
  std::filesystem::path socket() const;

  std::filesystem::path folder_;
};

/// The program of this name beside this one.
std::string program_beside(std::string_view name);

/// Speaks to a server of Streamable HTTP, an exchange at a time over one connection. Throws std::runtime_error.
class HttpHost {
 public:
  explicit HttpHost(std::uint16_t port);
  HttpHost(const HttpHost&) = delete;
  HttpHost& operator=(const HttpHost&) = delete;
  ~HttpHost();

  /// The whole answer, with its head.
  std::string ask(std::string_view message);

 private:
  int socket_;
  std::uint16_t port_;
  std::string session_;
};

}  // namespace toolwire::bench
