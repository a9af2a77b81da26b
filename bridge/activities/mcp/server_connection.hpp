// One run of a back-end's process, or one conversation with a remote server: start, handshake, list of tools, and a
// report when it has ended. Independent of restarts and who calls its tools.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/client.hpp>

#include <toolwire/http/detail/remote_transport.hpp>
#include "activities/mcp/listing.hpp"
#include "activities/mcp/options.hpp"

namespace toolwire::bridge::mcp {

/// The events of a server. On threads of its client; short, without waiting.
struct LifeEvents {
  std::function<void(const std::string& reason)> lost = {};
  std::function<void()> lists_changed = {};
  std::function<void(ServerRequest&&)> asked = {};
  std::function<void(std::string_view line)> said = {};  // for the log
  /// The params of a log message.
  std::function<void(const Json& message)> logged = {};
  std::function<void(const std::string& uri)> resource_updated = {};
  /// What the user was asked to do on a page is done.
  std::function<void(const std::string& id)> page_done = {};
};

/// Made, used for listing and destroyed by one thread at a time. `client` may be used by others meanwhile.
class ServerConnection {
 public:
  /// Starts the program, or reaches the server, and shakes hands. Throws as Client's constructor; at once if `stop`
  /// fires.
  ServerConnection(const BackEndOptions& options, const LifeEvents& events, std::stop_token stop);

  Client& client() { return *client_; }
  /// Makes a legacy server send log messages of this level or above. Any thread; does not wait.
  void hear_log(LogLevel level);

  /// Subscribes to changes of these resources, as far as the server reports them, and of no others.
  void watch(const std::vector<std::string>& uris);

  /// Asks for all lists the server has. Throws as Client::request; ProtocolError if the list of tools has no end or is
  /// none. Of what it refuses to list beside them it has none. `rejected` gets what cannot be used.
  Listing list(std::vector<std::string>& rejected);

 private:
  void connect(const BackEndOptions& options, const LifeEvents& events);
  void break_off();
  void watch_some(std::span<const std::string> uris);
  JsonArray whole_list(std::string_view method, std::string_view kind);
  JsonArray list_if_it_has(std::string_view method, std::string_view kind);
  Json page_of(std::string_view method, const JsonObject& params);
  void say_once(const std::string& text);

  const std::chrono::milliseconds timeout_;
  const std::stop_token stop_;
  std::function<void(const std::string& reason)> end_remote_;  // of a remote server
  std::unique_ptr<Client> client_;
  const std::function<void(const std::string&)> resource_updated_;
  const std::function<void(std::string_view line)> said_;         // for the log
  std::set<std::string> has_said_;                                // of its lists
  std::atomic<std::size_t> heard_from_ = log_level_names.size();  // the index of a level
  std::vector<std::string> watched_uris_;
  std::vector<Subscription> watched_;  // these two go first
  std::optional<Subscription> subscription_;
};

}  // namespace toolwire::bridge::mcp
