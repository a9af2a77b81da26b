// What a tool can end with besides a result, and what the model or the client reads then.
#include <stdexcept>
#include <string>
#include <toolwire/server.hpp>

using namespace toolwire;

int main(int argc, char** argv) {
  Server server({.name = "bank", .version = "1.0.0"});

  // The model reads the text, so it says what would work.
  server.tool("divide", "Divide two numbers", args("a", "b"), [](double a, double b) {
    if (b == 0) throw ToolError("b is 0: give another number");
    return a / b;
  });

  // The same with a code that programs can act on.
  server.tool("read_meter", "Read the meter", []() -> Outcome<int> {
    return failure("offline", "The meter is offline; try again in a minute", true, 60'000);
  });

  // Nobody knows whether it was done, so nobody may simply do it again.
  server.tool("pay", "Pay an amount", args("cents"), [](int) -> Outcome<int> {
    return unknown_outcome("no_answer", "The bank has not answered: look at the account before paying again");
  });

  // Not the tool has failed but the request: a JSON-RPC error, which most hosts do not show to the model.
  server.tool("vault", "Open the vault", []() -> int { throw ProtocolError(-32000, "The vault is not connected"); });

  // What was not foreseen is told without its details, which go to stderr.
  server.tool("crash", "Fail", []() -> int { throw std::runtime_error("table accounts: no column PIN"); });
  return server.run_stdio(argc, argv);
}
