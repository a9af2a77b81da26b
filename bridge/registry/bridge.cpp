#include <toolwire/bridge/bridge.hpp>

#include <utility>

#include <toolwire/system/log_line.hpp>

#include "registry/serving.hpp"

namespace toolwire::bridge {
namespace {

/// Declares tools even for an empty bridge: they may come later.
ServerOptions with_tools(ServerOptions options) {
  options.declares.tools = true;
  return options;
}

/// The registry's calls share the stores and the threads of the server.
RegistryOptions with_stores(RegistryOptions registry, const ServerOptions& server) {
  if (!registry.rates) registry.rates = server.stores.rates;
  if (!registry.executor) registry.executor = server.executor;
  if (!registry.engine) registry.engine = server.engine;
  return registry;
}

}  // namespace

Bridge::Bridge(ServerInfo info, BridgeOptions options)
    : registry_(with_stores(options.registry, options.server)),
      server_(std::move(info), with_tools(options.server)),
      serving_(std::make_shared<Serving>(registry_, server_, std::move(options))) {
  serving_->follow();
}
Bridge::~Bridge() = default;

Bridge::Pause::Pause(Serving& serving) : serving_(serving) { serving_.pause(); }
Bridge::Pause::~Pause() { serving_.go_on(); }

void Bridge::approve_with(std::shared_ptr<Approval> approval) {
  registry_.approve_with(std::move(approval));
  serving_->refresh();
}

void Bridge::refresh() { serving_->refresh(); }

void Bridge::describe_list(JsonObject meta) { serving_->describe(std::move(meta)); }

int Bridge::serve_stdio() {
  report();
  return server_.run_stdio();
}

int Bridge::serve_stdio(int argc, const char* const* argv) {
  report();
  return server_.run_stdio(argc, argv);
}

int Bridge::serve_stdio(const CommandLine& line) {
  report();
  return server_.run_stdio(line);
}

void Bridge::report() const {
  for (const std::string& line : registry_.diagnostics()) log_line(line);
}

}  // namespace toolwire::bridge
