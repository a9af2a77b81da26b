// A result of several kinds: an image for the user, numbers for programs, a link to more, details that no model reads.
#include <string>
#include <toolwire/server.hpp>

using namespace toolwire;

std::string drawing(int percent) {
  return "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='10'><rect width='" + std::to_string(percent) +
         "' height='10'/></svg>";
}

ToolResult disk_usage() {
  const int percent = 42;
  ToolResult result = ToolResult::of({{"percent", percent}});
  result.add({ImageContent{drawing(percent), "image/svg+xml"}, {.audience = {"user"}}});
  result.add({ResourceLink{.uri = "disk://report", .name = "report", .mime_type = "text/plain"}});
  result.add_detail("device", "/dev/sda1");
  return result;
}

int main(int argc, char** argv) {
  Server server({.name = "disk", .version = "1.0.0"});
  server.tool({.name = "disk_usage", .description = "Show how full the disk is", .read_only = true}, disk_usage);
  server.resource({.uri = "disk://report", .mime_type = "text/plain"}, [] { return "42 % of /dev/sda1"; });
  return server.run_stdio(argc, argv);
}
