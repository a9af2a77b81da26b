#include "workspace/tools/tools.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <toolwire/error.hpp>
#include <toolwire/json_members.hpp>
#include <utility>
#include <variant>

#include "workspace/commands/later_runs.hpp"
#include "workspace/text/shown_path.hpp"
#include "workspace/tools/git_tools.hpp"
#include "workspace/tools/read_tools.hpp"
#include "workspace/tools/run_tools.hpp"
#include "workspace/tools/search_tools.hpp"
#include "workspace/tools/symbol_tools.hpp"
#include "workspace/tools/write_tools.hpp"

namespace workspace {
namespace {

struct Known {
  std::string_view name;
  toolwire::Tool (*make)(const Roots&);
};

constexpr Known known[] = {{"read_file", read_file_tool},     {"read_files", read_files_tool},
                           {"list_files", list_files_tool},   {"find_files", find_files_tool},
                           {"search_text", search_text_tool}, {"file_info", file_info_tool}};

struct Writing {
  std::string_view name;
  toolwire::Tool (*make)(const Roots&, const std::shared_ptr<ChangeHistory>&);
};

constexpr Writing writing[] = {{"write_file", write_file_tool},
                               {"edit_file", edit_file_tool},
                               {"replace_text", replace_text_tool},
                               {"create_directory", create_directory_tool},
                               {"move", move_tool},
                               {"delete", delete_tool},
                               {"undo", undo_tool}};

// What tools that need a program of the system are made of.
struct Helpers {
  const Programs& programs;
  std::shared_ptr<SymbolStore> symbols;
};

struct WithProgram {
  std::string_view name;
  const char* program;
  toolwire::Tool (*make)(const Roots&, const Helpers&);
};

template <auto make>
toolwire::Tool with_git(const Roots& roots, const Helpers& helpers) {
  return make(roots, helpers.programs);
}

template <auto make>
toolwire::Tool with_ctags(const Roots& roots, const Helpers& helpers) {
  return make(roots, helpers.symbols);
}

constexpr WithProgram with_programs[] = {
    {"git_status", "git", with_git<git_status_tool>}, {"git_diff", "git", with_git<git_diff_tool>},
    {"git_blame", "git", with_git<git_blame_tool>},   {"git_log", "git", with_git<git_log_tool>},
    {"outline", "ctags", with_ctags<outline_tool>},   {"find_symbol", "ctags", with_ctags<find_symbol_tool>}};

struct WithCommands {
  std::string_view name;
  toolwire::Tool (*make)(Commands&);
};

constexpr WithCommands with_commands[] = {
    {"run_command", run_command_tool}, {"read_output", read_output_tool}, {"stop_command", stop_command_tool}};

bool is_wanted(const ToolChoice& choice, std::string_view name) {
  return choice.only.empty() || std::find(choice.only.begin(), choice.only.end(), name) != choice.only.end();
}

template <class Table>
auto named(const Table& table, std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(table), std::end(table), [&](const auto& one) { return one.name == name; });
  return found == std::end(table) ? nullptr : found;
}

// Why there is none of the tools that need this program; empty if there are.
std::string missing(const ToolChoice& choice, const char* program) {
  return choice.programs == nullptr ? "this server starts no programs" : choice.programs->problem(program);
}

std::string missing_commands(const ToolChoice& choice) {
  return choice.commands == nullptr ? "it needs --run" : choice.commands->problem();
}

void check(const ToolChoice& choice, const std::string& name) {
  if (named(with_commands, name) != nullptr) {
    if (const std::string why = missing_commands(choice); !why.empty())
      throw std::invalid_argument("the tool \"" + name + "\" cannot be offered: " + why);
    return;
  }
  if (const WithProgram* const tool = named(with_programs, name)) {
    const std::string why = missing(choice, tool->program);
    if (!why.empty()) throw std::invalid_argument("the tool \"" + name + "\" cannot be offered: " + why);
    return;
  }
  const bool writes = named(writing, name) != nullptr;
  if (!writes && named(known, name) == nullptr) throw std::invalid_argument("there is no tool \"" + name + "\"");
  if (writes && !choice.write) throw std::invalid_argument("the tool \"" + name + "\" needs --write");
}

// What a model need not look for.
std::string missing_text(const ToolChoice& choice) {
  std::string text, last;
  if (choice.commands != nullptr && !choice.commands->problem().empty())
    text += " No command can be run: " + choice.commands->problem() + '.';
  if (choice.programs == nullptr || !choice.only.empty()) return text;
  for (const WithProgram& tool : with_programs) {
    const std::string why = missing(choice, tool.program);
    if (!why.empty() && why != last) text += " There are no tools for " + std::string(tool.program) + ": " + why + '.';
    last = why;
  }
  return text;
}

/// What leads into no root is left to the tool, which says so.
bool runs_later_in(const Roots& roots, const std::string& path) {
  try {
    const Located where = roots.locate(path);
    return runs_later(where.root->relative(where.path), FileKind::regular);
  } catch (const toolwire::ToolError&) {
    return false;
  }
}

void refuse_what_is_put_back(const Roots& roots, const Commands& commands, const std::string& path) {
  constexpr std::size_t shown_bytes = 300;
  if (!runs_later_in(roots, path) || !commands.puts_changes_back()) return;
  throw toolwire::ToolError("path: " + shown_path(path, shown_bytes) +
                            " is run later, as hooks, settings of editors and agents, and jobs of CI are; while a "
                            "command runs, whatever changes in such files is put back when it ends. Expected that none "
                            "runs: stop_command ends one in the background");
}

/// The same with its text alone.
toolwire::Tool without_values(toolwire::Tool tool) {
  tool.info.output_schema = nullptr;
  tool.checks_output = false;
  auto& handler = std::get<toolwire::ToolHandler>(tool.handler);
  handler = [inner = std::move(handler)](const toolwire::Json& arguments, toolwire::Context& context) {
    toolwire::AnyOutcome outcome = inner(arguments, context);
    if (auto* const result = std::get_if<toolwire::ToolResult>(&outcome)) result->structured.reset();
    return outcome;
  };
  return tool;
}

/// The same, which changes nothing that would be put back when a command ends: its answer would soon not be true.
toolwire::Tool beside_commands(toolwire::Tool tool, const Roots& roots, const Commands& commands) {
  auto& handler = std::get<toolwire::ToolHandler>(tool.handler);
  handler = [inner = std::move(handler), &roots, &commands](const toolwire::Json& arguments,
                                                            toolwire::Context& context) {
    const toolwire::Json* const dry_run = toolwire::find_member(arguments, "dryRun");
    const bool changes = dry_run == nullptr || !dry_run->is_bool() || !dry_run->get_bool();
    for (const char* const name : {"path", "from", "to"}) {
      const toolwire::Json* const path = changes ? toolwire::find_member(arguments, name) : nullptr;
      if (path != nullptr && path->is_string())
        refuse_what_is_put_back(roots, commands, path_meant(path->get_string()));
    }
    return inner(arguments, context);
  };
  return tool;
}

}  // namespace

std::string instructions(const Roots& roots, const ToolChoice& choice) {
  if (const std::string problem = roots.problem(); !problem.empty())
    return "No tool of this server can work now: " + problem + '.';
  std::string text = "Files below " + roots.text() +
                     (choice.write ? "" : ", for reading only (the server was started without --write)") +
                     ". Find text with search_text, read around a match with read_file, look around with list_files. ";
  if (choice.write) {
    text +=
        "Change files with edit_file (dryRun shows the difference first), many at once with replace_text; undo takes "
        "the "
        "last change back, every change says how else to undo it, and what was replaced or deleted is in "
        ".workspace-trash. ";
  }
  if (choice.commands != nullptr && choice.commands->problem().empty())
    text += "Run tests and builds with run_command, which takes words, not a line for a shell. ";
  text += roots.has_names() ? "Paths begin with the name of a root; nothing outside the roots can be reached."
                            : "Paths are relative to that root; nothing outside it can be reached.";
  return text + missing_text(choice);
}

void add_tools(toolwire::Server& server, const Roots& roots, const ToolChoice& choice) {
  for (const std::string& name : choice.only) check(choice, name);
  const auto add = [&](toolwire::Tool tool) {
    server.add(choice.structured ? std::move(tool) : without_values(std::move(tool)));
  };
  for (const Known& one : known) {
    if (is_wanted(choice, one.name)) add(one.make(roots));
  }
  const auto history = std::make_shared<ChangeHistory>();
  for (const Writing& one : writing) {
    if (!choice.write || !is_wanted(choice, one.name)) continue;
    toolwire::Tool tool = one.make(roots, history);
    const bool is_put_back = choice.commands != nullptr && one.name != "create_directory";  // an empty folder stays
    add(is_put_back ? beside_commands(std::move(tool), roots, *choice.commands) : std::move(tool));
  }
  for (const WithCommands& one : with_commands) {
    if (is_wanted(choice, one.name) && missing_commands(choice).empty()) add(one.make(*choice.commands));
  }
  if (choice.programs == nullptr) return;
  const Helpers helpers{*choice.programs, std::make_shared<SymbolStore>(*choice.programs)};
  for (const WithProgram& one : with_programs) {
    if (is_wanted(choice, one.name) && missing(choice, one.program).empty()) add(one.make(roots, helpers));
  }
}

}  // namespace workspace
