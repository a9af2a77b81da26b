// `toolwire uninstall HOST --name NAME`
#include <CLI/CLI.hpp>
#include <cstdio>
#include <toolwire/text.hpp>

#include "commands.hpp"
#include "one_hunk.hpp"
#include "own_command.hpp"
#include "request.hpp"
#include "take_out.hpp"

namespace toolwire::install {
namespace {

struct UninstallGiven {
  std::string host, scope, name;
  bool dry_run = false;
};

void declare_uninstall(CLI::App& app, UninstallGiven& given) {
  app.add_option("HOST", given.host, "The host")->required();
  app.add_option("--scope", given.scope, "user, project (this folder) or local (this user in this folder)")
      ->type_name("SCOPE");
  app.add_option("--name", given.name, "The server's name in the host")->type_name("NAME")->required();
  app.add_flag("--dry-run", given.dry_run, "Change nothing, and show what would be changed");
  app.footer(
      "Exit status: 0 it is gone, 1 it was not there or could not be taken out, 2 the command line makes no sense,\n"
      "3 nothing was changed, and what to do by hand was printed.");
}

/// "; it is there with --scope project", or why that is not known, or nothing.
std::string where_else(const hosts::Host& host, hosts::Scope scope, const hosts::Surroundings& here,
                       const std::string& name) {
  std::string unknown;
  for (const hosts::Scope other : scopes_of(host, here)) {
    if (other == scope) continue;
    const hosts::HostFile file = host_file(host, other, here).value();
    const std::string option = "--scope " + std::string(name_of(other));
    try {
      if (member_in(read_config_file(file.path), host, path_of_server(host, other, here, name)))
        return "; it is there with " + option;
    } catch (const std::exception& error) {
      unknown += "; whether it is there with " + option + " is not known: " + error.what();
    }
  }
  return unknown;
}

int by_file(const hosts::Host& host, const hosts::Surroundings& here, const hosts::HostFile& place,
            const std::string& name, bool dry_run) {
  const ConfigFile file = read_config_file(place.path);
  const Backups backups = backups_of(here);
  const std::optional<std::string> after = text_without(
      host.format, file.text.value_or(""), path_of_server(host, place.scope, here, name), backups.of(file.path));
  if (dry_run) {
    std::fputs(text::visible(one_hunk(file.path, *file.text, after.value_or("")), text::lines).c_str(), stdout);
    return done;
  }
  if (after)
    write_config_file(file, *after, true, backups);
  else
    remove_config_file(file, backups);
  std::printf("%s: %s \"%s\"\n", file.path.c_str(), after ? "took out" : "removed, as it held nothing but",
              name.c_str());
  return done;
}

void run_own_command(const std::vector<std::string>& command, const hosts::Surroundings& here) {
  const std::string line = text::visible(shell_text(command));
  if (const int status = run_to_end(command, here.folder); status != 0)
    throw std::runtime_error("this ended with " + std::to_string(status) + ": " + line);
}

/// Throws std::runtime_error if it is there all the same.
int by_own_command(const std::vector<std::string>& command, const hosts::Host& host, const hosts::Surroundings& here,
                   const hosts::HostFile& place, const std::string& name) {
  run_own_command(command, here);
  if (member_in(read_config_file(place.path), host, path_of_server(host, place.scope, here, name)))
    throw std::runtime_error(place.path + ": \"" + name +
                             "\" is there all the same, though this ended well: " + text::visible(shell_text(command)));
  std::printf("took out \"%s\" with: %s\n", name.c_str(), host.own.program.data());
  return done;
}

int run_uninstall(const std::vector<std::string>& arguments) {
  UninstallGiven given;
  CLI::App app("Takes an MCP server out of a host again.", "toolwire uninstall");
  declare_uninstall(app, given);
  if (const auto status = parse(app, arguments)) return *status;
  const hosts::Surroundings here = hosts::own_surroundings();
  const hosts::Host& host = host_named(given.host);
  const hosts::Scope scope = scope_named(given.scope, host, here);
  if (given.name.empty() || !text::is_valid(given.name)) throw Misuse("--name: expected a name in UTF-8");
  const hosts::HostFile place = host_file(host, scope, here).value();
  if (host.format == hosts::Format::yaml) {
    std::printf("Nothing was changed: YAML is not edited here. Take \"%s\" out of \"%s\" in %s.\n", given.name.c_str(),
                host.key.data(), place.path.c_str());
    return left_to_you;
  }
  if (!member_in(read_config_file(place.path), host, path_of_server(host, scope, here, given.name)))
    throw std::runtime_error(place.path + ": there is no server \"" + given.name + "\"" +
                             where_else(host, scope, here, given.name));
  const auto command = on_path(own_remove_command(host, scope, given.name), here.variable("PATH"));
  // A name that begins with '-' would be an option of the host's command.
  if (command && !given.name.starts_with('-')) {
    if (!given.dry_run) return by_own_command(*command, host, here, place, given.name);
    std::printf("would run: %s\n", text::visible(shell_text(*command)).c_str());
    return done;
  }
  return repeated([&] { return by_file(host, here, place, given.name, given.dry_run); });
}

}  // namespace

int uninstall_command(const std::vector<std::string>& arguments) {
  return reported("uninstall", run_uninstall, arguments);
}

}  // namespace toolwire::install
