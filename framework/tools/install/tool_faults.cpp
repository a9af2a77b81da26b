#include "tool_faults.hpp"

#include <algorithm>
#include <toolwire/schema.hpp>

#include "request.hpp"

namespace toolwire::install {
namespace {

constexpr std::size_t longest_tool_name = 50;

/// What the TypeScript SDK refuses is no schema of a tool for any host.
bool concerns(const PortabilityFinding& finding, const hosts::Host& host) {
  return finding.refused && (finding.host == "TypeScript SDK" || finding.host == host.schemas_as);
}

}  // namespace

std::vector<std::string> faults_of(const ToolReport& tool, const hosts::Host& host) {
  std::vector<std::string> faults;
  if (tool.name.size() > longest_tool_name)
    faults.push_back("the name of its tool \"" + tool.name + "\" has " + std::to_string(tool.name.size()) +
                     " bytes, of which hosts take no more than " + std::to_string(longest_tool_name));
  if (tool.name.empty() || !std::ranges::all_of(tool.name, is_name_character))
    faults.push_back("hosts refuse the name of its tool \"" + tool.name + "\": expected letters, digits, _ and -");
  for (const PortabilityFinding& finding : schema_portability(tool.input_schema)) {
    if (concerns(finding, host))
      faults.push_back(std::string(host.title) + " refuses the schema of its tool \"" + tool.name +
                       "\": " + finding.pointer + ": " + finding.problem + "; " + finding.rewrite);
  }
  return faults;
}

}  // namespace toolwire::install
