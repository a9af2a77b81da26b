#include "commands/call_documents.hpp"

#include <algorithm>
#include <iostream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include <toolwire/bridge/registry.hpp>

#include "commands/command_arguments.hpp"
#include "commands/input_text.hpp"
#include "commands/own_services.hpp"
#include "commands/tool_sources.hpp"
#include "manifest/indented_json.hpp"

namespace toolwire::bridge {
namespace {

struct Arguments {
  std::string document;
  std::vector<std::string> tools;
  std::string bindings;
  std::string profile;
  bool approve = false;
};

/// For `--approve`, which says that the user has read the document.
struct ApproveAll : Approval {
  Decision decide(CallInHand& call) override {
    call.decision = "approved on the command line";
    return GoOn{};
  }
};

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text.append(text.empty() ? "" : "\n").append(line);
  return text;
}

void add_bound(Registry& registry, const Bindings& bindings, const std::vector<ToolDefinition>& tools,
               const ActivityServices& services, std::vector<std::string>& problems) {
  BoundActivities made = make_bound_activities(bindings, tools, services);
  for (const ManifestProblem& problem : made.problems) problems.push_back(problem.message());
  for (auto& [name, activity] : made.activities) registry.activities().add(name, std::move(activity));
  for (const auto& [name, binding] : bindings.by_name) {
    if (binding.kind == "mcp")
      problems.push_back(binding.pointer + ": MCP servers are not started by `call`; use `serve`");
  }
}

/// Binds the tools of a scenario with a `base_url` that have no binding.
void add_scenario(Registry& registry, const ToolFiles& files, const ActivityServices& services) {
  const std::string url = files.manifests.empty() ? std::string() : files.manifests.front().scenario.base_url;
  if (url.empty()) return;
  for (const ToolDefinition& tool : files.tools) {
    const std::string name = tool.activity.value_or(tool.name);
    if (name.empty() || registry.activities().find(name)) continue;
    registry.activities().add(name, make_scenario_activity(url, HttpOrigin::operators, tool, services.http));
  }
}

/// Adds everything the files say, or throws with every problem in them.
void fill(Registry& registry, LoadedSources loaded, const ActivityServices& services,
          std::vector<std::string>& problems) {
  std::vector<ToolDefinition> all;
  for (const ToolSource& source : loaded.sources) {
    all.insert(all.end(), source.tools.tools.begin(), source.tools.tools.end());
    add_bound(registry, source.bindings, source.tools.tools, services, problems);
  }
  add_bound(registry, loaded.bindings, all, services, problems);
  for (ToolSource& source : loaded.sources) {
    add_scenario(registry, source.tools, services);
    registry.tools().provider(source.file, std::move(source.tools.tools), std::move(source.tools.categories));
  }
}

Json document_of(const std::string& path) {
  const std::string text = input_text(path);
  try {
    return parse_json(text, {.max_values = usual_json_values});
  } catch (const JsonError& error) {
    throw std::invalid_argument(path + ": " + error.what());
  }
}

RegistryOptions options_of(const LoadedSources& loaded) {
  RegistryOptions options;
  for (const ToolSource& source : loaded.sources) {
    options.dangling = source.bindings.dangling.value_or(options.dangling);
  }
  options.dangling = loaded.bindings.dangling.value_or(options.dangling);
  return options;
}

int run(const Arguments& arguments) {
  const Json document = document_of(arguments.document);
  std::vector<std::string> problems;
  ToolSources sources(arguments.tools, arguments.bindings, arguments.profile);
  LoadedSources loaded = sources.load([&](const std::string& problem) { problems.push_back(problem); });
  OwnServices services;
  Registry registry{options_of(loaded)};
  fill(registry, std::move(loaded), services.get(), problems);
  if (!problems.empty()) throw std::invalid_argument(joined(problems));
  if (arguments.approve) registry.approve_with(std::make_shared<ApproveAll>());
  const Json results = registry.run(document);
  std::cout << indented_json(results) << '\n';
  const JsonArray& list = results.at("results").get_array();
  return std::ranges::any_of(list, [](const Json& one) { return one.get_object().contains("error"); }) ? 1 : 0;
}

void describe(CommandArguments& taken, Arguments& arguments) {
  taken.required("FILE", arguments.document, "The filled document, {\"calls\": [...]}; \"-\" for standard input");
  taken.required("--tools", arguments.tools, "Manifests, tool schemas, lists of them, or folders of these");
  taken.option("--bindings", arguments.bindings, "What runs them, besides what stands beside each file");
  taken.option("--profile", arguments.profile, "The profile of the bindings");
  taken.flag("--approve", arguments.approve, "Run also tools that need approval; without, they are refused");
}

}  // namespace

int call_command(int argc, const char* const* argv) {
  CommandArguments taken("call", "Runs a document of calls that a model has filled.");
  Arguments arguments;
  describe(taken, arguments);
  if (const auto ended = taken.parse(argc, argv)) return *ended;
  try {
    return run(arguments);
  } catch (const std::invalid_argument& error) {
    std::cerr << error.what() << '\n';
    return 1;
  } catch (const std::system_error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}

}  // namespace toolwire::bridge
