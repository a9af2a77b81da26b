// A bridge with back-ends behind it and a host in front, for tests.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <toolwire/engine.hpp>
#include <toolwire/server.hpp>
#include <toolwire/testing.hpp>

#include "activities/mcp/offer.hpp"
#include "comes_true.hpp"
#include "failure_code.hpp"

namespace toolwire_test {

namespace mcp = toolwire::bridge::mcp;

/// The program of tests/support/mcp_back_end.cpp as a back-end.
inline mcp::BackEndOptions back_end_program(std::string name, std::string revision = {}) {
  return {.name = std::move(name),
          .command = {std::string(TOOLWIRE_BIN_DIR) + "/mcp_back_end"},
          .revision = std::move(revision)};
}

/// A legacy server in a few lines of shell: answers the handshake (id 1) and then runs the rest of the script.
inline mcp::BackEndOptions shell_back_end(std::string name, const std::string& rest) {
  return {.name = std::move(name),
          .command = {"sh", "-c",
                      R"(read -r line
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}}'
read -r line
)" + rest},
          .revision = "2025-11-25"};
}

/// The answer of a shell back-end to its first tools/list (id 2): one tool "x".
inline std::string lists_x() {
  return R"(read -r line
echo '{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"x","inputSchema":{"type":"object"}}]}}'
)";
}

/// Lines of the log. Thread-safe.
class LogBook {
 public:
  std::function<void(const std::string&)> writer() {
    return [this](const std::string& line) {
      const std::lock_guard lock(mutex_);
      text_ += line + "\n";
    };
  }
  bool has(std::string_view words) {
    const std::lock_guard lock(mutex_);
    return text_.find(words) != std::string::npos;
  }
  std::string text() {
    const std::lock_guard lock(mutex_);
    return text_;
  }

 private:
  std::mutex mutex_;
  std::string text_;
};

/// Host, bridge and back-ends, which share one engine; the constructor starts the back-ends unless they are pinned.
struct McpBridge {
  explicit McpBridge(std::vector<mcp::BackEndOptions> back_ends, const toolwire::ClientOptions& host_options = {},
                     mcp::OfferOptions options = {}, std::set<std::string> reserved = {})
      : server({.name = "bridge", .version = "1.0.0"},
               {.on_bad_schema = toolwire::BadSchema::fail_calls, .declares = {.logging = true}}) {
    options.start_wait = std::chrono::seconds(30);
    options.log = log.writer();
    for (mcp::BackEndOptions& one : back_ends) one.engine = engine;
    offer.emplace(server, std::move(back_ends), std::move(options));
    offer->begin(std::move(reserved));
    host.emplace(server, host_options);
  }

  mcp::BackEnd& back_end(std::size_t index = 0) { return *offer->back_ends().at(index); }

  std::vector<std::string> tools() {
    std::vector<std::string> names;
    for (const auto& tool : host->list_tools()) names.push_back(tool.name);
    return names;
  }

  LogBook log;
  std::shared_ptr<toolwire::Engine> engine = std::make_shared<toolwire::Engine>();
  toolwire::Server server;
  std::optional<mcp::Offer> offer;
  std::optional<toolwire::testing::Client> host;
};

inline toolwire::ClientOptions host(std::string revision) {
  toolwire::ClientOptions options;
  options.revision = std::move(revision);
  return options;
}

/// A host whose user accepts every form with {"sure": true}.
inline toolwire::ClientOptions willing_host(std::string revision, std::atomic<int>& asked) {
  toolwire::ClientOptions options = host(std::move(revision));
  options.on_elicitation = [&asked](const toolwire::Elicitation&) {
    ++asked;
    return toolwire::ElicitationReply{.action = toolwire::ElicitationReply::Action::accept,
                                      .content = {{"sure", true}}};
  };
  return options;
}

}  // namespace toolwire_test
