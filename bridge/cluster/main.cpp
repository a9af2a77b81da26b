// toolwire-cluster: serves as toolwire-bridge does, for one of several replicas, which keep in Redis what they share
// and tell each other over NATS what clients hear; and works for them elsewhere.
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <toolwire/redis.hpp>
#include <utility>

#include "cluster/nats.hpp"
#include "cluster/nkey.hpp"
#include "cluster/secrets.hpp"
#include "cluster/tls.hpp"
#include "cluster/work.hpp"
#include "commands/check.hpp"
#include "commands/program.hpp"
#include "commands/serve.hpp"
#include "system/secret_file.hpp"

namespace {

using toolwire::bridge::Command;
using toolwire::bridge::RedisSettings;
namespace cluster = toolwire::bridge::cluster;

/// What seals the state that clients carry seals what is in Redis.
toolwire::redis::Options options_of(const RedisSettings& settings) {
  toolwire::system::StateSecrets keys = cluster::shared_secrets();
  return {.address = settings.address,
          .tls = cluster::tls_of(settings.way),
          .is_tunnelled = settings.way.is_tunnelled,
          .user = settings.user,
          .password = toolwire::bridge::first_line_of(settings.password_file, "password_file", "a password"),
          .database = settings.database,
          .key = std::move(keys.key),
          .second_key = std::move(keys.second),
          .prefix = settings.prefix};
}

void use_redis(const RedisSettings& settings, const std::shared_ptr<toolwire::Engine>& engine,
               toolwire::ServerOptions& server) {
  const auto client = toolwire::redis::make_client(options_of(settings), engine);
  server.stores = toolwire::redis::stores(client);
  server.tasks.store = toolwire::redis::task_store(client, {.lease = settings.lease});
}

int serve(int argc, const char* const* argv) {
  return toolwire::bridge::serve_command(
      argc, argv,
      {.name = "toolwire-cluster", .is_replica = true, .use_redis = use_redis, .use_nats = cluster::use_nats});
}

int work(int argc, const char* const* argv) { return cluster::work_command(argc, argv, use_redis); }

constexpr std::array commands{
    Command{"serve", "Offer tools as one of several replicas, which share Redis", serve},
    Command{"work", "Run tools for replicas, which reach them over NATS", work},
    Command{"nkey", "Make the key of a NATS user", cluster::nkey_command},
    Command{"check", "Say what is wrong with configurations and manifests", toolwire::bridge::check_command},
};

constexpr std::string_view about =
    "toolwire-bridge for several replicas and workers, on one machine or on many. All else that toolwire-bridge does "
    "it does alone.\n";

}  // namespace

int main(int argc, char** argv) {
  return toolwire::bridge::run_program("toolwire-cluster", about, commands, argc, argv);
}
