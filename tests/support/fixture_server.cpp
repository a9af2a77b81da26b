#include "fixture_server.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "fixture_tools.hpp"

namespace toolwire_test {
namespace {

toolwire::Tool named(const std::vector<toolwire::Tool>& tools, const std::string& name) {
  auto found =
      std::find_if(tools.begin(), tools.end(), [&](const toolwire::Tool& tool) { return tool.info.name == name; });
  if (found == tools.end()) throw std::invalid_argument("the fixture server has no tool \"" + name + "\"");
  return *found;
}

}  // namespace

toolwire::ServerInfo fixture_info(const FixtureOptions& options) {
  if (!options.full_info) return {.name = "fixture", .version = "1.2.3"};
  return {
      .name = "fixture",
      .version = "1.2.3",
      .title = "The fixture",
      .description = "Shows everything",
      .icons = {{.src = "https://example.org/icon.png", .mime_type = "image/png", .sizes = {"48x48"}, .theme = "dark"}},
      .website = "https://example.org/",
      .instructions = "Use echo first."};
}

void fill_fixture_server(toolwire::Server& server, const FixtureOptions& options,
                         const std::function<void(toolwire::Tool)>& add) {
  FixtureTools tools{server, std::make_shared<Gates>()};
  add_plain_tools(tools);
  add_failing_tools(tools);
  add_flow_tools(tools);
  add_question_tools(tools);
  add_process_tools(tools);
  if (options.tasks) add_task_tools(tools);
  if (options.client_tools) add_client_tools(tools);
  for (const std::string& name : options.tools) add(named(tools.all, name));
  if (options.tools.empty()) {
    for (toolwire::Tool& tool : tools.all) add(std::move(tool));
  }
  if (options.prompts) add_prompts(server, tools.gates);
  if (!options.resources.empty()) add_resources(server, tools.gates, options.resources);
}

std::unique_ptr<toolwire::Server> make_fixture_server(const FixtureOptions& options) {
  auto server = std::make_unique<toolwire::Server>(fixture_info(options), options.server);
  fill_fixture_server(*server, options, [&](toolwire::Tool tool) { server->add(std::move(tool)); });
  return server;
}

}  // namespace toolwire_test
