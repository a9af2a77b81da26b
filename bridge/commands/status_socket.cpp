#include "commands/status_socket.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <toolwire/client.hpp>
#include <toolwire/system/private_file.hpp>
#include <toolwire/system/process_id.hpp>
#include <toolwire/transport.hpp>

#include "commands/daemon_place.hpp"
#include "system/program_version.hpp"
#include "system/sandbox.hpp"
#include "system/state_folder.hpp"

namespace toolwire::bridge {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".socket";
constexpr std::chrono::seconds patience{10};  // with a bridge that does not answer

std::string path_in(const std::string& folder) {
  if (const std::string problem = system::make_private_folders(folder); !problem.empty())
    throw std::runtime_error(problem);
  return folder + "/" + std::to_string(system::own_process_id()) + std::string(ending);
}

/// Whether the process whose socket it is has ended. One that lives may be about to listen.
bool is_left_behind(const fs::path& socket) {
  const std::string name = socket.stem().string();
  system::ProcessId process = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), process);
  return error != std::errc() || end != name.data() + name.size() || !system::process_exists(process);
}

/// Asks the bridge that has this socket; takes the socket away if nobody has it any more.
void ask(const fs::path& socket, const std::string& secret, RunningBridges& running) {
  std::unique_ptr<Transport> connection;
  try {
    connection = connect_unix_socket(socket.string(), secret);
  } catch (const std::system_error& error) {
    std::error_code ignored;
    if (error.code() == std::errc::connection_refused && is_left_behind(socket)) fs::remove(socket, ignored);
    return;
  }
  try {
    Client client(std::move(connection), {.timeout = patience});
    if (auto report = client.call("status").structured) running.reports.push_back(std::move(*report));
  } catch (const TimeoutError&) {
    running.silent.push_back(socket.stem().string());
  } catch (const std::exception&) {  // it has ended meanwhile
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

std::string StatusSocket::usual_folder() { return state_folder("running"); }

RunningBridges running_bridges(const std::string& folder) {
  std::vector<fs::path> sockets;
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    if (entry->path().string().ends_with(ending)) sockets.push_back(entry->path());
  }
  std::ranges::sort(sockets);
  const std::string secret = sockets.empty() ? "" : secret_of_folder(folder);
  RunningBridges running;
  for (const fs::path& socket : sockets) ask(socket, secret, running);
  return running;
}

}  // namespace toolwire::bridge
