#include "dev.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <toolwire/system/end_by_signal.hpp>
#include <toolwire/system/signals.hpp>

#include "hosts/host_files.hpp"
#include "install/request.hpp"
#include "install/server_start.hpp"
#include "proxy.hpp"
#include "transport/stdio_transport.hpp"

namespace toolwire::dev {
namespace {

constexpr const char* about =
    "Stands between a host and a server that is being worked on, as in: toolwire dev -- ./build/notes --verbose\n\n"
    "When the server's program, or a file among its arguments, has been built anew, it is started, told what the host "
    "has negotiated and set, and takes over as soon as it has answered; the host is told that lists may have changed. "
    "Calls that are going on end on the old one. A new version that does not answer is not taken.";
constexpr const char* ending =
    "What happens is said on standard error. Exit status: 0 the host has closed its side, or has sent SIGTERM, 1 the "
    "server cannot be started,\n"
    "or what the host is told cannot be written, 2 the command line makes no sense.";

/// Passes on each signal that asks for the end, as long as it lives: whoever sends a second one has waited long enough.
/// They must be blocked in every thread.
class AskedBySignals {
 public:
  explicit AskedBySignals(Proxy& proxy)
      : thread_([this, &proxy] {
          for (;;) {
            system::wait_for_ending_signal();
            if (is_over_) return;
            proxy.end();
          }
        }) {}
  AskedBySignals(const AskedBySignals&) = delete;
  AskedBySignals& operator=(const AskedBySignals&) = delete;
  ~AskedBySignals() {
    is_over_ = true;
    system::send_to_this_process(system::Signal::terminate);
    thread_.join();
  }

 private:
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

int run(const std::vector<std::string>& arguments) {
  ProxyOptions options;
  CLI::App app(about, "toolwire dev");
  app.add_flag("--show", options.show, "Print the messages, readable, on standard error");
  app.footer(ending);
  if (const auto status = install::parse_before_server(app, arguments, "toolwire dev -- ./server --its-options"))
    return *status;
  options.command.assign(std::ranges::find(arguments, "--") + 1, arguments.end());
  const hosts::Surroundings here = hosts::own_surroundings();
  options.command.front() = install::absolute_program(options.command.front(), here.folder, here.variable("PATH"));
  transport::StdioTransport host;
  const std::string program = options.command.front();
  system::block_ending_signals();  // in every thread that is started later
  try {
    Proxy proxy(std::move(options), host);
    const AskedBySignals asked(proxy);
    proxy.run();
  } catch (const std::system_error& error) {
    throw std::runtime_error(error.what() + install::why_not_started(error, program, ""));
  }
  if (const int error = host.write_error(); error != 0)
    throw std::runtime_error("standard output cannot be written: " + std::generic_category().message(error));
  return install::done;
}

}  // namespace

int dev_command(const std::vector<std::string>& arguments) { return install::reported("dev", run, arguments); }

}  // namespace toolwire::dev
