// Tests of one's own tools: the server and a client of it in one process. The status is 0 when all is well.
#include <cstdio>
#include <string>
#include <toolwire/testing.hpp>

using namespace toolwire;

/// In a program of several files: where the server is made, for main and for the tests.
void add_tools(Server& server) {
  server.tool("add", "Add two numbers", args("a", "b"), [](double a, double b) { return a + b; });
}

int failures = 0;
void check(bool holds, const char* what) {
  if (holds) return;
  ++failures;
  std::fprintf(stderr, "failed: %s\n", what);
}

int main() {
  Server server({.name = "adder", .version = "1.0.0"});
  add_tools(server);
  testing::Client client(server);

  check(client.list_tools().size() == 1, "there is one tool");
  check(client.call("add", {{"a", 1}, {"b", 2}}).text() == "3", "1 + 2 is 3");
  const CallResult wrong = client.call("add", {{"a", 1}});
  check(wrong.is_error && wrong.text().find("b: missing") != std::string::npos, "what is missing is named");
  return failures == 0 ? 0 : 1;
}
