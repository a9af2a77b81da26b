// A program that uses a server: `client SERVER [ARGUMENT…]` starts it, says what it offers and adds two numbers there.
#include <cstdio>
#include <exception>
#include <string>
#include <toolwire/client.hpp>
#include <vector>

using namespace toolwire;

int main(int argc, char** argv) try {
  if (argc < 2) return std::fputs("usage: client SERVER [ARGUMENT…]\n", stderr), 2;
  Client client(Program{.command = std::vector<std::string>(argv + 1, argv + argc)});
  std::printf("%s speaks %s\n", client.server().name.c_str(), client.server().revision.c_str());
  for (const ListedTool& tool : client.list_tools())
    std::printf("%s: %s\n", tool.name.c_str(), tool.description.c_str());

  CallHandle call = client.start_call("add", {{"a", 40}, {"b", 2}});  // others may be started meanwhile
  std::printf("%s\n", call.wait().text().c_str());

  const auto sum = client.call<double>("add", {{"a", 0.5}, {"b", 1}});  // the result as a type, or an exception
  std::printf("%g\n", sum);
  return 0;
} catch (const std::exception& problem) {  // no such program, no answer, a refusal: each says what happened
  std::fprintf(stderr, "client: %s\n", problem.what());
  return 1;
}
