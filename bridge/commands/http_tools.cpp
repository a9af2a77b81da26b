#include "commands/http_tools.hpp"

#include <exception>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <utility>

#include <toolwire/bridge/registry.hpp>

#include "commands/own_services.hpp"
#include "http/current_manifest.hpp"
#include "policy/preferences.hpp"
#include "policy/preferred_approval.hpp"
#include "registry/call_fields.hpp"

namespace toolwire::bridge {
namespace {

std::string lines_of(const std::vector<ManifestProblem>& problems) {
  std::string lines;
  for (const ManifestProblem& problem : problems) lines.append(lines.empty() ? "" : "\n").append(problem.message());
  return lines;
}

Bindings bindings_of(const HttpToolsFiles& files) {
  const std::string beside = bindings_path_of(files.manifest);
  const std::string& file = files.bindings.empty() ? beside : files.bindings;
  if (files.bindings.empty() && !std::filesystem::exists(beside)) return {};
  BindingsReading reading = read_bindings_file(file, files.profile);
  if (!reading.bindings) throw std::runtime_error(lines_of(reading.problems));
  return std::move(*reading.bindings);
}

}  // namespace

std::vector<std::string> HttpToolsFiles::all() const {
  std::vector<std::string> paths{manifest, bindings.empty() ? bindings_path_of(manifest) : bindings};
  if (!preferences.empty()) paths.push_back(preferences);
  return paths;
}

/// The tools of one manifest and what runs them.
class EditedTools::Tools {
 public:
  Tools(const HttpToolsFiles& files, Manifest manifest, const Bindings& bindings)
      : registry_({.dangling = bindings.dangling.value_or(Dangling::fail),
                   .latent = bindings.latent.value_or(Latent::inlined)}) {
    registry_.tools().provider("manifest", manifest.tools, manifest.categories);
    prefer(files.preferences, manifest);
    bind(bindings, manifest.tools);
    current_ = std::make_unique<CurrentManifest>(std::move(manifest), registry_.tools());
    for (const std::string& line : registry_.diagnostics()) std::cerr << line << '\n';
  }

  std::shared_ptr<const Manifest> manifest() { return current_->get(); }
  /// Ends the calls under way, which share this.
  void close() { services_.close(); }

  void execute(const std::string& name, const Json& arguments, std::stop_token stop,
               const std::function<void(ToolResult)>& done) {
    const ToolPointer tool = registry_.tools().find(name);
    if (!tool) return done(failure("unknown_tool", "tool not found: " + name, false));
    try {
      Call call = split_call(*tool, registry_.resolve(tool->definition), arguments, Identity::optional);
      const auto deliver = [done](CompletedCall completed) { done(std::move(completed.result)); };
      registry_.start(std::move(call), deliver, {.stop = std::move(stop)});
    } catch (const InvalidArguments& error) {
      done(failure("invalid_arguments", error.what(), true));
    }
  }

 private:
  void prefer(const std::string& file, const Manifest& manifest) {
    std::vector<ManifestProblem> problems;
    const Preferences preferences = file.empty() ? Preferences() : Preferences::read_file(file, problems);
    if (!problems.empty()) throw std::invalid_argument(lines_of(problems));
    for (const ToolDefinition& tool : manifest.tools) registry_.enable(tool.name, preferences.is_enabled(tool));
    registry_.approve_with(std::make_shared<PreferredApproval>(AskedBy::bridge, preferences));
  }

  // A `base_url` is no binding here: it is usually the address of this provider itself.
  void bind(const Bindings& bindings, const std::vector<ToolDefinition>& tools) {
    for (const auto& [name, binding] : bindings.by_name) {
      if (binding.kind == "mcp")
        throw std::runtime_error(bindings.file + ": " + binding.pointer + R"(: "mcp" is for "serve")");
    }
    BoundActivities bound = make_bound_activities(bindings, tools, services_.get());
    if (!bound.problems.empty()) throw std::runtime_error(lines_of(bound.problems));
    for (auto& [name, activity] : bound.activities) registry_.activities().add(name, std::move(activity));
  }

  OwnServices services_;
  Registry registry_;
  std::unique_ptr<CurrentManifest> current_;
};

EditedTools::EditedTools(HttpToolsFiles files)
    : files_(std::move(files)),
      tools_(std::make_shared<Tools>(files_, load_manifest(files_.manifest), bindings_of(files_))) {}

EditedTools::~EditedTools() {
  replaced_.push_back(std::move(tools_));
  for (const auto& tools : replaced_) tools->close();
}

std::shared_ptr<EditedTools::Tools> EditedTools::current() {
  const MutexLock lock(mutex_);
  return tools_;
}

std::shared_ptr<const Manifest> EditedTools::manifest() { return current()->manifest(); }

void EditedTools::execute(const std::string& name, const Json& arguments, std::stop_token stop,
                          std::function<void(ToolResult)> done) {
  const auto tools = current();
  tools->execute(name, arguments, std::move(stop),
                 [tools, done = std::move(done)](ToolResult result) { done(std::move(result)); });
}

void EditedTools::read_again() {
  std::erase_if(replaced_, [](const auto& tools) { return tools.use_count() == 1; });
  try {
    auto fresh = std::make_shared<Tools>(files_, load_manifest(files_.manifest), bindings_of(files_));
    const MutexLock lock(mutex_);
    replaced_.push_back(std::exchange(tools_, std::move(fresh)));
    std::cerr << "the files were read again\n";
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\nthe files cannot be used; everything stays as it was\n";
  }
}

}  // namespace toolwire::bridge
