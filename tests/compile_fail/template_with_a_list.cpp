#include "toolwire/server.hpp"

struct Path {
  std::vector<std::string> parts;
  static constexpr auto describe() { return toolwire::fields(toolwire::field<&Path::parts>("Parts")); }
};
void refused(toolwire::Server& server) {
  server.resource_template({.uri_template = "notes://{parts}"}, [](const Path& path) { return path.parts.front(); });
}
