// As framework.cpp: what pages show of ports for HTTP and of tokens.
#include <string>
#include <toolwire/http/jwt.hpp>
#include <toolwire/http/listen.hpp>
#include <toolwire/server.hpp>

namespace snippets {

using toolwire::Done;
namespace http = toolwire::http;

void fetch_jwks(Done<std::string> done);

int port(toolwire::Server& server) {
  toolwire::http::listen(server, {.port = 8080});
  return server.run();
}

void tokens(toolwire::Server& server) {
  http::JwtOptions options{
      .resource = {.resource = "https://mcp.example.com/mcp", .authorization_servers = {"https://login.example.com"}}};
  options.fetch_keys = [](Done<std::string> done) { fetch_jwks(std::move(done)); };
  http::listen(server, {.authenticate = http::jwt_authenticator(options), .resource = options.resource});
}

}  // namespace snippets
