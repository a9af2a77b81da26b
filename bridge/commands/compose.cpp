#include "commands/compose.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <toolwire/bridge/registry.hpp>
#include <toolwire/bridge/tool_files.hpp>

#include "activities/bindings.hpp"
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

/// Composition asks only whether there is one of the name.
class NamedActivity : public Activity {
 public:
  void start(const Call&, ActivityContext&, Reply reply) override { reply.error("This Activity is only a name"); }
  std::string_view kind() const override { return "named"; }
};

Bindings bindings_of(const Arguments& arguments) {
  if (arguments.bindings.empty()) return {};
  BindingsReading reading = read_bindings_file(arguments.bindings, arguments.profile);
  std::string problems;
  for (const ManifestProblem& problem : reading.problems)
    problems.append(problems.empty() ? "" : "\n").append(problem.message());
  if (!reading.bindings) throw std::invalid_argument(problems);
  return std::move(*reading.bindings);
}

Json composed(const Arguments& arguments) {
  const Bindings bindings = bindings_of(arguments);
  const Dangling by_default = arguments.dangling_latent ? Dangling::latent : Dangling::fail;
  Registry registry{{.dangling = bindings.dangling.value_or(by_default)}};
  ToolFiles files = read_tool_files(arguments.files);
  registry.tools().provider("files", std::move(files.tools), std::move(files.categories));
  const auto activity = std::make_shared<NamedActivity>();
  for (const std::string& name : arguments.activities) registry.activities().add(name, activity);
  for (const auto& [name, binding] : bindings.by_name) {
    if (binding.kind != "latent") registry.activities().add(name, activity);
  }
  for (const std::string& line : registry.diagnostics()) std::cerr << line << '\n';
  using Output = ComposeOptions::Output;
  return registry.compose({.output = arguments.strip ? Output::strip : Output::nullable,
                           .output_last = arguments.output_last,
                           .bare = arguments.bare});
}

void describe(CLI::App& app, Arguments& arguments) {
  app.add_option("FILE", arguments.files, "Tool schemas, lists of them, manifests, or folders of these")->required();
  app.add_option("--activity", arguments.activities, "The name of an Activity there will be; repeatable");
  app.add_option("--bindings", arguments.bindings, "The bindings file, whose names count as Activities");
  app.add_option("--profile", arguments.profile, "The profile of the bindings file");
  app.add_flag("--strip-output", arguments.strip, "Leave `_output` out of explicit tools instead of allowing null");
  app.add_flag("--output-last", arguments.output_last, "Put `_output` behind the parameters");
  app.add_flag("--bare", arguments.bare, "Only {\"calls\": ...}, to stand among the properties of a larger schema");
  app.add_flag("--dangling-latent", arguments.dangling_latent, "A tool whose Activity is not there is latent");
  app.add_flag("--indent", arguments.indented, "For people");
}

}  // namespace

int compose_command(int argc, const char* const* argv) {
  CLI::App app("Composes tool schemas into the one schema a model fills: {\"calls\": [...]}.",
               "toolwire-bridge compose");
  Arguments arguments;
  describe(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
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
