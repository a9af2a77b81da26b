// As framework.cpp: what pages show of events and workers over NATS.
#include <memory>
#include <string>
#include <toolwire/client.hpp>
#include <toolwire/nats.hpp>
#include <toolwire/server.hpp>

namespace snippets {

toolwire::ServerOptions shared_events(const std::string& seed, const std::string& state_key) {
  toolwire::nats::Options nats;
  nats.address = "127.0.0.1:4222";
  nats.nkey_seed = seed;
  nats.key = state_key;

  toolwire::ServerOptions options;
  const auto client = toolwire::nats::make_client(nats);
  options.stores.events = toolwire::nats::event_bus(client);
  return options;
}

/// Both sides in one: a page shows them beside each other.
void called_by_others(toolwire::Server& server, const std::shared_ptr<toolwire::nats::Client>& client,
                      const toolwire::JsonObject& arguments) {
  toolwire::nats::Worker worker(client, {.name = "gpu", .tools_version = [&] { return server.tools_version(); }});
  server.run(worker.transport());

  toolwire::Client tools(toolwire::nats::connect_worker(client, "gpu").transport, {.revision = "2026-07-28"});
  tools.call("render", arguments);
}

/// The same for tasks.
void kept_for_workers(toolwire::Server& server, toolwire::ServerOptions& options,
                      const std::shared_ptr<toolwire::TaskStore>& store,
                      const std::shared_ptr<toolwire::nats::Client>& client) {
  const auto jobs = toolwire::nats::make_task_jobs(client, {.stream = "toolwire"}, {"gpu"});
  options.tasks.store = toolwire::nats::with_task_jobs(store, client, jobs);
  const auto gpu = toolwire::nats::connect_worker(client, "gpu", jobs);

  toolwire::nats::WorkerOptions own{.name = "gpu", .stream = "toolwire"};
  own.tools_version = [&] { return server.tools_version(); };
  toolwire::nats::Worker worker(client, own);
}

}  // namespace snippets
