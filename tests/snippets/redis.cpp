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

toolwire::redis::Options over_tls(const std::string& authority, const std::string& own_certificate,
                                  const std::string& own_key) {
  toolwire::redis::Options redis;
  redis.address = "redis.internal:6379";
  redis.tls = toolwire::Tls{.ca = authority, .certificate = own_certificate, .key = own_key};
  return redis;
}

}  // namespace snippets
