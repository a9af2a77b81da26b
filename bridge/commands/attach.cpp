#include "commands/attach.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "commands/back_end_settings.hpp"
#include "commands/command_arguments.hpp"
#include "commands/daemon_place.hpp"
#include "commands/listen_options.hpp"
#include "commands/serve_options.hpp"
#include "commands/start_failure.hpp"
#include "system/next_program.hpp"

namespace toolwire::bridge {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  ServeOptions served;
  std::vector<std::string> program;  // behind "--"
  std::string idle;
  bool keep = false;
};

/// As words_of reads it.
std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// How the server is called, for texts: as its program.
std::string name_of_server(const std::string& program) {
  std::string name = fs::path(program).filename().string();
  const auto is_odd = [](char c) {
    return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-');
  };
  std::ranges::replace_if(name, is_odd, '_');
  return name.empty() ? "server" : name;
}

std::string server_of(const std::vector<std::string>& program) {
  std::string text = name_of_server(program.front()) + "=";
  for (const std::string& word : program) text += (text.ends_with('=') ? "" : " ") + quoted(word);
  return text;
}

/// "mcp_example_com=https://mcp.example.com/mcp".
std::string server_at(const std::string& url) {
  const std::string origin = http_origin_of(url).value_or("//:");
  const std::string authority = origin.substr(origin.find("//") + 2);
  return name_of_server(authority.substr(0, authority.rfind(':'))) + "=" + url;
}

/// Addresses among the files are servers.
void take_addresses(ServeOptions& options) {
  for (const std::string& file : options.files) {
    if (is_address(file)) options.servers.push_back(server_at(file));
  }
  std::erase_if(options.files, is_address);
}

/// The command line of the daemon, all but where it listens.
std::vector<std::string> serve_words(const ServeOptions& options) {
  std::vector<std::string> words{"serve"};
  words.insert(words.end(), options.files.begin(), options.files.end());
  const auto add = [&](const char* option, const std::vector<std::string>& values) {
    for (const std::string& value : values) words.insert(words.end(), {option, value});
  };
  add("--server", options.servers);
  add("--header", options.headers);
  add("--inherit", options.inherited);
  if (!options.profile.empty()) add("--profile", {options.profile});
  if (options.allow_commands) words.emplace_back("--allow-commands");
  return words;
}

/// The program beside this one.
std::string attach_program(const OwnProgram& own) {
  std::string path = (fs::path(own.path).parent_path() / "toolwire-attach").string();
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored))
    throw std::invalid_argument("expected the program toolwire-attach beside this one: " + path);
  return path;
}

[[noreturn]] void attach(Arguments& arguments) {
  ServeOptions& options = arguments.served;
  for (std::string& file : options.files) {
    if (!is_address(file)) file = fs::absolute(file).lexically_normal().string();
  }
  if (!arguments.program.empty()) options.servers = {server_of(arguments.program)};
  take_addresses(options);
  if (arguments.keep && !arguments.idle.empty())
    throw std::invalid_argument("--keep and --idle-seconds: expected one of the two");
  idle_time(arguments.idle);
  const std::vector<std::string> words = serve_words(options);
  interpret(options, [](const std::string& text) { std::fprintf(stderr, "toolwire-bridge: %s\n", text.c_str()); });
  const OwnProgram own = own_program();
  const DaemonPlace place = daemon_place(daemon_key(options));
  std::vector<std::string> command{attach_program(own), "--socket", place.socket, "--log", place.log, "--", own.path};
  command.insert(command.end(), words.begin(), words.end());
  command.insert(command.end(), {"--listen", "unix:" + place.socket, "--log", place.log});
  if (arguments.keep) command.emplace_back("--keep");
  if (!arguments.idle.empty()) command.insert(command.end(), {"--idle-seconds", arguments.idle});
  become(command);
}

}  // namespace

int attach_command(int argc, const char* const* argv) {
  const char* const* const end = argv + argc;
  const char* const* const dashes = std::find(argv, end, std::string_view("--"));
  Arguments arguments;
  if (dashes != end) std::copy(dashes + 1, end, std::back_inserter(arguments.program));
  CommandArguments taken(
      "attach",
      "Serves a host through a bridge that all hosts of this user share, and starts that if need be.\n"
      "FILE as of serve; or the URL of a server that is reached over HTTP; or, behind \"--\", another MCP server: "
      "attach [OPTIONS] -- PROGRAM [ARGUMENT…]");
  if (dashes == end)
    taken.required("FILE", arguments.served.files, "A configuration with MCP servers, or manifests; or a URL");
  taken.option("--profile", arguments.served.profile, "Which profile of the configuration or the bindings");
  taken.flag("--allow-commands", arguments.served.allow_commands, "${cmd:PROGRAM} in the configuration runs programs");
  taken.option("--header", arguments.served.headers,
               "\"NAME: VALUE\", sent to the server at the URL; ${VARIABLE} and ${file:PATH} in VALUE are filled in");
  taken.option("--inherit", arguments.served.inherited,
               "What PROGRAM gets of the environment, besides HOME, PATH and the like; \"PREFIX_*\" for many");
  taken.option("--idle-seconds", arguments.idle, "The bridge ends when nobody was attached for so long (300)");
  taken.flag("--keep", arguments.keep, "The bridge stays, however long nobody is attached");
  if (const auto ended = taken.parse(static_cast<int>(dashes - argv), argv)) return *ended;
  try {
    if (dashes != end && arguments.program.empty()) throw std::invalid_argument("expected a program behind \"--\"");
    attach(arguments);
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "toolwire-bridge attach: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    return report_failed_start("toolwire-bridge attach", error);
  }
}

}  // namespace toolwire::bridge
