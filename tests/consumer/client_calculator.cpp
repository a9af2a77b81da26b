// A client of a server over HTTP, which is in the same program, and adds there what somebody asks its own server for.
#include <string>
#include <thread>
#include <toolwire/client.hpp>
#include <toolwire/http/connect.hpp>
#include <toolwire/http/listen.hpp>

int main() {
  using namespace toolwire;
  Server far{{.name = "far", .version = "1.0.0"}};
  far.tool("add", "Add two numbers", args("a", "b"), [](double a, double b) { return a + b; });
  const auto port = http::listen(far, {});
  std::thread running([&] { far.run(); });
  int status = 1;
  {
    Client client(http::connect("http://127.0.0.1:" + std::to_string(port) + "/mcp"));
    Server near{{.name = "calculator", .version = "1.0.0"}};
    near.tool("add", "Add two numbers", args("a", "b"), [&](double a, double b) {
      return client.call<double>("add", {{"a", a}, {"b", b}});
    });
    status = near.run_stdio();
  }
  far.stop();
  running.join();
  return status;
}
