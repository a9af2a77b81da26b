// A fixture server running on a thread of its own, and the test's end of its connection.
#pragma once

#include <functional>
#include <memory>
#include <thread>

#include "fixture_server.hpp"
#include "script_transport.hpp"

namespace toolwire_test {

/// Makes the server to run.
using ServerMaker = std::function<std::shared_ptr<toolwire::Server>(const FixtureOptions&)>;

/// Ends the connection and waits for the server when it is destroyed.
class ServedFixture {
 public:
  explicit ServedFixture(const FixtureOptions& options, const ServerMaker& maker = make_fixture_server)
      : server_(maker(options)), thread_([this] {
          server_->run(transport);
          transport.server_has_left();
        }) {}
  ~ServedFixture() {
    transport.leave();
    thread_.join();
  }
  ServedFixture(const ServedFixture&) = delete;
  ServedFixture& operator=(const ServedFixture&) = delete;

  ScriptTransport transport;
  toolwire::Server& server() { return *server_; }

 private:
  std::shared_ptr<toolwire::Server> server_;
  std::thread thread_;
};

}  // namespace toolwire_test
