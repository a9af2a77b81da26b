// toolwire: its own commands, and `toolwire WORD …` for every other program of the name toolwire-WORD.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <toolwire/system/own_program.hpp>
#include <vector>

#include "dev/dev.hpp"
#include "inspect/inspect.hpp"
#include "install/commands.hpp"
#include "new/new.hpp"
#include "pack/pack.hpp"
#include "words.hpp"

namespace {

using namespace toolwire::tools;

struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(const std::vector<std::string>& arguments);
};

constexpr std::array commands{
    Command{"install", "Puts an MCP server into a host", toolwire::install::install_command},
    Command{"uninstall", "Takes one out again", toolwire::install::uninstall_command},
    Command{"list", "Lists the servers that hosts have", toolwire::install::list_command},
    Command{"doctor", "Says why a host does not see a server", toolwire::install::doctor_command},
    Command{"new", "Writes the project of a new server", toolwire::projects::new_command},
    Command{"dev", "Keeps a host's server while it is built anew", toolwire::dev::dev_command},
    Command{"inspect", "Shows a page to try a server with", toolwire::inspect::inspect_command},
    Command{"pack", "Makes packages of a server for hosts, the registry and npm", toolwire::pack::pack_command},
};

std::string path_of_environment() {
  const char* const path = std::getenv("PATH");
  return path == nullptr ? std::string() : std::string(path);
}

std::string help(const std::string& own_program) {
  std::string text =
      "Puts MCP servers into the hosts that start them, makes new ones and packages of them, and runs the other\n"
      "programs of toolwire.\n\n"
      "Usage: toolwire COMMAND …   (toolwire COMMAND --help says more)\n\n";
  for (const Command& command : commands) {
    text.append("  ").append(command.name).append(11 - command.name.size(), ' ').append(command.summary) += '\n';
  }
  for (const std::string& word : words_with_programs(own_program, path_of_environment()))
    text.append("  ")
        .append(word)
        .append(word.size() < 11 ? 11 - word.size() : 1, ' ')
        .append("Runs toolwire-" + word + '\n');
  return text;
}

/// Returns only if there is no such program, or it cannot be run.
int run_word(const std::string& own_program, int argc, char** argv) {
  const std::string word = argv[1];
  const auto program = program_of_word(word, own_program, path_of_environment());
  if (!program) {
    std::vector<std::string> known(commands.size());
    std::ranges::transform(commands, known.begin(), [](const Command& command) { return std::string(command.name); });
    std::fprintf(stderr, "toolwire: %s\n",
                 unknown_word(word, std::move(known), own_program, path_of_environment()).c_str());
    return 2;
  }
  std::vector<std::string> arguments(argv + 1, argv + argc);
  arguments.front() = *program;
  const int error = toolwire::system::become_program_at(*program, std::move(arguments));
  std::fprintf(stderr, "toolwire: %s cannot be run: %s\n", program->c_str(), std::strerror(error));
  return 2;
}

int run(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  if (name == "--version") return std::printf("toolwire %s\n", TOOLWIRE_VERSION) < 0 ? 1 : 0;
  const std::string own_program = toolwire::system::own_program_path();
  if (name == "--help" || name == "-h" || name == "help")
    return std::fputs(help(own_program).c_str(), stdout) < 0 ? 1 : 0;
  if (name.empty()) {
    std::fputs(help(own_program).c_str(), stderr);
    return 2;
  }
  const auto* const command = std::ranges::find(commands, name, &Command::name);
  return command == commands.end() ? run_word(own_program, argc, argv) : command->run({argv + 2, argv + argc});
}

/// The status, or 1 if something that was printed has not arrived.
int after_output(int status) {
  const int error = std::fflush(stdout) == 0 ? 0 : errno;
  if (error == 0 && std::ferror(stdout) == 0) return status;
  std::fprintf(stderr, "toolwire: standard output cannot be written%s%s\n", error == 0 ? "" : ": ",
               error == 0 ? "" : std::strerror(error));
  return status == 0 ? 1 : status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return after_output(run(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "toolwire: %s\n", error.what());
    return 2;
  }
}
