// A program that uses a server over HTTP: `http_client URL [TOKEN]` says what it offers and adds two numbers there.
#include <cstdio>
#include <exception>
#include <toolwire/client.hpp>
#include <toolwire/http/connect.hpp>

using namespace toolwire;

int main(int argc, char** argv) try {
  if (argc < 2) return std::fputs("usage: http_client URL [TOKEN]\n", stderr), 2;
  Client client(http::connect(argv[1], {.token = argc > 2 ? argv[2] : ""}));
  std::printf("%s speaks %s\n", client.server().name.c_str(), client.server().revision.c_str());
  for (const ListedTool& tool : client.list_tools())
    std::printf("%s: %s\n", tool.name.c_str(), tool.description.c_str());
  std::printf("%g\n", client.call<double>("add", {{"a", 40}, {"b", 2}}));
  return 0;
} catch (const std::exception& problem) {  // no such server, a refusal: each says what happened
  std::fprintf(stderr, "http_client: %s\n", problem.what());
  return 1;
}
