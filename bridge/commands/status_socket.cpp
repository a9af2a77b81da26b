#include "commands/status_socket.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include <toolwire/client.hpp>
#include <toolwire/system/private_file.hpp>
#include <toolwire/system/process_id.hpp>
#include <toolwire/transport.hpp>

#include "activities/mcp/listing_store.hpp"
#include "commands/daemon_place.hpp"
#include "system/program_version.hpp"
#include "system/sandbox.hpp"

namespace toolwire::bridge {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".socket";
constexpr std::chrono::milliseconds patience{2'000};  // with a bridge that does not answer

std::string path_in(const std::string& folder) {
  system::make_private_folders(folder);
  return folder + "/" + std::to_string(system::own_process_id()) + std::string(ending);
}

/// Nothing if nobody listens there, or it does not answer.
std::optional<Json> ask(const std::string& path, const std::string& secret, bool& is_dead) {
  std::unique_ptr<Transport> connection;
  try {
    connection = connect_unix_socket(path, secret);
  } catch (const std::system_error& error) {
    is_dead = error.code() == std::errc::connection_refused;
    return std::nullopt;
  }
  try {
    Client client(std::move(connection), {.timeout = patience});
    return client.call("status").structured;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace

StatusSocket::StatusSocket(const std::string& folder, std::function<Json()> report, std::shared_ptr<Engine> engine)
    : path_(path_in(folder)), server_({.name = "toolwire-bridge", .version = program_version()}) {
  server_.tool("status", "How this bridge is doing", [report = std::move(report)] { return ToolResult::of(report()); });
  server_.listen(UnixSocket{.path = path_, .token = secret_of_folder(folder), .admits = [](const Peer& peer) {
                              return !is_more_confined(peer.process);
                            }});
  served_.emplace(server_, std::move(engine));
}

StatusSocket::~StatusSocket() {
  served_.reset();
  std::error_code ignored;
  fs::remove(path_, ignored);
}

std::string StatusSocket::usual_folder() {
  const std::string servers = mcp::ListingStore::usual_folder();
  return servers.empty() ? servers : (fs::path(servers).parent_path() / "running").string();
}

std::vector<Json> running_bridges(const std::string& folder) {
  std::vector<fs::path> sockets;
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    if (entry->path().string().ends_with(ending)) sockets.push_back(entry->path());
  }
  std::ranges::sort(sockets);
  const std::string secret = sockets.empty() ? "" : secret_of_folder(folder);
  std::vector<Json> reports;
  for (const fs::path& socket : sockets) {
    bool is_dead = false;
    if (auto report = ask(socket.string(), secret, is_dead)) reports.push_back(std::move(*report));
    if (is_dead) fs::remove(socket, error);
  }
  return reports;
}

}  // namespace toolwire::bridge
