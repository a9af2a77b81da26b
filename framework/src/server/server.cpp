#include "toolwire/server.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "features/read_output.hpp"
#include "json/writer.hpp"
#include "server/session.hpp"
#include "server/state.hpp"

namespace toolwire {

Server::Server(ServerInfo info, ServerOptions options)
    : state_(std::make_shared<State>(std::move(info), std::move(options))) {
  const ServerOptions& chosen = state_->options;
  if (chosen.kept_output > 0 || chosen.stores.outputs)
    add(features::read_output_tool(state_->kept_outputs, chosen.output_budget.value_or(OutputBudget{})));
}
Server::~Server() = default;

void Server::add(Tool tool) {
  if (tool.info.long_running) state_->offer(protocol::Feature::tasks);
  state_->tools.add(features::serve(std::move(tool), state_->options.on_bad_schema));
  state_->offer(protocol::Feature::tools);
  state_->tell({protocol::Topic::tools_list});
}

bool Server::remove_tool(std::string_view name) {
  if (!state_->tools.remove(name)) return false;
  state_->tell({protocol::Topic::tools_list});
  return true;
}

void Server::change_tools(ToolChanges changes) {
  const auto served = [this](std::vector<Tool>& tools) {
    features::ToolRegistry::Items items;
    for (Tool& tool : tools) {
      if (tool.info.long_running) state_->offer(protocol::Feature::tasks);
      items.push_back(features::serve(std::move(tool), state_->options.on_bad_schema));
    }
    return items;
  };
  const auto replaced = served(changes.replace);
  const auto added = served(changes.add);
  state_->tools.change(changes.remove, replaced, added, changes.order);
  if (!replaced.empty() || !added.empty()) state_->offer(protocol::Feature::tools);
  state_->tell({protocol::Topic::tools_list});
}

void Server::describe_tools(JsonObject meta) { state_->describe_tools(std::move(meta)); }

void Server::add(Prompt prompt) {
  const Completers& completers = prompt.info.completers;
  const bool completes = std::any_of(completers.begin(), completers.end(),
                                     [](const auto& completer) { return completer.second != nullptr; });
  state_->prompts.add(features::serve(std::move(prompt)));
  state_->offer(protocol::Feature::prompts);
  if (completes) state_->offer(protocol::Feature::completions);
  state_->tell({protocol::Topic::prompts_list});
}

bool Server::remove_prompt(std::string_view name) {
  if (!state_->prompts.remove(name)) return false;
  state_->tell({protocol::Topic::prompts_list});
  return true;
}

void Server::add(Resource resource) {
  const bool subscribable = resource.info.subscribable;
  state_->resources.resources.add(features::serve(std::move(resource)));
  state_->offer(protocol::Feature::resources);
  if (subscribable) state_->offer(protocol::Feature::resource_updates);
  state_->tell({protocol::Topic::resources_list});
}

void Server::add(ResourceTemplate made) {
  auto served = features::serve(std::move(made));
  const ResourceTemplateInfo& info = served->made.info;
  const bool subscribable = info.subscribable;
  const bool completes = std::any_of(info.complete.begin(), info.complete.end(),
                                     [](const auto& entry) { return entry.second != nullptr; });
  state_->resources.templates.add(std::move(served));
  state_->offer(protocol::Feature::resources);
  if (subscribable) state_->offer(protocol::Feature::resource_updates);
  if (completes) state_->offer(protocol::Feature::completions);
  state_->tell({protocol::Topic::resources_list});
}

bool Server::remove_resource(std::string_view uri) {
  if (!state_->resources.resources.remove(uri)) return false;
  state_->tell({protocol::Topic::resources_list});
  return true;
}

bool Server::remove_resource_template(std::string_view uri_template) {
  if (!state_->resources.templates.remove(uri_template)) return false;
  state_->tell({protocol::Topic::resources_list});
  return true;
}

void Server::resource_updated(std::string_view uri) {
  std::string params = "\"uri\":";
  json::write_string(params, uri);
  state_->tell({protocol::Topic::resource_updated, uri, params});
}

void Server::resource_list_changed() { state_->tell({protocol::Topic::resources_list}); }

bool Server::elicitation_complete(std::string_view elicitation_id) {
  return protocol::complete_elicitation(*state_, elicitation_id);
}

void Server::around_call(Middleware middleware) { state_->around(std::move(middleware)); }

void Server::around_request(RequestMiddleware middleware) { state_->around(std::move(middleware)); }

void Server::end_subscriptions() { state_->end_subscriptions(); }

int Server::run(Transport& transport) {
  server::Session(*state_, transport, {}).run();
  return 0;
}

}  // namespace toolwire
