// `toolwire install HOST … -- SERVER ARGS…`
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <toolwire/system/find_program.hpp>
#include <toolwire/system/own_program.hpp>
#include <toolwire/text.hpp>
#include <utility>

#include "commands.hpp"
#include "hosts/config_text.hpp"
#include "one_hunk.hpp"
#include "own_command.hpp"
#include "request.hpp"
#include "server_start.hpp"
#include "tool_faults.hpp"

namespace toolwire::install {
namespace {

struct Given {
  std::string host, scope, name;
  std::vector<std::string> variables;
  bool dry_run = false, force = false, no_start = false;
};

/// One installation: what is to be installed, where, and what is there.
struct Installation {
  const hosts::Host& host;
  hosts::Surroundings here;
  hosts::HostFile place;
  hosts::Server server;
  std::string name;
  bool dry_run = false;
  bool replaces = false;

  [[nodiscard]] std::vector<std::string> path() const { return path_of_server(host, place.scope, here, name); }
};

constexpr const char* about =
    "Puts an MCP server into a host, as in: toolwire install cursor -- ./server --its-options\n\n"
    "By the host's own command where there is one on PATH, else into its file, of which every other byte stays.";
constexpr const char* ending =
    "Exit status: 0 it is installed, 1 it is not, 2 the command line makes no sense,\n"
    "3 nothing was changed, and what to do by hand was printed.";

void declare(CLI::App& app, Given& given) {
  app.add_option("HOST", given.host, "The host; toolwire list --all names all")->required();
  app.add_option("--scope", given.scope, "user, project (this folder) or local (this user in this folder)")
      ->type_name("SCOPE");
  app.add_option("--name", given.name, "The server's name in the host (default: the one it says)")->type_name("NAME");
  app.add_option("--env", given.variables, "A variable of the server's environment; repeatable")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  app.add_flag("--dry-run", given.dry_run, "Change nothing, and show what would be changed");
  app.add_flag("--force", given.force, "Replace another server of that name");
  app.add_flag("--no-start", given.no_start, "Do not start the server first to see whether it answers");
  app.footer(ending);
}

std::map<std::string, std::string> variables_of(const std::vector<std::string>& texts) {
  std::map<std::string, std::string> variables;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos) throw Misuse("--env: expected NAME=VALUE, found \"" + text + "\"");
    if (!text::is_valid(text)) throw Misuse("--env: expected UTF-8");
    variables[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return variables;
}

/// One of ours that stands beside this program. On PATH there may be a script of npm for it, which costs a node each
/// time that a host starts it.
std::optional<std::string> own_program_named(const std::string& name) {
  if (name != "workspace" && name != "toolwire" && !name.starts_with("toolwire-")) return std::nullopt;
  const std::string folder = std::filesystem::path(system::own_program_path()).parent_path().string();
  return system::find_program(name, folder, system::RelativeFolders::skipped);
}

/// The line of the server, with the file of its program.
hosts::Server server_of_line(const std::vector<std::string>& line, const hosts::Surroundings& here) {
  hosts::Server server{.program = line.front(), .arguments = {line.begin() + 1, line.end()}};
  for (const std::string& word : line_of(server)) {
    if (!text::is_valid(word)) throw Misuse("the server: expected UTF-8");
  }
  const auto own = own_program_named(server.program);
  server.program = own ? *own : absolute_program(server.program, here.folder, here.variable("PATH"));
  return server;
}

/// A host starts servers elsewhere: what an argument names here, if it does, is not there.
void say_relative(const std::vector<std::string>& arguments, const hosts::Surroundings& here) {
  for (const std::string& argument : arguments) {
    const std::size_t equals = argument.starts_with('-') ? argument.find('=') : std::string::npos;
    const std::string path = equals == std::string::npos ? argument : argument.substr(equals + 1);
    std::error_code error;
    if (path.empty() || path.starts_with('-') || path.starts_with('/')) continue;
    const auto here_it_is = std::filesystem::path(here.folder) / path;
    if (std::filesystem::exists(here_it_is, error))
      std::printf("but hosts start servers in other folders than this one: write %s if that is meant by %s\n",
                  text::visible(here_it_is.lexically_normal().string()).c_str(), text::visible(argument).c_str());
  }
}

/// What the host puts in the place of a variable is not what stands there.
void say_replaced(const hosts::Server& server, const hosts::Host& host) {
  const auto say = [&](const std::string& where, const std::string& text) {
    if (const std::string variable = variable_in(host, text); !variable.empty())
      std::printf("but %s may put something else in the place of %s in %s\n", host.title.data(), variable.c_str(),
                  text::visible(where).c_str());
  };
  for (const std::string& word : line_of(server)) say(word, word);
  for (const auto& [name, text] : server.environment) say("the variable " + name, text);
}

void say_found(const ServerReport& report) {
  std::vector<std::string> tools(report.tools.size());
  std::ranges::transform(report.tools, tools.begin(), &ToolReport::name);
  std::printf("%s %s answers after %lld ms in revision %s: %zu tool%s%s%s\n", text::visible(report.name).c_str(),
              text::visible(report.version).c_str(), static_cast<long long>(report.time.count()),
              text::visible(report.revision).c_str(), report.tools.size(), report.tools.size() == 1 ? "" : "s",
              report.tools.empty() ? "" : ": ", text::visible(joined(tools)).c_str());
  if (!report.stray_line.empty())
    std::printf("but it writes to its standard output what is no message, and a host may refuse it for that: %s\n",
                text::visible(report.stray_line).c_str());
}

/// Letters, digits, '_' and '-' of what the server calls itself; '-' for the rest.
std::string name_from(const std::string& title) {
  std::string name;
  for (const char c : title.substr(0, 50)) {
    if (is_name_character(c))
      name += c;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  name.erase(0, name.find_first_not_of('-'));
  while (name.ends_with('-')) name.pop_back();
  return name;
}

/// The name, or another one where the host would not load a server of that name.
std::string free_name(const std::string& name, const hosts::Host& host) {
  if (!hosts::keeps_name(host, name)) return name;
  std::printf("%s keeps the name \"%s\" for itself, so this one is called \"%s-server\" there\n", host.title.data(),
              name.c_str(), name.c_str());
  return name + "-server";
}

/// Starts the server unless that is not wanted. Returns the name for it.
std::string checked_name(const Given& given, const hosts::Host& host, const hosts::HostFile& place,
                         const hosts::Surroundings& here, const hosts::Server& server) {
  if (!given.name.empty()) {
    require_server_name(given.name);
    if (hosts::keeps_name(host, given.name))
      throw Misuse("--name: " + std::string(host.title) + " keeps \"" + given.name + "\" for itself, so take another");
  }
  if (place.scope != hosts::Scope::project) say_relative(server.arguments, here);
  say_replaced(server, host);
  std::string own_name = std::filesystem::path(server.program).stem().string();
  if (!given.no_start) {
    const std::string& folder = place.scope == hosts::Scope::user ? here.home : here.folder;
    try {
      const ServerReport report = start_server(server, folder, std::chrono::seconds(30));
      say_found(report);
      if (report.time > host.start_limit)
        std::printf("but %s waits no longer than %lld ms\n", host.title.data(),
                    static_cast<long long>(host.start_limit.count()));
      for (const ToolReport& tool : report.tools) {
        for (const std::string& fault : faults_of(tool, host)) std::printf("but %s\n", text::visible(fault).c_str());
      }
      for (const std::string& fault : report.sdk_faults) {
        if (!host.other_sdk) std::printf("but %s\n", text::visible(fault).c_str());
      }
      if (!report.name.empty()) own_name = report.name;
    } catch (const ServerFailure& error) {
      throw std::runtime_error("nothing was installed, because the server does not answer: " +
                               std::string(error.what()) + " (--no-start installs it all the same)");
    }
  }
  std::string name = given.name.empty() ? free_name(name_from(own_name), host) : given.name;
  require_server_name(name);
  return name;
}

/// What is opened installs for the user.
void print_links(const Installation& one) {
  if (one.place.scope != hosts::Scope::user) return;
  for (const std::string& link : links(one.host, one.name, one.server)) std::printf("or open: %s\n", link.c_str());
}

int print_for_hand(const Installation& one) {
  std::printf("Nothing was changed: %s\n", one.host.format == hosts::Format::yaml
                                               ? "YAML is not edited here."
                                               : "it is not certain which file this host reads.");
  std::string places;
  for (const std::string& place : one.place.places) places.append(places.empty() ? "" : "\n or ").append(place);
  std::printf("Put this into\n    %s\n%s:\n\n%s\n", places.c_str(),
              one.host.is_list ? "as one more element of the list" : "beside the servers that are there",
              snippet(one.host, one.name, one.server).c_str());
  print_links(one);
  return left_to_you;
}

int by_file(const Installation& one, const ConfigFile& file) {
  const std::string before = file.text.value_or("");
  const std::string after =
      hosts::with_member(one.host.format, before, one.path(), entry_of(one.host, one.name, one.server));
  if (one.dry_run) {
    std::fputs(text::visible(one_hunk(file.path, before, after), text::lines).c_str(), stdout);
    print_links(one);
    return done;
  }
  write_config_file(file, after, one.place.scope != hosts::Scope::project, backups_of(one.here));
  std::printf("%s: %s \"%s\"\n", file.path.c_str(), one.replaces ? "replaced" : "added", one.name.c_str());
  if (!one.host.note.empty())
    std::printf("%s: %.*s\n", one.host.title.data(), static_cast<int>(one.host.note.size()), one.host.note.data());
  return done;
}

int by_own_command(const Installation& one, const std::vector<std::string>& command) {
  const std::string line = text::visible(shell_text(command));
  if (one.dry_run) {
    std::printf("would run: %s\n", line.c_str());
    print_links(one);
    return done;
  }
  if (const int status = run_to_end(command, one.here.folder); status != 0)
    throw std::runtime_error("nothing is known to be installed, because this ended with " + std::to_string(status) +
                             ": " + line);
  std::printf("installed \"%s\" with: %s\n", one.name.c_str(), one.host.own.program.data());
  if (one.place.may_be_written && !member_in(read_config_file(one.place.path), one.host, one.path()))
    std::printf("but it does not stand in %s\n", one.place.path.c_str());
  return done;
}

/// The same server under other names, whose tools the host would then show twice.
void say_twins(const Installation& one) {
  for (const hosts::Scope scope : scopes_of(one.host, one.here)) {
    const hosts::HostFile place = host_file(one.host, scope, one.here).value();
    try {
      for (const auto& [name, entry] : servers_in(read_config_file(place.path), one.host, scope, one.here)) {
        if (name != one.name && !hosts::is_off(entry) && server_of(one.host, entry) == one.server)
          std::printf("but the same server is \"%s\" in %s already, so its tools will be there twice\n",
                      text::visible(name).c_str(), place.path.c_str());
      }
    } catch (const std::exception&) {  // another scope's, which is not touched: `doctor` says what is wrong with it
    }
  }
}

/// Says what there is under the name.
[[noreturn]] void refuse_in_place_of(const Json& present, const Installation& one, const std::string& path) {
  const auto server = server_of(one.host, present);
  const std::string there = path + ": \"" + one.name + "\" is ";
  if (server != one.server)
    throw std::runtime_error(there +
                             "another server: " + (server ? shown(*server) : "one that is not started by a command") +
                             "; --force replaces it, --name takes another name");
  if (!hosts::has_needed(one.host, present))
    throw std::runtime_error(there + "there already, but without \"" + std::string(one.host.needed) + "\", which " +
                             std::string(one.host.title) + " needs; --force writes it anew");
  throw std::runtime_error(there + "there already, but switched off; --force writes it anew");
}

int put(Installation one, bool force, bool tells_twins) {
  const bool is_read = one.host.format != hosts::Format::yaml;
  const ConfigFile file = is_read ? read_config_file(one.place.path) : ConfigFile{};
  const std::optional<Json> present = is_read ? member_in(file, one.host, one.path()) : std::nullopt;
  if (present) {
    const bool is_the_same = server_of(one.host, *present) == one.server && !hosts::is_off(*present) &&
                             hosts::has_needed(one.host, *present);
    if (is_the_same) {
      std::printf("%s: \"%s\" is there already, and the same\n", file.path.c_str(), one.name.c_str());
      return done;
    }
    if (!force) refuse_in_place_of(*present, one, file.path);
    one.replaces = true;
  }
  if (is_read && tells_twins) say_twins(one);
  const auto command =
      on_path(own_add_command(one.host, one.place.scope, one.name, one.server), one.here.variable("PATH"));
  if (command && !one.replaces) return by_own_command(one, *command);
  return one.place.may_be_written ? by_file(one, file) : print_for_hand(one);
}

int run_install(const std::vector<std::string>& arguments) {
  Given given;
  CLI::App app(about, "toolwire install");
  declare(app, given);
  if (const auto status = parse_before_server(app, arguments, "toolwire install HOST -- ./server --its-options"))
    return *status;
  const hosts::Surroundings here = hosts::own_surroundings();
  const hosts::Host& host = host_named(given.host);
  const hosts::Scope scope = scope_named(given.scope, host, here);
  hosts::Server server = server_of_line({std::ranges::find(arguments, "--") + 1, arguments.end()}, here);
  server.environment = variables_of(given.variables);
  const hosts::HostFile place = host_file(host, scope, here).value();
  const std::string name = checked_name(given, host, place, here, server);
  const Installation one{
      .host = host, .here = here, .place = place, .server = server, .name = name, .dry_run = given.dry_run};
  bool is_first = true;
  return repeated([&] { return put(one, given.force, std::exchange(is_first, false)); });
}

}  // namespace

int install_command(const std::vector<std::string>& arguments) { return reported("install", run_install, arguments); }

}  // namespace toolwire::install
