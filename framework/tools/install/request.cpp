#include "request.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <toolwire/system/empty_value.hpp>
#include <toolwire/system/nearest_name.hpp>
#include <toolwire/system/signals.hpp>
#include <toolwire/text.hpp>

#include "edit/malformed.hpp"
#include "hosts/config_text.hpp"
#include "own_command.hpp"
#include "program_guard.hpp"

namespace toolwire::install {
namespace {

constexpr std::size_t longest_server_name = 50;

}  // namespace

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text.append(text.empty() ? "" : ", ").append(word);
  return text;
}

std::optional<int> parse(CLI::App& app, const std::vector<std::string>& arguments) {
  if (const std::string problem = system::refuse_empty_words(arguments); !problem.empty()) throw Misuse(problem);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    std::fputs(app.help().c_str(), stdout);
    return done;
  } catch (const CLI::ParseError& error) {
    throw Misuse(error.what());
  }
}

std::optional<int> parse_before_server(CLI::App& app, const std::vector<std::string>& arguments,
                                       const std::string& example) {
  const auto dashes = std::ranges::find(arguments, "--");
  try {
    if (const auto status = parse(app, {arguments.begin(), dashes})) return status;
  } catch (const Misuse& error) {
    if (dashes != arguments.end()) throw;
    throw Misuse(std::string(error.what()) + "; the server stands behind --, as in: " + example);
  }
  if (arguments.end() - dashes >= 2) return std::nullopt;
  throw Misuse("expected the server behind --, as in: " + example);
}

int reported(std::string_view command, int (*run)(const std::vector<std::string>&),
             const std::vector<std::string>& arguments) {
  const auto say = [&](const std::exception& error, const char* more) {
    std::fflush(stdout);
    std::fprintf(stderr, "toolwire %.*s: %s%s\n", static_cast<int>(command.size()), command.data(),
                 text::visible(error.what(), text::lines).c_str(), more);
  };
  try {
    return run(arguments);
  } catch (const Misuse& error) {
    say(error, "; see --help");
    return misused;
  } catch (const Interrupted&) {
    std::fflush(stdout);
    system::send_to_this_process(system::Signal::interrupt);
    return failed;
  } catch (const std::filesystem::filesystem_error& error) {
    const std::string path = error.path1().string();
    say(path.empty() ? std::runtime_error(error.what()) : std::runtime_error(path + ": " + error.code().message()), "");
    return failed;
  } catch (const std::exception& error) {
    say(error, "");
    return failed;
  }
}

const hosts::Host& host_named(const std::string& name) {
  if (const hosts::Host* const host = hosts::find_host(name)) return *host;
  std::vector<std::string_view> names;
  for (const hosts::Host& host : hosts::all_hosts()) names.push_back(host.name);
  const std::string near(system::nearest_name(name, names));
  throw Misuse("there is no host \"" + std::string(text::head(name, 100)) + "\"" +
               (near.empty() ? "" : ", did you mean " + near + "?") +
               " (known: " + joined({names.begin(), names.end()}) + ")");
}

hosts::Scope scope_named(const std::string& name, const hosts::Host& host, const hosts::Surroundings& here) {
  const std::vector<hosts::Scope> scopes = scopes_of(host, here);
  const std::string title(host.title);
  if (scopes.empty()) throw Misuse("it is not known where " + title + " keeps its servers on this system");
  if (name.empty()) return scopes.front();
  std::vector<std::string> names;
  for (const hosts::Scope scope : scopes) {
    names.emplace_back(name_of(scope));
    if (names.back() == name) return scope;
  }
  throw Misuse("--scope: expected " + joined(names) + " for " + title + ", found \"" + name + "\"");
}

void require_server_name(const std::string& name) {
  const bool is_good = !name.empty() && name.size() <= longest_server_name && name.front() != '-' &&
                       std::ranges::all_of(name, is_name_character);
  if (!is_good)
    throw Misuse("--name: expected letters, digits, _ and -, at most " + std::to_string(longest_server_name) +
                 " and no - in front, found \"" + std::string(text::head(name, 100)) + "\"");
}

Backups backups_of(const hosts::Surroundings& here) {
  const std::string state = here.variable("XDG_STATE_HOME");
  return Backups((state.starts_with('/') ? state : here.home + "/.local/state") + "/toolwire/replaced-files");
}

std::optional<Json> member_in(const ConfigFile& file, const hosts::Host& host, const std::vector<std::string>& path) {
  if (!file.text) return std::nullopt;
  try {
    return hosts::member_of(host.format, *file.text, path);
  } catch (const edit::Malformed& error) {
    throw std::runtime_error(file.path + ": " + error.what());
  }
}

std::vector<std::pair<std::string, Json>> servers_in(const ConfigFile& file, const hosts::Host& host,
                                                     hosts::Scope scope, const hosts::Surroundings& here) {
  std::vector<std::string> path = path_of_server(host, scope, here, "");
  path.pop_back();
  std::vector<std::pair<std::string, Json>> servers;
  const std::optional<Json> all = member_in(file, host, path);
  if (!all) return servers;
  if (!all->is_object()) throw std::runtime_error(file.path + ": expected an object under \"" + path.back() + "\"");
  for (const auto& [name, entry] : all->get_object()) servers.emplace_back(name, entry);
  return servers;
}

std::string shown(const hosts::Server& server) {
  std::string text = shell_text(hosts::line_of(server));
  std::vector<std::string> names;
  for (const auto& [name, value] : server.environment) names.push_back(name);
  if (!names.empty()) text += "   (with " + joined(names) + ")";
  return text::visible(text);
}

}  // namespace toolwire::install
