// For tests of your own tools: a client and its server in one process. All is as it is between two processes, but for
// the pipe. Independent of any test framework.
#pragma once

#include <thread>
#include <utility>

#include "toolwire/client.hpp"
#include "toolwire/server.hpp"
#include "toolwire/transport.hpp"

namespace toolwire::testing {

/// Runs a server on a thread of its own while it lives. The server must outlive it.
class Session {
 public:
  explicit Session(Server& server) : Session{server, memory_transports()} {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  /// Waits for the server, which ends once the client's end is closed.
  ~Session() {
    client_end_.reset();
    thread_.join();
  }

  /// The end for a client; to be called once.
  std::unique_ptr<Transport> take_client_end() { return std::move(client_end_); }

 private:
  Session(Server& server, std::pair<std::unique_ptr<Transport>, std::unique_ptr<Transport>> ends)
      : client_end_{std::move(ends.first)}, thread_{[&server, end = std::move(ends.second)] { server.run(*end); }} {}

  std::unique_ptr<Transport> client_end_;
  std::thread thread_;
};

/// A client of `server`, connected: `testing::Client client{server}; client.call("add", {{"a", 1}, {"b", 2}});`.
/// Several may exist at once. Destruction ends the calls under way, then the session. The server must outlive it.
class Client : private Session, public toolwire::Client {
 public:
  explicit Client(Server& server, const ClientOptions& options = {})
      : Session{server}, toolwire::Client{take_client_end(), options} {}
};

}  // namespace toolwire::testing
