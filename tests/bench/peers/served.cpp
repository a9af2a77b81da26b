#include "served.hpp"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace toolwire::bench {
namespace {

namespace fs = std::filesystem;

std::ptrdiff_t entries(int process, const char* folder) {
  return std::distance(fs::directory_iterator("/proc/" + std::to_string(process) + folder), fs::directory_iterator());
}

bool is_there(const std::string& path) {
  try {
    connect_unix_socket(path);
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

}  // namespace

Peer::Peer(const std::string& path) : transport_(connect_unix_socket(path)) {}

void Peer::say(std::string_view line) {
  for (const std::string_view part : {line, std::string_view("\n")}) {
    if (transport_->write(part.data(), part.size(), Transport::Blocking::yes) == Transport::peer_gone)
      throw std::runtime_error("the server has hung up");
  }
}

std::string Peer::hear() {
  std::size_t end = 0;
  while ((end = heard_.find('\n')) == std::string::npos) {
    std::array<char, 65536> bytes{};
    const std::ptrdiff_t count = transport_->read(bytes.data(), bytes.size());
    if (count <= 0) throw std::runtime_error("the server has hung up");
    heard_.append(bytes.data(), static_cast<std::size_t>(count));
  }
  std::string line = heard_.substr(0, end);
  heard_.erase(0, end + 1);
  return line;
}

double Peer::time(std::string_view line) {
  const auto began = std::chrono::steady_clock::now();
  say(line);
  hear();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
}

std::string ping(int id) { return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"ping"})"; }

std::string call(int id, std::string_view tool, std::string_view arguments) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"tools/call","params":{"name":")" +
         std::string(tool) + R"(","arguments":)" + std::string(arguments) + "}}";
}

Served::Served() {
  std::string folder = (fs::temp_directory_path() / "toolwire-peers-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) throw std::system_error(errno, std::generic_category(), "mkdtemp");
  folder_ = folder;
  path_ = folder + "/socket";
  std::string program = (fs::read_symlink("/proc/self/exe").parent_path() / "toolwire-peers-server").string();
  std::array<char*, 3> arguments{program.data(), path_.data(), nullptr};
  if (const int error = ::posix_spawn(&process_, program.c_str(), nullptr, nullptr, arguments.data(), environ))
    throw std::system_error(error, std::generic_category(), program);
  while (!is_there(path_)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

Served::~Served() {
  ::kill(process_, SIGTERM);
  ::waitpid(process_, nullptr, 0);
  fs::remove_all(folder_);
}

std::unique_ptr<Peer> Served::peer() const {
  auto peer = std::make_unique<Peer>(path_);
  peer->say(
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},)"
      R"("clientInfo":{"name":"bench","version":"1"}}})");
  peer->hear();
  peer->say(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  return peer;
}

double Served::resident_megabytes() const {
  std::ifstream file("/proc/" + std::to_string(process_) + "/statm");
  double pages = 0;
  file >> pages >> pages;
  return pages * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1e6;
}

std::ptrdiff_t Served::threads() const { return entries(process_, "/task"); }
std::ptrdiff_t Served::descriptors() const { return entries(process_, "/fd"); }

}  // namespace toolwire::bench
