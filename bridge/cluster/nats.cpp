#include "cluster/nats.hpp"

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
  StateKeys keys = state_keys();
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

std::shared_ptr<nats::Client> nats_client(const NatsSettings& settings) {
  return nats::make_client(options_of(settings), std::make_shared<Engine>(EngineOptions{.threads = threads}));
}

void use_nats(const NatsSettings& settings, ServeOptions& options) {
  if (!settings.worker.empty())
    throw std::invalid_argument("\"worker\" is for toolwire-cluster work; serve offers the tools of \"workers\"");
  const auto client = nats_client(settings);
  options.events = nats::event_bus(client);
  for (mcp::BackEndOptions& one : options.back_ends) {
    if (one.kind != "nats") continue;
    one.reach = [client, worker = one.name] {
      nats::WorkerConnection made = nats::connect_worker(client, worker);
      return mcp::ReachedServer{std::move(made.transport), std::move(made.end)};
    };
  }
}

}  // namespace toolwire::bridge::cluster
