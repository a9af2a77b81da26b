// `toolwire list [HOST]`
#include <CLI/CLI.hpp>
#include <cstdio>
#include <toolwire/text.hpp>

#include "commands.hpp"
#include "request.hpp"

namespace toolwire::install {
namespace {

std::string shown_entry(const hosts::Host& host, const Json& entry) {
  if (const auto server = server_of(host, entry)) return shown(*server);
  for (const char* const name : {"url", "httpUrl", "serverUrl", "uri"}) {
    const Json* const url = entry.is_object() ? entry.get_object().if_contains(name) : nullptr;
    if (url != nullptr && url->is_string()) return text::visible(url->get_string());
  }
  return "(neither a command nor a URL)";
}

/// What was printed of a file.
enum class Listed { nothing, something, mistake };

Listed list_file(const hosts::Host& host, const hosts::HostFile& place, const hosts::Surroundings& here,
                 bool is_asked_for) {
  const std::string scope(name_of(place.scope));
  const auto heading = [&] {
    std::printf("%s, %s: %s\n", host.title.data(), scope.c_str(), text::visible(place.path).c_str());
  };
  if (!place.exists) {
    if (!is_asked_for) return Listed::nothing;
    std::printf("%s, %s: there is no %s\n", host.title.data(), scope.c_str(), text::visible(place.path).c_str());
    return Listed::something;
  }
  if (host.format == hosts::Format::yaml) {
    heading();
    std::printf("  is YAML, which is not read here\n");
    return Listed::something;
  }
  try {
    const auto servers = servers_in(read_config_file(place.path), host, place.scope, here);
    if (servers.empty() && !is_asked_for) return Listed::nothing;
    heading();
    for (const auto& [name, entry] : servers)
      std::printf("  %s: %s\n", text::visible(name).c_str(), shown_entry(host, entry).c_str());
    if (servers.empty()) std::printf("  no servers\n");
    return Listed::something;
  } catch (const std::exception& error) {
    std::printf("%s, %s: %s\n", host.title.data(), scope.c_str(), text::visible(error.what()).c_str());
    return Listed::mistake;
  }
}

/// `only`: the one that is asked for, or null.
int list_known_hosts(const hosts::Surroundings& here, const hosts::Host* only) {
  for (const hosts::Host& host : hosts::all_hosts()) {
    if (only != nullptr && only != &host) continue;
    std::string scopes;
    for (const hosts::Scope scope : scopes_of(host, here))
      scopes.append(scopes.empty() ? "" : ", ").append(name_of(scope));
    std::printf("%-15s %-22s %s\n", host.name.data(), host.title.data(), scopes.c_str());
  }
  return done;
}

int run_list(const std::vector<std::string>& arguments) {
  std::string name;
  bool all = false;
  CLI::App app("Lists the servers that hosts of this user and this folder have.", "toolwire list");
  app.add_option("HOST", name, "Only this host");
  app.add_flag("--all", all, "List the hosts that are known, and their scopes, instead");
  app.footer("Exit status: 1 if a file cannot be read.");
  if (const auto status = parse(app, arguments)) return *status;
  const hosts::Surroundings here = hosts::own_surroundings();
  const hosts::Host* const only = name.empty() ? nullptr : &host_named(name);
  if (all) return list_known_hosts(here, only);
  bool is_good = true, said = false;
  for (const hosts::Host& host : hosts::all_hosts()) {
    if (only != nullptr && only != &host) continue;
    for (const hosts::Scope scope : scopes_of(host, here)) {
      const Listed listed = list_file(host, host_file(host, scope, here).value(), here, only != nullptr);
      is_good = is_good && listed != Listed::mistake;
      said = said || listed != Listed::nothing;
    }
  }
  if (!said) std::printf("no host has a server here; toolwire list --all names the hosts\n");
  return is_good ? done : failed;
}

}  // namespace

int list_command(const std::vector<std::string>& arguments) { return reported("list", run_list, arguments); }

}  // namespace toolwire::install
