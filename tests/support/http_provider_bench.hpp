// A provider of the seed's manifest for one test: what it serves, what runs its tools, and its clients.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <toolwire/bridge/http_provider.hpp>

#include "curl.hpp"
#include "manifest_document.hpp"

namespace toolwire_test {

using toolwire::JsonObject;
using toolwire::ToolResult;
using toolwire::bridge::HttpProvider;
using toolwire::bridge::HttpProviderOptions;
using toolwire::bridge::load_manifest;
using toolwire::bridge::Manifest;

/// Answers at once with its arguments, unless told otherwise. Thread-safe.
class Tools {
 public:
  void execute(const std::string& tool, Json arguments, std::stop_token stop, std::function<void(ToolResult)> done) {
    const std::lock_guard lock(mutex_);
    ++calls_;
    if (!waits_) return done(next_ ? *next_ : ToolResult::of(JsonObject{{"tool", tool}, {"task", arguments}}));
    waiting_.push_back({std::move(stop), std::move(done)});
    changed_.notify_all();
  }
  void answer_with(ToolResult result) {
    const std::lock_guard lock(mutex_);
    next_ = std::move(result);
  }
  void wait_instead() {
    const std::lock_guard lock(mutex_);
    waits_ = true;
  }
  int calls() const { return calls_; }

  struct Waiting {
    std::stop_token stop;
    std::function<void(ToolResult)> done;
  };
  Waiting take_waiting() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !waiting_.empty(); });
    Waiting waiting = std::move(waiting_.back());
    waiting_.pop_back();
    return waiting;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<ToolResult> next_;
  std::vector<Waiting> waiting_;
  bool waits_ = false;
  std::atomic<int> calls_ = 0;
};

/// What is served; thread-safe. Not std::atomic<std::shared_ptr>, whose reader GCC 12 leaves without a fence.
class Served {
 public:
  std::shared_ptr<const Manifest> get() {
    const std::lock_guard lock(mutex_);
    return manifest_;
  }
  std::shared_ptr<const Manifest> exchange(std::shared_ptr<const Manifest> manifest) {
    const std::lock_guard lock(mutex_);
    return std::exchange(manifest_, std::move(manifest));
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<const Manifest> manifest_ = std::make_shared<const Manifest>(load_manifest(seed_path));
};

struct Provider {
  explicit Provider(HttpProviderOptions options = {})
      : provider(
            with_free_port(std::move(options)), [this] { return manifest.get(); },
            [this](const std::string& tool, Json arguments, std::stop_token stop,
                   std::function<void(ToolResult)> done) {
              tools.execute(tool, std::move(arguments), std::move(stop), std::move(done));
            }),
        port(provider.listen()),
        thread([this] { provider.run(); }) {}
  ~Provider() { end(); }
  Provider(const Provider&) = delete;
  Provider& operator=(const Provider&) = delete;

  void end() {
    if (!thread.joinable()) return;
    provider.stop();
    thread.join();
  }
  std::string url(const std::string& path) const { return "http://127.0.0.1:" + std::to_string(port) + path; }
  CurlAnswer get(const std::string& path, std::vector<std::string> more = {}) const {
    more.push_back(url(path));
    return curl(std::move(more));
  }
  CurlAnswer execute(const std::string& body, std::vector<std::string> more = {}) const {
    more.insert(more.end(),
                {"-H", "Content-Type: application/json", "--data-binary", body, url("/api/v1/tools/execute")});
    return curl(std::move(more));
  }

  static HttpProviderOptions with_free_port(HttpProviderOptions options) {
    options.port = 0;
    return options;
  }

  Served manifest;
  Tools tools;
  HttpProvider provider;
  int port;
  std::thread thread;
};

inline const std::string call = R"({"tool_name":"spawn_coding_agent","arguments":{"task":"x"}})";

/// A raw connection, for what curl cannot do.
class RawConnection {
 public:
  explicit RawConnection(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    BOOST_REQUIRE(::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  }
  ~RawConnection() { ::close(socket_); }
  RawConnection(const RawConnection&) = delete;
  RawConnection& operator=(const RawConnection&) = delete;

  void send(const std::string& text) const { ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL); }
  std::string rest() const {
    std::string text;
    char bytes[1024];
    for (ssize_t count = 0; (count = ::recv(socket_, bytes, sizeof bytes, 0)) > 0;) {
      text.append(bytes, static_cast<std::size_t>(count));
    }
    return text;
  }

 private:
  int socket_;
};

}  // namespace toolwire_test
