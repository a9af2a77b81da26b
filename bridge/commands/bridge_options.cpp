#include "commands/bridge_options.hpp"

#include <optional>
#include <utility>

namespace toolwire::bridge {

BridgeOptions bridge_options(const ServeOptions& options, const LoadedSources& loaded,
                             const std::shared_ptr<Engine>& engine, std::shared_ptr<Tracer> tracer) {
  std::optional<Latent> latent = options.latent_kind;
  std::optional<Dangling> dangling;
  for (const Bindings* const bindings :
       {&loaded.bindings, loaded.sources.empty() ? nullptr : &loaded.sources.front().bindings}) {
    if (bindings == nullptr) continue;
    if (!latent) latent = bindings->latent;
    if (!dangling) dangling = bindings->dangling;
  }
  BridgeOptions made;
  made.server.engine = engine;
  made.registry = {.dangling = dangling.value_or(Dangling::fail), .latent = latent.value_or(Latent::inlined)};
  // A long-running tool may come with an edit or a scenario.
  made.server.declares.tasks = !options.no_watch || !options.scenarios.empty();
  const bool has_back_ends = !options.back_ends.empty();  // what they have may be known only later
  made.server.declares.logging = has_back_ends;
  made.server.declares.tools = has_back_ends;
  made.server.declares.resources = has_back_ends;
  made.server.declares.resource_updates = has_back_ends;
  made.server.declares.prompts = has_back_ends;
  if (options.configured) {
    made.server.page = options.configured->page;
    made.server.calls_per_minute = options.configured->calls_per_minute;
    made.server.secrets = options.configured->secrets;
    if (const auto& redis = options.configured->redis; redis && options.use_redis)
      options.use_redis(*redis, engine, made.server);
  }
  made.server.stores.events = options.events;
  made.server.identify = options.identify;
  made.server.tracer = std::move(tracer);
  if (options.ending) {
    made.server.notice = options.ending->notice;
    made.server.limits.drain = options.ending->drain;
  }
  return made;
}

}  // namespace toolwire::bridge
