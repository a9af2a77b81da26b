// A server for many peers: it listens on the Unix domain socket that it is given.
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

#include <toolwire/server.hpp>

using namespace std::chrono_literals;

namespace {

struct Text {
  std::string text;
  static constexpr auto describe() { return toolwire::fields(toolwire::field<&Text::text>("Any text")); }
};

struct Size {
  int bytes = 0;
  static constexpr auto describe() { return toolwire::fields(toolwire::field<&Size::bytes>("Of the answer")); }
};

void sleep_unless_stopped(std::chrono::microseconds time, const toolwire::Context& context) {
  const auto until = std::chrono::steady_clock::now() + time;
  while (!context.stop_token().stop_requested() && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(10ms, until - std::chrono::steady_clock::now()));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: toolwire-peers-server PATH\n"), 2;
  toolwire::Server server({.name = "peers", .version = "1"});
  server.tool("echo", "The text", [](const Text& said) { return said.text; });
  server.tool("short", "Waits for 0.9 ms", [] { std::this_thread::sleep_for(900us); });
  server.tool("long", "Waits for 10 s", [](toolwire::Context& context) { sleep_unless_stopped(10s, context); });
  server.tool("much", "As many bytes as are asked for",
              [](const Size& size) { return std::string(static_cast<std::size_t>(size.bytes), 'x'); });
  server.listen(toolwire::UnixSocket{argv[1]});
  return server.run();
}
