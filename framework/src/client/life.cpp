#include "client/life.hpp"

#include <toolwire/engine.hpp>

#include <stop_token>
#include <utility>

#include "client/handshake.hpp"

namespace toolwire::client {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds for_the_exit{250};

std::string how_it_ended(ChildProcess& process, const std::string& name, milliseconds wait) {
  const auto status = process.wait_for(wait);
  std::string text = "the server \"" + name + "\" " + (status ? status->text() : "closed its output");
  std::string tail = process.error_tail();
  while (tail.ends_with('\n')) tail.pop_back();
  if (!tail.empty()) text += "; the last it wrote to standard error:\n" + tail;
  return text;
}

/// What a program writes to its standard error is read by the engine of the client.
Program watched_by(const std::shared_ptr<Engine>& engine, Program program) {
  if (engine == nullptr || program.watch) return program;
  program.watch = [engine](int descriptor, const std::function<void()>& readable) {
    return std::make_shared<Engine::Watch>(
        engine->watch(descriptor, Engine::readable, [readable](unsigned) { readable(); }));
  };
  return program;
}

std::function<std::string()> why_of(Transport& transport) {
  return [&transport] {
    std::string reason = transport.end_reason();
    return reason.empty() ? "the server closed the connection" : reason;
  };
}

}  // namespace

Life::Life(Transport& transport, const ClientOptions& options) { connect(transport, options, {why_of(transport), {}}); }

Life::Life(std::unique_ptr<Transport> transport, const ClientOptions& options) : transport_{std::move(transport)} {
  connect(*transport_, options, {why_of(*transport_), {}});
}

Life::Life(const Program& program, const ClientOptions& options) {
  try {
    connect(program, options);
  } catch (const ConnectionError&) {
    if (!begins_with_probe(options) || options.stop.stop_requested() || !ended_by_itself()) throw;
    ClientOptions without_probe = options;
    without_probe.revision = protocol::newest_legacy().name;
    connect(program, without_probe);
  }
}

void Life::connect(const Program& program, const ClientOptions& options) {
  wished_revision(options);
  disconnect();
  process_.emplace(watched_by(options.engine, program));
  const std::stop_callback given_up{options.stop, [this] { process_->kill(); }};
  const std::string name = program.command.front();
  const milliseconds wait = options.engine == nullptr ? for_the_exit : milliseconds{0};
  connect(process_->transport(), options,
          {.text = [this, name, wait] { return how_it_ended(*process_, name, wait); },
           .is_known = [this] { return process_->exit_status().has_value(); }});
}

void Life::connect(Transport& transport, const ClientOptions& options, Ending ending) {
  grace_ = options.grace;
  connection_ = std::make_shared<Connection>(transport, options, std::move(ending));
  try {
    server_ = shake_hands(*connection_);
  } catch (...) {
    connection_->close();
    throw;
  }
}

void Life::disconnect() {
  if (process_) process_->stop(grace_);  // while its output is still read, so that it can end well
  if (connection_) connection_->close();
}

}  // namespace toolwire::client
