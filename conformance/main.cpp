// toolwire-conformance: judges any MCP server on standard input and output.
#include <cstdio>
#include <exception>
#include <system_error>
#include <toolwire/system/signals.hpp>

#include "command/bench.hpp"
#include "command/client.hpp"
#include "command/compare.hpp"
#include "command/judge.hpp"
#include "command/lint.hpp"
#include "command/listing.hpp"
#include "command/options.hpp"
#include "driver/descendants.hpp"
#include "driver/interruption.hpp"
#include "play/play.hpp"

namespace {

using namespace toolwire::conformance;

int run(const std::vector<std::string>& arguments) {
  Options options = read_options(arguments);
  switch (options.action) {
    case Options::Action::list:
      std::fputs(list_of_checks().c_str(), stdout);
      return 0;
    case Options::Action::explain:
      std::fputs(explanation_of(options.explained).c_str(), stdout);
      return 0;
    case Options::Action::judge:
      break;
  }
  return judge(options);
}

/// The commands that stand before all options.
int run_command(const std::vector<std::string>& arguments) {
  const std::string command = arguments.empty() ? "" : arguments.front();
  const std::vector<std::string> rest(arguments.begin() + (arguments.empty() ? 0 : 1), arguments.end());
  if (command == "bench") return bench(rest);
  if (command == "client") return client(rest);
  if (command == "compare") return compare(rest);
  if (command == "lint") return lint(rest);
  return run(arguments);
}

/// A host that is judged starts this program as its server.
bool is_played_server(const std::vector<std::string>& arguments) {
  return arguments.size() == 2 && arguments.front() == "play";
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (is_played_server(arguments)) return play(arguments.back());
    toolwire::system::ignore_signal(toolwire::system::Signal::broken_pipe);
    clean_up_when_interrupted();
    adopt_orphans();
    return run_command(arguments);
  } catch (const UsageEnd& end) {
    const std::string text = end.what();
    std::fprintf(end.status == 0 ? stdout : stderr, "%s%s", text.c_str(), text.ends_with('\n') ? "" : "\n");
    return end.status;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "toolwire-conformance: %s\n", error.what());
    return 2;
  }
}
