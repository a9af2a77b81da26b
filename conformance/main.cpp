// toolwire-conformance: judges any MCP server on standard input and output.
#include <csignal>
#include <cstdio>
#include <exception>

#include "checks/catalogue.hpp"
#include "checks/runner.hpp"
#include "driver/descendants.hpp"

int main(int argc, char** argv) {
  using namespace toolwire::conformance;
  std::signal(SIGPIPE, SIG_IGN);
  adopt_orphans();
  Target target;
  for (int i = 1; i < argc; ++i) target.launch.command.emplace_back(argv[i]);
  survey(target);
  for (const auto& [name, offer] : target.offers)
    std::printf("%s %s %s\n", std::string(name).c_str(), offer.served ? "served" : "not served", offer.problem.c_str());
  for (const Finding& finding : run_checks(target, {}, nullptr))
    std::printf("%s %s %s %s | %s | %s\n%s", std::string(finding.revision->name).c_str(),
                finding.requirement->id.c_str(), std::string(text_of(finding.verdict)).c_str(), finding.message.c_str(),
                finding.expected.c_str(), finding.got.c_str(), finding.transcript.c_str());
}
