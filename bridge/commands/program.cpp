#include "commands/program.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <toolwire/system/descriptor_limit.hpp>
#include <toolwire/system/nearest_name.hpp>
#include <vector>

#include "commands/start_failure.hpp"
#include "system/kernel.hpp"
#include "system/orphans.hpp"
#include "system/own_process.hpp"
#include "system/program_version.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::size_t width = 10;  // of the names in the help

struct Program {
  std::string name;
  std::string_view about;
  std::span<const Command> commands;

  std::string help() const {
    std::string text(about);
    text += "\nUsage: " + name + " COMMAND …   (" + name + " COMMAND --help says more)\n\n";
    for (const Command& command : commands) {
      text.append("  ").append(command.name).append(width - command.name.size(), ' ').append(command.summary);
      text.push_back('\n');
    }
    return text;
  }

  int unknown(const std::string& asked) const {
    std::vector<std::string_view> names(commands.size());
    std::ranges::transform(commands, names.begin(), &Command::name);
    const std::string nearest(system::nearest_name(asked, names));
    const std::string guess = nearest.empty() ? "" : ", did you mean " + nearest + "?";
    std::fprintf(stderr, "%s: there is no command \"%.100s\"%s; see --help\n", name.c_str(), asked.c_str(),
                 guess.c_str());
    return 2;
  }

  int run(int argc, const char* const* argv) const {
    const std::string asked = argc > 1 ? argv[1] : "";
    open_standard_streams();
    for (const Command& command : commands) {
      if (command.leaves_a_program && command.name == asked) return command.run(argc - 1, argv + 1);
    }
    hide_environment();
    system::raise_descriptor_limit();
    adopt_orphans();
    if (asked == "--version") return std::printf("%s %s\n", name.c_str(), program_version()) < 0 ? 1 : 0;
    if (asked == "--help" || asked == "-h" || asked == "help") return std::fputs(help().c_str(), stdout) < 0 ? 1 : 0;
    if (asked.empty()) {
      std::fputs(help().c_str(), stderr);
      return 2;
    }
    for (const Command& command : commands) {
      if (command.name != asked) continue;
      kernel_support();  // before any other process is started, see there
      const int status = command.run(argc - 1, argv + 1);
      end_orphans();
      return status;
    }
    return unknown(asked);
  }
};

}  // namespace

int run_program(std::string_view program, std::string_view about, std::span<const Command> commands, int argc,
                const char* const* argv) {
  try {
    return Program{std::string(program), about, commands}.run(argc, argv);
  } catch (const std::exception& error) {
    return report_failed_start(std::string(program).c_str(), error);
  }
}

}  // namespace toolwire::bridge
