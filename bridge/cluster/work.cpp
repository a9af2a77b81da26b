#include "cluster/work.hpp"

#include <chrono>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include <toolwire/json_members.hpp>
#include <toolwire/system/log_line.hpp>
#include <toolwire/system/signals.hpp>

#include "cluster/nats.hpp"
#include "commands/served_bridge.hpp"
#include "commands/start_failure.hpp"
#include "commands/tool_sources.hpp"
#include "system/program_version.hpp"

namespace toolwire::bridge::cluster {
namespace {

using std::chrono::seconds;
using system::Signal;

constexpr const char* command = "toolwire-cluster work";
constexpr seconds patience{20};  // with what has begun when a signal comes

/// Only replicas have the key that calls are sealed with, and a replica says who calls.
void believe_replicas(ServeOptions& options) {
  options.identify = [](const UnidentifiedRequest& request, Done<Principal> done) {
    done(Principal(text_or(request.meta, mcp::caller_member)));
  };
}

const NatsSettings& settings_of(const ServeOptions& options) {
  if (!options.configured || !options.configured->nats)
    throw std::invalid_argument("expected a configuration with \"nats\", over which replicas reach this worker");
  const NatsSettings& settings = *options.configured->nats;
  if (settings.worker.empty())
    throw std::invalid_argument("expected \"worker\" in \"nats\", the name that replicas know this worker by");
  if (options.configured->authorization)
    throw std::invalid_argument("\"authorization\" is for \"serve\"; a worker is told by replicas who calls");
  if (options.configured->page > 0)
    throw std::invalid_argument(
        "\"page_size\" is for clients that ask for pages; a worker's tools are asked for at once");
  return settings;
}

int work(ServeOptions& options) {
  const auto say = [](const std::string& text) { std::fprintf(stderr, "%s: %s\n", command, text.c_str()); };
  interpret(options, say);
  const NatsSettings& settings = settings_of(options);
  const auto client = nats_client(settings);
  believe_replicas(options);
  options.is_shared = true;
  for (mcp::BackEndOptions& one : options.back_ends) one.shared = true;
  ToolSources sources = sources_of(options);
  ServedBridge served(options, sources, load_for_start(sources, options, say));
  served.offer_status();
  served.start({.servers = options.start_wait, .runtimes = options.start_wait});
  served.watch();
  served.keep_metrics();
  Server& server = served.bridge().server();
  nats::WorkerOptions own{.name = settings.worker, .tools_version = [&server] { return server.tools_version(); }};
  if (settings.jetstream) {
    own.stream = settings.jetstream->stream;
    own.max_tasks = settings.jetstream->max_tasks;
  }
  nats::Worker worker(client, std::move(own));
  if (settings.jetstream && !worker.can_take_tasks(start_patience)) log_line(not_asked_yet);
  std::thread serving([&] { server.run(worker.transport()); });
  log_line("working as \"" + settings.worker + "\" over NATS at " + settings.address);
  system::wait_for_signal({Signal::terminate, Signal::interrupt});
  worker.drain(patience);
  serving.join();
  served.end();
  return 0;
}

}  // namespace

int work_command(int argc, const char* const* argv, const ServeOptions::UseRedis& use_redis) {
  ServeOptions options;
  options.use_redis = use_redis;
  CommandLine line(command, program_version(),
                   "Runs the tools of a configuration for replicas (toolwire-cluster serve) that name this worker.");
  add_serve_options(line, options);
  if (const auto status = line.parse(argc, argv)) return *status;
  // Before any thread is started: all inherit it.
  system::block_signals({Signal::terminate, Signal::interrupt, Signal::hangup, Signal::broken_pipe});
  try {
    return work(options);
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "%s: %s; see --help\n", command, error.what());
    return 2;
  } catch (const mcp::StoreError& error) {
    std::fprintf(stderr, "%s: %s\n", command, error.what());
    return 2;
  } catch (const std::exception& error) {
    return report_failed_start(command, error);
  }
}

}  // namespace toolwire::bridge::cluster
