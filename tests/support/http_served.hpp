// A server that listens on a port of its own for HTTP, running until it is stopped.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <toolwire/http/listen.hpp>
#include <toolwire/server.hpp>
#include <utility>

#include "comes_true.hpp"
#include "gates.hpp"
#include "raw_http.hpp"

namespace toolwire_test {

/// On a slow machine an answer would become a stream, which is not what most tests ask for.
inline toolwire::http::Port patient(toolwire::http::Port port = {}) {
  port.handler.stream_after = std::chrono::hours(1);
  return port;
}

struct HttpServed {
  explicit HttpServed(toolwire::http::Port where = patient(), toolwire::ServerOptions options = {})
      : server({"served", "1"}, std::move(options)) {
    add_tools();
    port = toolwire::http::listen(server, where);
    running = std::thread([this] { server.run(); });
  }
  ~HttpServed() { end(); }
  HttpServed(const HttpServed&) = delete;
  HttpServed& operator=(const HttpServed&) = delete;

  void end() {
    server.stop();
    if (running.joinable()) running.join();
  }
  std::string host() const { return "127.0.0.1:" + std::to_string(port); }
  RawHttp client(int room = 0) const { return RawHttp(port, room); }
  RawCall call(std::string tool, std::string arguments = "{}", std::string more = "") const {
    return {std::move(tool), std::move(arguments), std::move(more), host()};
  }
  RawCall echo(const std::string& text) const { return call("echo", R"({"text":")" + text + R"("})"); }
  /// Whether a call of a client of its own is answered.
  bool answers() const {
    RawHttp fresh = client();
    fresh.send(echo("here").text());
    const auto answer = fresh.answer();
    return answer && answer->status == 200 && answer->body.find(R"("text":"here")") != std::string::npos;
  }

  toolwire_test::Gates gates;
  std::atomic<int> running_tools = 0;
  std::atomic<int> cancelled_tools = 0;
  std::atomic<int> events = 0;  // that the tool `flood` has reported
  toolwire::Server server;
  std::uint16_t port = 0;
  std::thread running;

 private:
  struct Running {
    explicit Running(std::atomic<int>& count) : counted(count) { ++counted; }
    ~Running() { --counted; }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    std::atomic<int>& counted;
  };

  void add_tools() {
    using toolwire::args;
    using toolwire::Context;
    server.tool("echo", "The text", args("text"), [](const std::string& text) { return text; });
    server.tool("hold", "Waits for a gate, or to be cancelled", args("gate"),
                [this](const std::string& gate, Context& context) {
                  const Running one(running_tools);
                  const bool goes_on = gates.wait(gate, context.stop_token());
                  if (!goes_on) ++cancelled_tools;
                  return goes_on ? "went on" : "stopped";
                });
    server.tool("flood", "Reports so many messages of 4 KiB", args("count"), [this](int count, Context& context) {
      const Running one(running_tools);
      for (int i = 0; i < count && !context.stop_requested(); ++i) {
        context.progress(i, count, std::to_string(i) + std::string(4096, '.'));
        ++events;
      }
      return "reported";
    });
    server.tool("large", "A text of so many bytes", args("size"),
                [](int size) { return std::string(static_cast<std::size_t>(size), 'x'); });
  }
};

}  // namespace toolwire_test
