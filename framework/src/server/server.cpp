#include "toolwire/server.hpp"

#include "server/session.hpp"
#include "server/state.hpp"

namespace toolwire {

Server::Server(ServerInfo info, ServerOptions options)
    : state_(std::make_shared<State>(std::move(info), std::move(options))) {}
Server::~Server() = default;

void Server::add(Tool tool) {
  state_->tools.add(features::serve(std::move(tool), state_->options.on_bad_schema));
  state_->offer(protocol::Feature::tools);
  state_->tell({protocol::Topic::tools_list});
}

bool Server::remove_tool(std::string_view name) {
  if (!state_->tools.remove(name)) return false;
  state_->tell({protocol::Topic::tools_list});
  return true;
}

void Server::around_call(Middleware middleware) { state_->around_call(std::move(middleware)); }

int Server::run(Transport& transport) {
  server::Session(*state_, transport, {}).run();
  return 0;
}

}  // namespace toolwire
