// The framework's client as a host that is judged: `own_client [TOOL ARGUMENTS] -- SERVER…`.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <toolwire/client.hpp>
#include <vector>

using namespace toolwire;

namespace {

using Words = std::vector<std::string>;

void show_tools(Client& client) {
  for (const ListedTool& tool : client.list_tools())
    std::printf("%s: %s\n", tool.name.c_str(), tool.description.c_str());
  std::fflush(stdout);
}

/// What the server does not offer is not asked for, and a list that changes is asked for again.
void use(Client& client, const Words& call, const std::atomic<bool>& has_changed) {
  const JsonObject* offered = client.server().capabilities.if_object();
  if (offered == nullptr || !offered->contains("tools")) return;
  show_tools(client);
  if (call.size() < 2) return;
  std::printf("%s\n", client.call(call[0], parse_json(call[1])).text().c_str());
  std::fflush(stdout);
  if (has_changed) show_tools(client);
}

}  // namespace

int main(int argc, char** argv) try {
  const Words words(argv + 1, argv + argc);
  const auto separator = std::find(words.begin(), words.end(), "--");
  if (separator == words.end()) return std::fputs("own_client: expected -- and a server\n", stderr), 2;
  std::atomic<bool> has_changed{false};
  const auto listen = [&](const std::string& method, const Json&) {
    if (method == "notifications/tools/list_changed") has_changed = true;
  };
  Client client(Program{.command = {separator + 1, words.end()}},
                {.timeout = std::chrono::milliseconds{2500}, .on_notification = listen});
  use(client, {words.begin(), separator}, has_changed);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "own_client: %s\n", error.what());
  return 1;
}
