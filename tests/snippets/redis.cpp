// As framework.cpp: what pages show of stores in Redis.
#include <memory>
#include <string>
#include <toolwire/redis.hpp>
#include <toolwire/server_options.hpp>

namespace snippets {

toolwire::ServerOptions shared_stores(const std::string& password, const std::string& state_key,
                                      const std::shared_ptr<toolwire::Engine>& engine) {
  toolwire::redis::Options redis;
  redis.address = "unix:/run/redis/redis-server.sock";
  redis.user = "replica";
  redis.password = password;
  redis.key = state_key;

  toolwire::ServerOptions options;
  const auto client = toolwire::redis::make_client(redis, engine);
  options.stores = toolwire::redis::stores(client);
  options.tasks.store = toolwire::redis::task_store(client);
  return options;
}

}  // namespace snippets
