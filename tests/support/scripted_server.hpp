// The server's end of a connection in memory, played by a test: it reads lines and sends any it wants.
#pragma once

#include <array>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <toolwire/json.hpp>
#include <toolwire/transport.hpp>
#include <utility>

/// A result whose content is one text.
inline toolwire::Json text_result(const char* text) {
  return {{"resultType", "complete"},
          {"content", toolwire::JsonArray{toolwire::Json{{"type", "text"}, {"text", text}}}}};
}

/// One thread runs the script; the client's end is taken once. Destruction waits for the script to return, which it
/// does at the latest when `receive` finds the connection closed.
class ScriptedServer {
 public:
  explicit ScriptedServer(std::function<void(ScriptedServer&)> script) {
    std::tie(client_end, end_) = toolwire::memory_transports();
    thread_ = std::thread{[this, run = std::move(script)] {
      run(*this);
      end_.reset();
    }};
  }
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;
  ~ScriptedServer() { finish(); }

  /// Waits for the script; afterwards its notes can be read.
  void finish() {
    client_end.reset();
    if (thread_.joinable()) thread_.join();
    BOOST_TEST(unmet_ == 0, "the script expected something else");
    unmet_ = 0;
  }
  /// Inside the script, where Boost.Test must not be used: `finish` reports it.
  void expect(bool holds) { unmet_ += holds ? 0 : 1; }

  std::unique_ptr<toolwire::Transport> client_end;

  /// The next message; null at the end of input.
  toolwire::Json receive() {
    std::string line;
    while (true) {
      if (const auto end = read_.find('\n'); end != std::string::npos) {
        line = read_.substr(0, end);
        read_.erase(0, end + 1);
        return toolwire::parse_json(line);
      }
      std::array<char, 65536> bytes;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the read
      const auto count = end_->read(bytes.data(), bytes.size());
      if (count <= 0) return nullptr;
      read_.append(bytes.data(), static_cast<std::size_t>(count));
    }
  }

  void send_line(std::string_view text) {
    const std::string line = std::string{text} + "\n";
    end_->write(line.data(), line.size(), toolwire::Transport::Blocking::yes);
  }
  void send(const toolwire::Json& message) { send_line(toolwire::to_json_text(message)); }
  void reply(const toolwire::Json& request, toolwire::Json result) {
    send(toolwire::Json{{"jsonrpc", "2.0"}, {"id", id_of(request)}, {"result", std::move(result)}});
  }
  void refuse(const toolwire::Json& request, int code, std::string_view message, toolwire::Json data = nullptr) {
    toolwire::JsonObject error{{"code", code}, {"message", toolwire::JsonString{message}}};
    if (!data.is_null()) error["data"] = std::move(data);
    send(toolwire::Json{{"jsonrpc", "2.0"}, {"id", id_of(request)}, {"error", std::move(error)}});
  }

  /// Plays a modern server's part of the probe.
  void be_modern() { reply(receive(), discovery()); }
  /// Refuses the probe, then goes through the handshake.
  void be_legacy(std::string_view revision = "2025-11-25") {
    refuse(receive(), -32601, "Method not found");
    shake_hands(revision);
  }
  void shake_hands(std::string_view revision) {
    reply(receive(), {{"protocolVersion", toolwire::JsonString{revision}},
                      {"capabilities", {{"tools", toolwire::JsonObject{}}}},
                      {"serverInfo", {{"name", "scripted"}, {"version", "1.2.3"}}},
                      {"instructions", "Be brief."}});
    receive();  // notifications/initialized
  }
  static toolwire::Json discovery() {
    return {{"resultType", "complete"},
            {"supportedVersions", toolwire::JsonArray{"2026-07-28"}},
            {"capabilities", {{"tools", toolwire::JsonObject{}}}},
            {"_meta", {{"io.modelcontextprotocol/serverInfo", {{"name", "scripted"}, {"version", "1.2.3"}}}}},
            {"instructions", "Be brief."}};
  }

  static std::string method_of(const toolwire::Json& message) { return std::string{message.at("method").as_string()}; }

 private:
  static toolwire::Json id_of(const toolwire::Json& request) {
    return request.is_object() && request.as_object().contains("id") ? request.at("id") : toolwire::Json{nullptr};
  }

  std::unique_ptr<toolwire::Transport> end_;
  std::string read_;
  int unmet_ = 0;  // belongs to the script's thread until that has ended
  std::thread thread_;
};
