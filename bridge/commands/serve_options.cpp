#include "commands/serve_options.hpp"

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "commands/back_end_settings.hpp"
#include "commands/expansion_sources.hpp"
#include "commands/header_options.hpp"
#include "commands/runtime_settings.hpp"

namespace toolwire::bridge {
namespace {

/// The mistakes of one command line, one a line.
struct Mistakes {
  std::string text;
  void add(const std::string& mistake) { text.append(text.empty() ? "" : "\n").append(mistake); }
};

/// Seconds, with a fraction if need be. An empty text leaves what is there.
bool read_wait(const std::string& text, std::chrono::milliseconds& into) {
  if (text.empty()) return true;
  double seconds = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, seconds);
  if (error != std::errc() || stop != end || !(seconds >= 0 && seconds <= 600)) return false;
  into = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
  return true;
}

std::optional<Latent> latent_named(const std::string& name) {
  if (name == "inline") return Latent::inlined;
  if (name == "sampling") return Latent::sampling;
  if (name == "hidden") return Latent::hidden;
  return std::nullopt;
}

void find_configuration(ServeOptions& options, Mistakes& mistakes) {
  std::vector<std::string> others;
  for (const std::string& file : options.files) {
    if (kind_of_file(file) != DocumentKind::configuration) {
      others.push_back(file);
    } else if (options.configuration.empty()) {
      options.configuration = file;
    } else {
      mistakes.add(file + ": a second configuration; expected one, which is " + options.configuration);
    }
  }
  options.files = std::move(others);
}

/// The servers of a configuration have such settings of their own there.
void expect_servers_for(const char* option, bool is_given, const ServeOptions& options, Mistakes& mistakes) {
  if (is_given && options.servers.empty())
    mistakes.add(std::string(option) +
                 ": expected a --server, for which it is; the servers of a configuration have it " + "in their file");
}

void give_headers(const ServeOptions& options, mcp::BackEndOptions& server, Mistakes& mistakes) {
  for (const std::string& header : options.headers) {
    try {
      give_headers({header}, expansion_sources(std::filesystem::current_path().string(), false), server);
    } catch (const std::invalid_argument& error) {
      mistakes.add("--header \"" + header.substr(0, header.find(':')) + "\": " + error.what());
    }
  }
}

/// What the command line says, too, is a mistake where there can only be one.
void take_word(const std::string& of_file, std::string& into, const char* option, Mistakes& mistakes) {
  if (of_file.empty()) return;
  if (!into.empty()) mistakes.add(std::string(option) + ": the configuration says this, too; expected one of the two");
  into = of_file;
}

void take_configuration(ServeOptions& options, const std::function<void(const std::string&)>& say, Mistakes& mistakes) {
  if (options.configuration.empty()) {
    if (options.allow_commands) mistakes.add("--allow-commands: expected a configuration, in which ${cmd:…} may stand");
    return;
  }
  options.configuration_profile = std::exchange(options.profile, {});
  ConfiguredReading read = read_configured(
      options.configuration, {.profile = options.configuration_profile, .allow_commands = options.allow_commands});
  for (const ManifestProblem& problem : read.problems) say(problem.message());
  if (!read.configured) return mistakes.add("nothing is served while the configuration cannot be used");
  const Configured& configured = *read.configured;
  options.files.insert(options.files.end(), configured.manifests.begin(), configured.manifests.end());
  options.scenarios.insert(options.scenarios.end(), configured.scenarios.begin(), configured.scenarios.end());
  options.back_ends = configured.back_ends;
  options.allowed_addresses.insert(options.allowed_addresses.end(), configured.allowed_addresses.begin(),
                                   configured.allowed_addresses.end());
  take_word(configured.approval, options.approval, "--approval", mistakes);
  take_word(configured.latent, options.latent, "--latent", mistakes);
  take_word(configured.audit, options.audit, "--audit", mistakes);
  take_word(configured.metrics, options.metrics, "--metrics", mistakes);
  if (configured.has_preferences && !options.preferences.empty())
    mistakes.add("--preferences: the configuration has \"tools\"; expected one of the two");
  if (configured.bindings && !options.bindings.empty())
    mistakes.add("--bindings: the configuration has some, too; expected one of the two");
  if (configured.start_wait && options.wait.empty()) options.start_wait = *configured.start_wait;
  options.no_watch = options.no_watch || !configured.watch;
  options.forgetful = options.forgetful || !configured.remember;
  options.configured = std::move(read.configured);
}

void read_words(ServeOptions& options, Mistakes& mistakes) {
  if (!options.approval.empty() && options.approval != "bridge" && options.approval != "host")
    mistakes.add("--approval: expected \"bridge\" or \"host\", found \"" + options.approval + "\"");
  options.asked_by = options.approval == "host" ? AskedBy::host : AskedBy::bridge;
  options.latent_kind = latent_named(options.latent);
  if (!options.latent.empty() && !options.latent_kind)
    mistakes.add("--latent: expected \"inline\", \"sampling\" or \"hidden\", found \"" + options.latent + "\"");
  if (!options.profile.empty() && options.files.empty() && options.bindings.empty())
    mistakes.add("--profile: expected a configuration or bindings, in which profiles stand");
  if (!read_wait(options.wait, options.start_wait))
    mistakes.add("--wait: expected seconds from 0 to 600, found \"" + options.wait + "\"");
}

/// Those of the command line, with what is for all of them.
void read_servers(ServeOptions& options, Mistakes& mistakes) {
  expect_servers_for("--prefix", !options.prefix.empty(), options, mistakes);
  expect_servers_for("--inherit", !options.inherited.empty(), options, mistakes);
  const auto prefix = prefix_named(options.prefix.empty() ? "on_conflict" : options.prefix);
  if (!prefix)
    mistakes.add(R"(--prefix: expected "on_conflict", "always" or "never", found ")" + options.prefix + "\"");
  for (const std::string& name : options.inherited) {
    if (const auto wrong = mcp::wrong_inherited(name)) mistakes.add("--inherit: " + *wrong);
  }
  std::size_t remote = 0;
  for (const std::string& server : options.servers) {
    try {
      mcp::BackEndOptions& read = options.back_ends.emplace_back(back_end_from(server));
      read.prefix = prefix.value_or(mcp::Prefix::on_conflict);
      read.inherit.named = options.inherited;
      if (read.remote) ++remote;
      if (read.remote) give_headers(options, read, mistakes);
    } catch (const std::invalid_argument& error) {
      mistakes.add("--server \"" + server + "\": " + error.what());
    }
  }
  if (!options.inherited.empty() && remote > 0 && remote == options.servers.size())
    mistakes.add("--inherit: expected a --server that is a program; one with a URL gets no variables");
  // Else the credentials of one would be sent to the others.
  if (!options.headers.empty() && remote != 1)
    mistakes.add("--header: expected one --server with a URL, for which it is; several have theirs in a configuration");
}

void read_runtimes(ServeOptions& options, Mistakes& mistakes) {
  for (const std::string& runtime : options.runtimes) {
    try {
      options.runtime_settings.insert(runtime_from(runtime));
    } catch (const std::invalid_argument& error) {
      mistakes.add("--runtime \"" + runtime + "\": " + error.what());
    }
  }
}

}  // namespace

void add_serve_options(CommandLine& line, ServeOptions& into) {
  line.operands("FILE", "A configuration with MCP servers; manifests, tool schemas, or folders of them", into.files);
  line.option("--bindings", "FILE", "How tools are run (default: NAME.bindings.json beside NAME.json)", into.bindings);
  line.option("--profile", "NAME", "The profile of the bindings: dev, test, prod …", into.profile);
  line.option("--scenario", "URL", "Offer the tools of a scenario that is reached there", into.scenarios);
  line.option("--server", "NAME=COMMAND", "Offer the tools of another MCP server; or NAME=URL, of one over HTTP",
              into.servers);
  line.option("--header", "NAME: VALUE", "Sent to the server with a URL; ${VARIABLE} and ${file:PATH} are filled in",
              into.headers);
  line.option("--prefix", "WHEN",
              "Names of other servers' tools begin with the server's name: on_conflict (default), always, never",
              into.prefix);
  line.option("--inherit", "VARIABLE",
              "What the other servers get of the environment, besides HOME, PATH and the like; \"PREFIX_*\" for many",
              into.inherited);
  line.option("--wait", "SECONDS", "How long the host waits for the tools of other servers at the start (default 2.5)",
              into.wait);
  line.option("--runtime", "NAME=DIRECTORY", "Offer the tools in a directory of Python or TypeScript files",
              into.runtimes);
  line.option("--preferences", "FILE", "What the user wants of each tool: enabled, approval, permissions",
              into.preferences);
  line.option("--approval", "WHO", "\"bridge\" asks the user (default); \"host\": the host does", into.approval);
  line.option("--latent", "KIND", "Tools without an implementation: inline (default), sampling, hidden", into.latent);
  line.option("--audit", "FILE", "Append a JSON line for every call, without secrets and outputs", into.audit);
  line.option("--metrics", "FILE", "Keep counts in FILE, in Prometheus' text form", into.metrics);
  line.option("--allow-address", "ADDRESS", "An address or network that HTTP requests may reach in any case",
              into.allowed_addresses);
  line.flag("--allow-commands", "${cmd:PROGRAM} in the configuration runs programs", into.allow_commands);
  line.flag("--no-remember", "Keep nothing of what other servers list for the next start", into.forgetful);
  line.flag("--no-watch", "Do not read the files again when they are edited", into.no_watch);
}

bool ServeOptions::needs_scopes() const {
  if (configured) return configured->needs_scopes();
  std::vector<ManifestProblem> said_later;
  return !preferences.empty() && Preferences::read_file(preferences, said_later).need_scopes();
}

void interpret(ServeOptions& options, const std::function<void(const std::string&)>& say) {
  Mistakes mistakes;
  find_configuration(options, mistakes);
  take_configuration(options, say, mistakes);
  if (options.files.empty() && options.servers.empty() && options.scenarios.empty() && options.runtimes.empty() &&
      options.bindings.empty() && options.configuration.empty())
    mistakes.add("expected something to serve: a FILE, --scenario, --server or --runtime");
  read_words(options, mistakes);
  read_servers(options, mistakes);
  read_runtimes(options, mistakes);
  if (!mistakes.text.empty()) throw std::invalid_argument(mistakes.text);
}

}  // namespace toolwire::bridge
