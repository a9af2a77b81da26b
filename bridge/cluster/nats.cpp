#include "cluster/nats.hpp"

#include <chrono>
#include <stdexcept>
#include <utility>

#include <toolwire/system/log_line.hpp>

#include "cluster/secrets.hpp"
#include "cluster/tls.hpp"
#include "system/secret_file.hpp"

namespace toolwire::bridge::cluster {
namespace {

constexpr unsigned threads = 2;  // of its own: connecting may wait, and what comes meanwhile does not

nats::Options options_of(const NatsSettings& settings) {
  system::StateSecrets keys = shared_secrets();
  nats::Options options;
  options.address = settings.address;
  options.tls = tls_of(settings.way);
  options.is_tunnelled = settings.way.is_tunnelled;
  options.nkey_seed = first_line_of(settings.nkey_file, "nkey_file", "the seed of a NATS user (SU…)");
  options.key = std::move(keys.key);
  options.second_key = std::move(keys.second);
  options.prefix = settings.prefix;
  options.log = [](const std::string& text) { log_line(text); };
  return options;
}

}  // namespace

namespace {

/// Tasks of long-running tools of workers go on whatever becomes of this replica.
std::shared_ptr<nats::TaskJobs> jobs_of(const NatsSettings& settings, const std::shared_ptr<nats::Client>& client,
                                        ServeOptions& options) {
  if (!settings.jetstream) return nullptr;
  const JetStreamSettings& stated = *settings.jetstream;
  auto jobs = nats::make_task_jobs(client,
                                   {.stream = stated.stream,
                                    .replicas = stated.replicas,
                                    .max_age = stated.max_age,
                                    .max_bytes = stated.max_bytes,
                                    .lease = stated.lease},
                                   settings.workers);
  options.use_redis = [use_redis = options.use_redis, client, jobs](
                          const RedisSettings& redis, const std::shared_ptr<Engine>& engine, ServerOptions& server) {
    use_redis(redis, engine, server);
    server.tasks.store = nats::with_task_jobs(server.tasks.store, client, jobs);
    server.declares.tasks = true;
  };
  if (!nats::can_keep_tasks(*jobs, start_patience)) log_line(not_asked_yet);
  return jobs;
}

}  // namespace

std::shared_ptr<nats::Client> nats_client(const NatsSettings& settings) {
  return nats::make_client(options_of(settings), std::make_shared<Engine>(EngineOptions{.threads = threads}));
}

void use_nats(const NatsSettings& settings, ServeOptions& options) {
  if (!settings.worker.empty())
    throw std::invalid_argument("\"worker\" is for toolwire-cluster work; serve offers the tools of \"workers\"");
  const auto client = nats_client(settings);
  options.events = nats::event_bus(client);
  const auto jobs = jobs_of(settings, client, options);
  for (mcp::BackEndOptions& one : options.back_ends) {
    if (one.kind != "nats") continue;
    one.reach = [client, worker = one.name, jobs] {
      nats::WorkerConnection made = nats::connect_worker(client, worker, jobs);
      return mcp::ReachedServer{std::move(made.transport), std::move(made.end)};
    };
  }
}

}  // namespace toolwire::bridge::cluster
