// Where a running bridge says how it is doing: a Unix socket in the state folder of its user, with one tool, "status".
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <toolwire/json.hpp>
#include <toolwire/server.hpp>

#include "system/pumped_server.hpp"

namespace toolwire::bridge {

/// Answers while it lives. Of a bridge that was killed the socket is left, and `running_bridges` takes it away.
class StatusSocket {
 public:
  /// `report` is called on the threads of the engine, one at a time. Throws std::system_error if the socket cannot be
  /// made.
  StatusSocket(const std::string& folder, std::function<Json()> report, std::shared_ptr<Engine> engine);
  ~StatusSocket();
  StatusSocket(const StatusSocket&) = delete;
  StatusSocket& operator=(const StatusSocket&) = delete;

  /// The folder of this user; empty if there is none.
  static std::string usual_folder();

 private:
  const std::string path_;
  Server server_;
  std::optional<PumpedServer> served_;
};

struct RunningBridges {
  std::vector<Json> reports = {};        ///< By their processes' numbers.
  std::vector<std::string> silent = {};  ///< Processes of those that have not answered within ten seconds.
};

/// All bridges of this user that run.
RunningBridges running_bridges(const std::string& folder);

}  // namespace toolwire::bridge
