// One server for many clients: `listeners FOLDER`, which no other user can write to. Two Unix sockets, the second of
// which asks for a token, and a port of this machine. SIGTERM ends it.
#include <atomic>
#include <cstdio>
#include <string>
#include <toolwire/server.hpp>

using namespace toolwire;

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("usage: listeners FOLDER\n", stderr), 2;
  const std::string folder = argv[1];
  const std::string token = "this should be random";

  std::atomic<int> visits = 0;
  Server server({.name = "visits", .version = "1.0.0"});
  server.tool("visit", "Count a visit", [&] { return ++visits; });

  server.listen(UnixSocket{.path = folder + "/open"});
  server.listen(UnixSocket{.path = folder + "/guarded", .token = token});
  std::printf("%d\n", server.listen(LoopbackPort{.token = token}));
  std::fflush(stdout);
  return server.run();
}
