// One life of a back-end's process: started and agreed with, its list of tools read, word when it is gone.
// Knows nothing of restarts and of who calls its tools.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/client.hpp>

#include "activities/mcp/listing.hpp"
#include "activities/mcp/options.hpp"

namespace toolwire::bridge::mcp {

/// What a server's life is told to. On threads of its client; short, without waiting.
struct LifeEvents {
  std::function<void(const std::string& reason)> lost = {};
  std::function<void()> lists_changed = {};
  std::function<void(ServerRequest&&)> asked = {};
  std::function<void(std::string_view line)> said = {};  // for the log
};

/// Made, used for listing and destroyed by one thread, which must live as long: the process ends with it. `client` may
/// be used by others meanwhile.
class ServerLife {
 public:
  /// Starts the program and shakes hands. Throws as Client's constructor; at once if `stop` fires.
  ServerLife(const BackEndOptions& options, LifeEvents events, std::stop_token stop);

  Client& client() { return client_; }

  /// Asks for all lists the server has. Throws as Client::request; ProtocolError if one has no end or is no list.
  /// `rejected` gets what cannot be used.
  Listing list(std::vector<std::string>& rejected);

 private:
  JsonArray whole_list(std::string_view method, std::string_view kind);

  const std::chrono::milliseconds timeout_;
  const std::stop_token stop_;
  Client client_;
  std::optional<Subscription> subscription_;  // goes first
};

}  // namespace toolwire::bridge::mcp
