// Lists and resources that change, so that clients receive notifications.
#include <string>

#include "everything/everything.hpp"

namespace everything {
namespace {

using namespace toolwire;

constexpr std::string_view coming_and_going = "test_dynamic";
constexpr std::string_view dynamic_uri = "test://dynamic";

/// Each call adds the entry if it is missing, and removes it otherwise.
void change_tools(Server& server) {
  if (server.remove_tool(coming_and_going)) return;
  add(server, std::string(coming_and_going), "Comes and goes", [] { return "still here"; });
}

void change_prompts(Server& server) {
  if (server.remove_prompt(coming_and_going)) return;
  server.prompt(std::string(coming_and_going), "Comes and goes", [] { return "still here"; });
}

void change_resources(Server& server) {
  if (server.remove_resource(dynamic_uri)) return;
  server.resource({.uri = std::string(dynamic_uri), .name = "dynamic", .description = "Comes and goes"},
                  [] { return "still here"; });
}

}  // namespace

void add_changing_tools(Server& server) {
  add(server, "test_trigger_tool_change", "Changes the list of tools", [&server] {
    change_tools(server);
    return "Mutation triggered";
  });
  add(server, "test_trigger_prompt_change", "Changes the list of prompts", [&server] {
    change_prompts(server);
    return "Mutation triggered";
  });
  add(server, "test_trigger_resource_change", "Changes the list of resources", [&server] {
    change_resources(server);
    return "Mutation triggered";
  });
  add(server, "test_touch_resource", "Tells clients that test://watched-resource has changed", [&server] {
    server.resource_updated("test://watched-resource");
    return "touched";
  });
  add(server, "test_close_subscriptions", "Ends all open subscriptions/listen requests", [&server] {
    server.end_subscriptions();
    return "closed";
  });
}

}  // namespace everything
