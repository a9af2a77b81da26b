// A server of HTTP for callers with signed tokens, which also serves its standard input and output.
#include <stdexcept>
#include <toolwire/http/jwt.hpp>

int main() {
  using namespace toolwire;
  Server server{{.name = "calculator", .version = "1.0.0"}};
  server.tool("add", "Add two numbers", args("a", "b"), [](double a, double b) { return a + b; });
  http::JwtOptions options{.resource = {.resource = "https://calculator.example.com/mcp",
                                        .authorization_servers = {"https://login.example.com"}}};
  options.fetch_keys = [](Done<std::string> done) {
    done.fail(std::make_exception_ptr(std::runtime_error("this program has no HTTP client")));
  };
  http::listen(server, {.authenticate = http::jwt_authenticator(options), .resource = options.resource});
  return server.run_stdio();
}
