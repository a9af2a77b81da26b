// The framework's client as a host that is judged: `own_client [TOOL ARGUMENTS] -- SERVER…`.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <toolwire/client.hpp>
#include <vector>

using namespace toolwire;

namespace {

using Words = std::vector<std::string>;

void use(Client& client, const Words& call) {
  for (const ListedTool& tool : client.list_tools())
    std::printf("%s: %s\n", tool.name.c_str(), tool.description.c_str());
  if (call.size() < 2) return;
  std::printf("%s\n", client.call(call[0], parse_json(call[1])).text().c_str());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) try {
  const Words words(argv + 1, argv + argc);
  const auto separator = std::find(words.begin(), words.end(), "--");
  if (separator == words.end()) return std::fputs("own_client: expected -- and a server\n", stderr), 2;
  Client client(Program{.command = {separator + 1, words.end()}}, {.timeout = std::chrono::seconds{1}});
  use(client, {words.begin(), separator});
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "own_client: %s\n", error.what());
  return 1;
}
