// One life of a server, from its start (or the connection to it) to its end: what a client has of it, whole.
#pragma once

#include <toolwire/client.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "client/connection.hpp"

namespace toolwire::client {

/// Connected when it is made; ends the connection, and the process it has started, when it is destroyed.
class Life {
 public:
  /// They throw as the constructors of Client.
  Life(Transport& transport, const ClientOptions& options);
  Life(std::unique_ptr<Transport> transport, const ClientOptions& options);
  Life(const Program& program, const ClientOptions& options);
  Life(const Life&) = delete;
  Life& operator=(const Life&) = delete;
  ~Life() { disconnect(); }

  const std::shared_ptr<Connection>& connection() const { return connection_; }
  /// Null if there is none.
  ChildProcess* process() { return process_ ? &*process_ : nullptr; }
  const ServerDescription& server() const { return server_; }

 private:
  void connect(const Program& program, const ClientOptions& options);
  void connect(Transport& transport, const ClientOptions& options, Ending ending);
  bool ended_by_itself() { return process_ && process_->exit_status().has_value(); }
  void disconnect();

  std::unique_ptr<Transport> transport_;
  std::optional<ChildProcess> process_;
  std::shared_ptr<Connection> connection_;
  ServerDescription server_;
  ChildProcess::Grace grace_;
};

}  // namespace toolwire::client
