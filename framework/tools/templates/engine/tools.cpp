#include "tools.hpp"

#include <string>
#include <vector>

namespace {

struct Seen {
  std::string name;
  double height = 0;

  static constexpr auto describe() {
    return toolwire::fields(toolwire::field<&Seen::name>("Its name"), toolwire::field<&Seen::height>("In metres"));
  }
};

std::vector<Seen> look(const World& world) {
  std::vector<Seen> all;
  for (const auto& [name, body] : world.bodies()) all.push_back({name, body.height});
  return all;
}

}  // namespace

void add_tools(toolwire::Server& server, World& world) {
  using toolwire::arg, toolwire::args;
  server.tool({.name = "look", .description = "See all bodies as they are now", .read_only = true}, args(),
              [&world] { return look(world); });
  server.tool({.name = "drop", .description = "Drop a new body", .read_only = false, .destructive = false},
              args(arg("name", "A name for it"), arg("height", "From how high, in metres").between(0, 1000)),
              [&world](const std::string& name, double height) {
                if (!world.drop(name, height)) throw toolwire::ToolError{"name: there is a \"" + name + "\" already"};
                return "dropped " + name;
              });
}
