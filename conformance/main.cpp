// toolwire-conformance: judges any MCP server on standard input and output.
#include <cstdio>
#include <exception>
#include <system_error>
#include <toolwire/system/signals.hpp>

#include "command/bench.hpp"
#include "command/compare.hpp"
#include "command/judge.hpp"
#include "command/lint.hpp"
#include "command/listing.hpp"
#include "command/options.hpp"
#include "driver/descendants.hpp"
#include "driver/interruption.hpp"

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

}  // namespace

int main(int argc, char** argv) {
  toolwire::system::ignore_signal(toolwire::system::Signal::broken_pipe);
  clean_up_when_interrupted();
  adopt_orphans();
  try {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (!arguments.empty() && arguments.front() == "bench") return bench({arguments.begin() + 1, arguments.end()});
    if (!arguments.empty() && arguments.front() == "compare") return compare({arguments.begin() + 1, arguments.end()});
    if (!arguments.empty() && arguments.front() == "lint") return lint({arguments.begin() + 1, arguments.end()});
    return run(arguments);
  } catch (const UsageEnd& end) {
    const std::string text = end.what();
    std::fprintf(end.status == 0 ? stdout : stderr, "%s%s", text.c_str(), text.ends_with('\n') ? "" : "\n");
    return end.status;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "toolwire-conformance: %s\n", error.what());
    return 2;
  }
}
