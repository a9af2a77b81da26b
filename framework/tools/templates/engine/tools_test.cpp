// A client and the server in one process: what a host would see.
#include "tools.hpp"

#include <toolwire/testing.hpp>

#include "check.hpp"

int main() {
  World world;
  toolwire::Server server{{.name = "{{NAME}}", .version = "0.1.0"}};
  add_tools(server, world);
  toolwire::testing::Client client{server};

  check(client.list_tools().size() == 2, "there are two tools");
  check(!client.call("drop", {{"name", "ball"}, {"height", 10}}).is_error, "a body is dropped");
  check(client.call("drop", {{"name", "ball"}, {"height", 10}}).is_error, "a name is taken once");
  check(client.call("drop", {{"name", "high"}, {"height", 5000}}).is_error, "bounds are checked");
  for (int i = 0; i < 100; ++i) world.step(0.01);
  check(world.bodies().at("ball").height < 10, "a body falls");
  check(client.call("look").text().find("ball") != std::string::npos, "a body is seen");
  return failures;
}
