// toolwire-cluster: serves as toolwire-bridge does, for one of several replicas, which keep in Redis what they share.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <toolwire/redis.hpp>
#include <toolwire/system/private_file.hpp>

#include "commands/check.hpp"
#include "commands/program.hpp"
#include "commands/serve.hpp"

namespace {

using toolwire::bridge::Command;
using toolwire::bridge::RedisSettings;

constexpr std::size_t max_password = 4'096;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody changes it
  return value == nullptr ? "" : value;
}

std::string password_in(const std::string& path) {
  if (path.empty()) return {};
  const toolwire::system::PrivateFile file(path, toolwire::system::PrivateFile::Access::read);
  std::string text = file.is_open() ? file.read_all(max_password).value_or("") : "";
  text.erase(std::min(text.find_first_of("\r\n"), text.size()));
  if (text.empty())
    throw std::invalid_argument(
        "\"password_file\": expected a file of yours that nobody else can read or write (chmod 600), "
        "with a password in its first line: " +
        path);
  return text;
}

/// What seals the state that clients carry seals what is in Redis.
toolwire::redis::Options options_of(const RedisSettings& settings) {
  toolwire::redis::Options options{.address = settings.address,
                                   .user = settings.user,
                                   .password = password_in(settings.password_file),
                                   .database = settings.database,
                                   .key = variable("TOOLWIRE_STATE_KEY"),
                                   .second_key = variable("TOOLWIRE_SECOND_STATE_KEY"),
                                   .prefix = settings.prefix};
  if (options.key.empty())
    throw std::invalid_argument(
        "TOOLWIRE_STATE_KEY is not set: expected a secret of at least 16 bytes, the same for all replicas");
  return options;
}

void use_redis(const RedisSettings& settings, const std::shared_ptr<toolwire::Engine>& engine,
               toolwire::ServerOptions& server) {
  const auto client = toolwire::redis::make_client(options_of(settings), engine);
  server.stores = toolwire::redis::stores(client);
  server.tasks.store = toolwire::redis::task_store(client, {.lease = settings.lease});
}

int serve(int argc, const char* const* argv) {
  return toolwire::bridge::serve_command(argc, argv, {.name = "toolwire-cluster", .use_redis = use_redis});
}

constexpr std::array commands{
    Command{"serve", "Offer tools as one of several replicas, which share Redis", serve},
    Command{"check", "Say what is wrong with configurations and manifests", toolwire::bridge::check_command},
};

constexpr std::string_view about =
    "toolwire-bridge for several replicas, on one machine or on many. All else that toolwire-bridge does it does "
    "alone.\n";

}  // namespace

int main(int argc, char** argv) {
  return toolwire::bridge::run_program("toolwire-cluster", about, commands, argc, argv);
}
