#include "toolwire/server.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "features/read_output.hpp"
#include "json/writer.hpp"
#include "protocol/scopes.hpp"
#include "server/listener.hpp"
#include "server/session.hpp"
#include "server/state.hpp"
#include "transport/listening_socket.hpp"

namespace toolwire {
namespace {

constexpr std::size_t min_token = 16;

void expect_token(const std::string& token) {
  if (token.size() < min_token || token.find_first_of("\r\n") != std::string::npos)
    throw std::invalid_argument("the token that clients have to say has at least " + std::to_string(min_token) +
                                " bytes and no line break");
}

/// What a registry is to change. `serve` makes of each item what is served.
template <class Registry, class Item, class Serve>
typename Registry::Step step_of(Changes<Item>&& changes, const Serve& serve) {
  const auto served = [&serve](std::vector<Item>& items) {
    typename Registry::Items made;
    for (Item& item : items) made.push_back(serve(std::move(item)));
    return made;
  };
  return {.remove = std::move(changes.remove),
          .replace = served(changes.replace),
          .add = served(changes.add),
          .order = std::move(changes.order)};
}

bool has_suggestions(const Completers& completers) {
  return std::ranges::any_of(completers, [](const auto& completer) { return completer.second != nullptr; });
}

/// The features that clients may use because a server has this.
void offer_features_of(const features::ServedPrompt& served, Server::State& state) {
  state.offer(protocol::Feature::prompts);
  if (has_suggestions(served.prompt.info.completers)) state.offer(protocol::Feature::completions);
}

void offer_features_of(const features::ServedResource& served, Server::State& state) {
  state.offer(protocol::Feature::resources);
  if (served.resource.info.subscribable) state.offer(protocol::Feature::resource_updates);
}

void offer_features_of(const features::ServedTemplate& served, Server::State& state) {
  state.offer(protocol::Feature::resources);
  if (served.made.info.subscribable) state.offer(protocol::Feature::resource_updates);
  if (has_suggestions(served.made.info.complete)) state.offer(protocol::Feature::completions);
}

template <class Step>
void offer_features_of_all(const Step& step, Server::State& state) {
  for (const auto* const items : {&step.replace, &step.add}) {
    for (const auto& item : *items) offer_features_of(*item, state);
  }
}

/// Tells clients of a list that something may have been taken out of, with what others have waited to put there.
void tell_of_removal(Server::State& state, protocol::Topic topic) {
  state.followers.something_is_free(topic);
  state.tell({topic});
}

}  // namespace

Server::Server(ServerInfo info, ServerOptions options)
    : state_(std::make_shared<State>(std::move(info), std::move(options))) {
  const ServerOptions& chosen = state_->options;
  if (chosen.on_stuck == OnStuck::detach && chosen.threads == 0 && !chosen.engine)
    throw std::invalid_argument("on_stuck: with threads = 0 a tool runs on the thread that serves, and cannot be left");
  if (chosen.kept_output > 0 || chosen.stores.outputs)
    add(features::read_output_tool(state_->kept_outputs, chosen.output_budget.value_or(OutputBudget{})));
}
Server::Server(ServerInfo info) : Server(std::move(info), ServerOptions{}) {}
Server::~Server() = default;

void Server::add(std::string&& name, std::string&& description, detail::ErasedTool&& function) {
  add(detail::described({.name = std::move(name), .description = std::move(description)}, std::move(function)));
}

void Server::add(Tool tool) {
  if (tool.info.long_running) state_->offer(protocol::Feature::tasks);
  state_->tools.add(features::serve(std::move(tool), state_->options.on_bad_schema, state_->serial_lines));
  state_->offer(protocol::Feature::tools);
  state_->tell({protocol::Topic::tools_list});
}

bool Server::remove_tool(std::string_view name) {
  if (!state_->tools.remove(name)) return false;
  tell_of_removal(*state_, protocol::Topic::tools_list);
  return true;
}

void Server::change_tools(ToolChanges changes) {
  const bool adds = !changes.replace.empty() || !changes.add.empty();
  state_->tools.change(step_of<features::ToolRegistry>(std::move(changes), [this](Tool&& tool) {
    if (tool.info.long_running) state_->offer(protocol::Feature::tasks);
    return features::serve(std::move(tool), state_->options.on_bad_schema, state_->serial_lines);
  }));
  if (adds) state_->offer(protocol::Feature::tools);
  tell_of_removal(*state_, protocol::Topic::tools_list);
}

bool Server::has_tool(std::string_view name) const { return state_->tools.find(name) != nullptr; }

std::vector<std::string> Server::needed_scopes(std::string_view tool, const Json& arguments) const {
  const auto found = state_->tools.find(tool);
  return found ? protocol::scopes_of_call(found->tool.info, arguments) : std::vector<std::string>();
}

std::uint64_t Server::tools_version() const { return state_->tools.version(); }

void Server::describe_tools(JsonObject meta) { state_->describe_tools(std::move(meta)); }

void Server::add(Prompt prompt) {
  const auto served = features::serve(std::move(prompt));
  state_->prompts.add(served);
  offer_features_of(*served, *state_);
  state_->tell({protocol::Topic::prompts_list});
}

void Server::change_prompts(PromptChanges changes) {
  const auto step = step_of<features::PromptRegistry>(
      std::move(changes), [](Prompt&& prompt) { return features::serve(std::move(prompt)); });
  state_->prompts.change(step);
  offer_features_of_all(step, *state_);
  tell_of_removal(*state_, protocol::Topic::prompts_list);
}

bool Server::remove_prompt(std::string_view name) {
  if (!state_->prompts.remove(name)) return false;
  tell_of_removal(*state_, protocol::Topic::prompts_list);
  return true;
}

void Server::add(Resource resource) {
  const auto served = features::serve(std::move(resource));
  state_->resources.resources.add(served);
  offer_features_of(*served, *state_);
  state_->tell({protocol::Topic::resources_list});
}

void Server::add(ResourceTemplate made) {
  const auto served = features::serve(std::move(made));
  state_->resources.templates.add(served);
  offer_features_of(*served, *state_);
  state_->tell({protocol::Topic::resources_list});
}

void Server::change_resources(ResourceChanges changes) {
  const auto resources = step_of<features::Registry<features::ServedResource>>(
      std::move(changes.resources), [](Resource&& one) { return features::serve(std::move(one)); });
  const auto templates = step_of<features::Registry<features::ServedTemplate>>(
      std::move(changes.templates), [](ResourceTemplate&& one) { return features::serve(std::move(one)); });
  features::ResourceRegistry& registry = state_->resources;
  registry.resources.change(resources, [&] { registry.templates.change(templates); });
  offer_features_of_all(resources, *state_);
  offer_features_of_all(templates, *state_);
  tell_of_removal(*state_, protocol::Topic::resources_list);
}

bool Server::remove_resource(std::string_view uri) {
  if (!state_->resources.resources.remove(uri)) return false;
  tell_of_removal(*state_, protocol::Topic::resources_list);
  return true;
}

bool Server::remove_resource_template(std::string_view uri_template) {
  if (!state_->resources.templates.remove(uri_template)) return false;
  tell_of_removal(*state_, protocol::Topic::resources_list);
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

void Server::mount(const std::string& prefix, Server& other) { server::Mount::add(*state_, other.state_, prefix); }

void Server::around_call(Middleware middleware) { state_->around(std::move(middleware)); }

void Server::around_request(RequestMiddleware middleware) { state_->around(std::move(middleware)); }

void Server::on_refused_call(RefusedLook look) { state_->show_refused(std::move(look)); }

void Server::visibility_changed() {
  for (const protocol::Topic topic : state_->lists_by_asker()) state_->tell({topic});
}

void Server::end_subscriptions() { state_->end_subscriptions(); }

void Server::listen(const UnixSocket& where) {
  if (!where.token.empty()) expect_token(where.token);
  auto socket = where.descriptor < 0 ? transport::ListeningSocket::at_path(where.path)
                                     : transport::ListeningSocket::at_descriptor(where.descriptor);
  state_->serving.add(std::make_shared<server::SessionListener>(
      *state_, std::move(socket),
      server::SessionListener::Settings{.token = where.token, .admits = where.admits, .on_peer = where.on_peer}));
}

std::uint16_t Server::listen(const LoopbackPort& where) {
  expect_token(where.token);
  auto socket = transport::ListeningSocket::at_port(where.port);
  const std::uint16_t port = socket->port();
  state_->serving.add(std::make_shared<server::SessionListener>(
      *state_, std::move(socket), server::SessionListener::Settings{.token = where.token}));
  return port;
}

void Server::stop() { state_->serving.stop(); }

int Server::run(Transport& transport) {
  const auto engine = state_->serving.begin(*state_, {});
  server::Session session(*state_, transport, engine, {});
  session.attach();
  state_->serving.run(engine);
  return 0;
}

}  // namespace toolwire
