#include "commands/compose.hpp"

#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <toolwire/bridge/registry.hpp>

#include "commands/command_arguments.hpp"
#include "commands/tool_sources.hpp"
#include "manifest/indented_json.hpp"

namespace toolwire::bridge {
namespace {

struct Arguments {
  std::vector<std::string> files;
  std::vector<std::string> activities;
  std::string bindings;
  std::string profile;
  bool strip = false;
  bool output_last = false;
  bool bare = false;
  bool dangling_latent = false;
  bool indented = false;
};

/// Stands for an Activity of this name: composition only asks whether there is one.
class NamedActivity : public Activity {
 public:
  void start(const Call&, ActivityContext&, Reply reply) override { reply.error("This Activity is only a name"); }
  std::string_view kind() const override { return "named"; }
};

LoadedSources load(const Arguments& arguments) {
  std::string problems;
  ToolSources sources(arguments.files, arguments.bindings, arguments.profile);
  LoadedSources loaded =
      sources.load([&](const std::string& problem) { problems.append(problems.empty() ? "" : "\n").append(problem); });
  if (!problems.empty()) throw std::invalid_argument(problems);
  return loaded;
}

/// Adds the names of all Activities.
void add_names(Registry& registry, const Bindings& bindings) {
  const auto activity = std::make_shared<NamedActivity>();
  for (const auto& [name, binding] : bindings.by_name) {
    if (binding.kind != "latent") registry.activities().add(name, activity);
  }
}

/// What `serve` has run by the scenario of a manifest.
void add_names_of_scenario(Registry& registry, const ToolSource& source, const Bindings& of_all) {
  const auto activity = std::make_shared<NamedActivity>();
  for (const Manifest& manifest : source.tools.manifests) {
    if (manifest.scenario.base_url.empty()) continue;
    for (const ToolDefinition& tool : source.tools.tools) {
      const bool is_bound = source.bindings.by_name.contains(tool.name) || of_all.by_name.contains(tool.name);
      if (!tool.activity && !is_bound) registry.activities().add(tool.name, activity);
    }
  }
}

Json composed(const Arguments& arguments) {
  LoadedSources loaded = load(arguments);
  const Dangling by_default = arguments.dangling_latent ? Dangling::latent : Dangling::fail;
  Registry registry{{.dangling = loaded.bindings.dangling.value_or(by_default)}};
  for (ToolSource& source : loaded.sources) {
    add_names_of_scenario(registry, source, loaded.bindings);
    add_names(registry, source.bindings);
    registry.tools().provider(source.file, std::move(source.tools.tools), std::move(source.tools.categories));
  }
  add_names(registry, loaded.bindings);
  for (const std::string& name : arguments.activities)
    registry.activities().add(name, std::make_shared<NamedActivity>());
  for (const std::string& line : registry.diagnostics()) std::cerr << line << '\n';
  using Output = ComposeOptions::Output;
  return registry.compose({.output = arguments.strip ? Output::strip : Output::nullable,
                           .output_last = arguments.output_last,
                           .bare = arguments.bare});
}

void describe(CommandArguments& taken, Arguments& arguments) {
  taken.required("FILE", arguments.files, "Tool schemas, lists of them, manifests, or folders of these");
  taken.option("--activity", arguments.activities, "The name of an Activity there will be; repeatable");
  taken.option("--bindings", arguments.bindings,
               "A bindings file besides those beside the files; its names count as Activities");
  taken.option("--profile", arguments.profile, "The profile of the bindings file");
  taken.flag("--strip-output", arguments.strip, "Leave `_output` out of explicit tools instead of allowing null");
  taken.flag("--output-last", arguments.output_last, "Put `_output` behind the parameters");
  taken.flag("--bare", arguments.bare, "Only {\"calls\": ...}, to stand among the properties of a larger schema");
  taken.flag("--dangling-latent", arguments.dangling_latent, "A tool whose Activity is not there is latent");
  taken.flag("--indent", arguments.indented, "For people");
}

}  // namespace

int compose_command(int argc, const char* const* argv) {
  CommandArguments taken("compose", "Composes tool schemas into the one schema a model fills: {\"calls\": [...]}.");
  Arguments arguments;
  describe(taken, arguments);
  if (const auto ended = taken.parse(argc, argv)) return *ended;
  try {
    const Json schema = composed(arguments);
    std::cout << (arguments.indented ? indented_json(schema) : to_json_text(schema)) << '\n';
    return 0;
  } catch (const std::invalid_argument& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}

}  // namespace toolwire::bridge
