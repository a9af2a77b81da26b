// Files and code search below one directory or several. Usage: workspace [[NAME=]DIR]... [--write] [--run]
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <toolwire/command_line.hpp>
#include <toolwire/server.hpp>
#include <toolwire/transport.hpp>
#include <utility>
#include <vector>

#include "workspace/commands/commands.hpp"
#include "workspace/system/confine_process.hpp"
#include "workspace/system/leftovers.hpp"
#include "workspace/system/programs.hpp"
#include "workspace/system/roots.hpp"
#include "workspace/text/parts.hpp"
#include "workspace/tools/audit.hpp"
#include "workspace/tools/resources.hpp"
#include "workspace/tools/tools.hpp"

namespace {

constexpr auto summary =
    "Read, list, search and change the files below a directory; nothing outside it can be reached.";

struct Settings {
  std::vector<std::string> roots, read_only;
  std::string tools;
  std::string audit;
  bool write = false;
  bool secrets = false;
  bool structured = false;
  bool run = false;
  workspace::CommandSettings commands;
  std::string run_memory, run_time;
};

/// Throws std::invalid_argument.
std::uint64_t number_of(const std::string& option, const std::string& text, std::uint64_t otherwise,
                        std::uint64_t most) {
  if (text.empty()) return otherwise;
  std::uint64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec == std::errc() && read.ptr == text.data() + text.size() && value >= 1 && value <= most) return value;
  throw std::invalid_argument(option + ": \"" + text + "\"; expected a whole number from 1 to " + std::to_string(most));
}

/// Null without --run. Before the process is confined. Throws std::invalid_argument.
std::unique_ptr<workspace::Commands> start_commands(Settings& settings, const workspace::Roots& roots) {
  workspace::CommandSettings& wanted = settings.commands;
  const bool has_options = !wanted.allow.empty() || !wanted.read.empty() || !wanted.change.empty() ||
                           !wanted.environment.empty() || wanted.network || wanted.proc ||
                           !settings.run_memory.empty() || !settings.run_time.empty();
  if (!settings.run && has_options) throw std::invalid_argument("the options --run-… need --run");
  if (!settings.run) return nullptr;
  wanted.write = settings.write;
  wanted.memory = number_of("--run-memory", settings.run_memory, wanted.memory, 1 << 20);
  wanted.most = std::chrono::seconds(
      number_of("--run-time", settings.run_time, static_cast<std::uint64_t>(wanted.most.count()), 86'400));
  auto commands = std::make_unique<workspace::Commands>(wanted, roots);
  if (!commands->problem().empty())
    std::fprintf(stderr, "workspace: no command is run: %s\n", commands->problem().c_str());
  return commands;
}

/// None of an empty text: all tools. Throws std::invalid_argument for a text without a name.
std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  for (const std::string_view name : workspace::parts_of(list, ',')) {
    if (name.find_first_not_of(' ') != std::string_view::npos) names.emplace_back(name);
  }
  if (names.empty() && !list.empty())
    throw std::invalid_argument("--tools: names no tool; expected names with commas between");
  return names;
}

// Before the first thread is started. What is missing is reported on the terminal and to the model.
std::string confine(const workspace::Roots& roots, const Settings& settings, const std::string& trace) {
  workspace::Allowed allowed;
  for (const workspace::Root* root : roots.all()) {
    const bool is_changed = settings.write && !root->is_read_only();
    if (root->problem().empty()) (is_changed ? allowed.write : allowed.read).push_back(root->path());
  }
  if (!trace.empty()) allowed.append.push_back(trace);
  std::string problem = workspace::confine_process(allowed);
  if (!problem.empty()) {
    std::fprintf(stderr, "workspace: paths are confined by openat2 alone, for %s\n", problem.c_str());
  }
  return problem;
}

// Before the process is confined: it may execute nothing then.
workspace::Programs start_programs(const workspace::Roots& roots) {
  std::vector<std::string> readable;
  for (const workspace::Root* root : roots.all()) {
    if (root->problem().empty()) readable.push_back(root->path());
  }
  const char* const folders = std::getenv("PATH");
  return workspace::Programs::start({{"git", readable}, {"ctags", {}}}, folders == nullptr ? "/usr/bin:/bin" : folders);
}

toolwire::ServerOptions options_for(const workspace::Commands* commands) {
  toolwire::ServerOptions options;
  // A file that processes share cannot be reached by one that is confined.
  options.stores.used_answers = toolwire::memory_nonce_store();
  // What a command has changed is looked at when it has ended, which takes longer than a tool is given.
  if (commands != nullptr) options.on_stuck = toolwire::OnStuck::detach;
  return options;
}

/// Other tools may go on, so nothing that they use is destroyed.
[[noreturn]] void end_commands(workspace::Commands& commands, int status) {
  commands.end();
  std::fflush(nullptr);
  std::_Exit(status);
}

int serve(const toolwire::CommandLine& line, Settings& settings) {
  const workspace::Roots roots = workspace::Roots::from(
      settings.roots, settings.secrets ? workspace::Secrets::shown : workspace::Secrets::left_out, settings.read_only);
  if (settings.write && roots.are_read_only())
    throw std::invalid_argument("--write needs a root that is not one of --read-only");
  // A root that cannot be used must not end the server: a client shows the answer to a call, rarely what a dead server
  // printed.
  if (const std::string problem = roots.problem(); !problem.empty())
    std::fprintf(stderr, "workspace: %s\n", problem.c_str());
  toolwire::Middleware audit;
  if (!settings.audit.empty()) audit = workspace::audit_to(settings.audit);
  const workspace::Programs programs = start_programs(roots);
  const std::unique_ptr<workspace::Commands> commands = start_commands(settings, roots);
  const std::string weakness = confine(roots, settings, line.trace_file());
  if (settings.write) workspace::remove_leftovers(roots);
  const workspace::ToolChoice choice{.write = settings.write,
                                     .only = names_in(settings.tools),
                                     .structured = settings.structured,
                                     .programs = &programs,
                                     .commands = commands.get()};
  toolwire::Server server{{.name = "workspace",
                           .version = TOOLWIRE_VERSION,
                           .title = "Workspace",
                           .description = summary,
                           .instructions = workspace::instructions(roots, choice) +
                                           (weakness.empty() ? "" : " Confined by openat2 alone: " + weakness + '.')},
                          options_for(commands.get())};
  workspace::add_tools(server, roots, choice);
  if (audit) server.around_call(std::move(audit));
  const std::unique_ptr<workspace::FileWatch> watch = workspace::add_resources(server, roots);
  const int status = server.run_stdio(line);
  if (commands) end_commands(*commands, status);
  return status;
}

// So that no root and no file lands on a standard stream that was closed.
bool claim_standard_streams() {
  try {
    toolwire::claim_stdio();
    return true;
  } catch (const std::system_error& error) {
    std::fprintf(stderr, "workspace: cannot begin: %s\n", error.what());
    return false;
  }
}

void add_run_options(toolwire::CommandLine& line, Settings& settings) {
  line.flag("--run", "Also run commands, confined, those that a pattern or a person approves", settings.run);
  line.option("--run-allow", "PATTERN", "Commands that need no question, as in 'cargo test *' or 'npm run **'",
              settings.commands.allow);
  line.option("--run-read", "DIR", "A further folder that commands may read and execute", settings.commands.read);
  line.option("--run-write", "DIR", "Commands change only this folder, in the place of the roots",
              settings.commands.change);
  line.option("--run-env", "NAME=VALUE", "A variable of commands", settings.commands.environment);
  line.flag("--run-network", "Commands have the network", settings.commands.network);
  line.flag("--run-proc", "Commands see /proc and reserve memory freely, as sanitizers and some test runners need",
            settings.commands.proc);
  line.option("--run-memory", "MIB", "Of a command (default: 4096)", settings.run_memory);
  line.option("--run-time", "SECONDS", "The longest that a command not in the background may take (default: 600)",
              settings.run_time);
}

}  // namespace

int main(int argc, char** argv) {
  if (!claim_standard_streams()) return 1;
  Settings settings;
  std::vector<std::string> directories;
  toolwire::CommandLine line{"workspace", TOOLWIRE_VERSION, summary};
  line.option("--root", "[NAME=]DIR", "A directory to serve, once or several times (default: the working directory)",
              settings.roots);
  line.operands("[NAME=]DIR", "The same without --root", directories);
  line.option("--read-only", "[NAME=]DIR", "A directory that is only read, also with --write and by commands",
              settings.read_only);
  line.flag("--write", "Also change files; without it they are only read", settings.write);
  line.flag("--secrets", "Also serve files that hold secrets by their names (.env, keys)", settings.secrets);
  line.flag("--structured", "Results also as values with schemas, for programs: many hosts give a model these instead",
            settings.structured);
  line.option("--audit", "FILE", "Append a line of JSON for each call: what was read and changed", settings.audit);
  line.option("--tools", "NAMES", "Only these tools, with commas between (default: all)", settings.tools);
  add_run_options(line, settings);
  if (const auto status = line.parse(argc, argv)) return *status;
  settings.roots.insert(settings.roots.end(), directories.begin(), directories.end());
  if (const std::string problem = workspace::confinement_problem(); !problem.empty()) {
    std::fprintf(stderr, "workspace: refusing to start: %s\n", problem.c_str());
    return 1;
  }
  try {
    return serve(line, settings);
  } catch (const std::invalid_argument& mistake) {
    std::fprintf(stderr, "workspace: %s\n", mistake.what());
    return 2;
  } catch (const std::system_error& error) {
    std::fprintf(stderr, "workspace: cannot write the audit file: %s\n", error.what());
    return 1;
  }
}
