#include "command/lint.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <toolwire/text.hpp>

#include "catalogue/catalogue.hpp"
#include "checks/runner.hpp"
#include "command/options.hpp"
#include "report/safe_text.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::string_view group = "schema-lint";
constexpr std::size_t max_lines = 40, max_width = 500;  // of what is said for one host

constexpr const char* lint_help =
    "usage: toolwire-conformance lint [--only CHECK,...] FILE.json\n"
    "       toolwire-conformance lint [--only CHECK,...] -- SERVER [arguments]\n"
    "Says what families of hosts do with the schemas of tools. FILE.json: a list of tools, or a result or response of\n"
    "tools/list. --only chooses the hosts that matter (--explain schema-lint names them): lint-claude,lint-gemini\n"
    "Exit status: 0 none has anything against the tools, 1 one has, 2 the tools cannot be read.\n";

struct LintGiven {
  std::vector<std::string> only, command;
  std::string file;
};

std::vector<std::string> checks_in(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    names.push_back(text.substr(at, end - at));
    const Requirement* requirement = find_requirement(names.back());
    if (requirement == nullptr || requirement->group != group)
      throw UsageEnd(2, "lint: \"" + names.back() + "\" is no check of the group schema-lint");
    at = end + 1;
  }
  return names;
}

LintGiven read(const std::vector<std::string>& arguments) {
  LintGiven given;
  for (auto word = arguments.begin(); word != arguments.end(); ++word) {
    if (*word == "--help" || *word == "-h") throw UsageEnd(0, lint_help);
    if (*word == "--") {
      given.command.assign(word + 1, arguments.end());
      break;
    }
    if (*word == "--only" && word + 1 != arguments.end()) {
      given.only = checks_in(*++word);
    } else if (word->starts_with('-') || !given.file.empty()) {
      throw UsageEnd(2, "lint: unexpected \"" + *word + "\"\n" + lint_help);
    } else {
      given.file = *word;
    }
  }
  if (given.file.empty() == given.command.empty()) throw UsageEnd(2, lint_help);
  if (given.only.empty()) given.only.emplace_back(group);
  return given;
}

/// What is no tool would be one that no host has anything against.
void check_tools(const JsonArray& tools, const std::string& file) {
  for (std::size_t i = 0; i < tools.size(); ++i) {
    if (get(tools[i], "name").is_string() && get(tools[i], "inputSchema").is_object()) continue;
    throw UsageEnd(2, file + ": expected tools with a string \"name\" and an object \"inputSchema\", found at " +
                          std::to_string(i) + ": " + shown(tools[i]));
  }
}

/// As if a server had listed them, in the newest revision.
Target target_of(const std::string& file) {
  const Json json = read_json_file(file, "lint");
  const Json& result = get(json, "result").is_null() ? json : get(json, "result");
  const JsonArray* tools = result.is_array() ? result.if_array() : get(result, "tools").if_array();
  if (tools == nullptr)
    throw UsageEnd(2, file + ": expected a list of tools, {\"tools\": […]}, or a response with that as its result");
  check_tools(*tools, file);
  Target target;
  const Revision& newest = *std::prev(std::end(revisions));
  target.offers.emplace(
      newest.name,
      Offer{.revision = &newest, .served = true, .capabilities = {{"tools", JsonObject{}}}, .tools = *tools});
  return target;
}

Target target_of(const std::vector<std::string>& command) {
  Target target;
  target.launch.command = command;
  survey(target);
  if (target.serves_any()) return target;
  throw UsageEnd(2, "lint: the server cannot be opened: " + target.offers.rbegin()->second.problem);
}

std::string_view newest_served(const Target& target) {
  const auto newest =
      std::find_if(target.offers.rbegin(), target.offers.rend(), [](const auto& offer) { return offer.second.served; });
  return newest->first;
}

}  // namespace

int lint(const std::vector<std::string>& arguments) {
  const LintGiven given = read(arguments);
  const Target target = given.file.empty() ? target_of(given.command) : target_of(given.file);
  const Selection selection{.only = given.only, .revisions = {std::string(newest_served(target))}, .jobs = 1};
  int status = 0;
  for (const Finding& finding : run_checks(target, selection, {})) {
    if (finding.verdict == Verdict::skip) throw UsageEnd(2, "lint: " + finding.message);
    const bool is_fine = finding.verdict == Verdict::pass;
    std::printf("%s: %s\n", finding.requirement->id.c_str(),
                is_fine ? "nothing" : finding.requirement->requirement.c_str());
    if (is_fine) continue;
    std::printf("%s\n", excerpt(finding.message, max_lines, max_width).c_str());
    status = 1;
  }
  return status;
}

}  // namespace toolwire::conformance
