// The smallest server behind an HTTP server, which is left out here: one request is handed over, and the answer
// printed.
#include <iostream>
#include <memory>
#include <toolwire/http/handler.hpp>
#include <toolwire/http/waiting_exchange.hpp>

int main() {
  toolwire::Server server{{.name = "calculator", .version = "1.0.0"}};
  server.tool("add", "Add two numbers", toolwire::args("a", "b"), [](double a, double b) { return a + b; });
  toolwire::http::Handler handler(server);
  const auto exchange = std::make_shared<toolwire::http::WaitingExchange>();
  handler.handle({.method = "POST",
                  .target = "/mcp",
                  .fields = {{"Host", "localhost"},
                             {"Content-Type", "application/json"},
                             {"Accept", "application/json, text/event-stream"},
                             {"MCP-Protocol-Version", "2026-07-28"},
                             {"Mcp-Method", "tools/call"},
                             {"Mcp-Name", "add"}},
                  .body = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add",
                              "arguments":{"a":40,"b":2},"_meta":{
                              "io.modelcontextprotocol/protocolVersion":"2026-07-28",
                              "io.modelcontextprotocol/clientCapabilities":{}}}})"},
                 exchange);
  std::cout << exchange->head().status << '\n';
  while (const auto bytes = exchange->next(std::chrono::seconds(1))) std::cout << *bytes;
}
