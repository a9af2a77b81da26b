#include "commands/http_tools.hpp"

#include <stdexcept>
#include <utility>

#include "registry/call_fields.hpp"

namespace toolwire::bridge {
namespace {

/// As the file has it, with its tools.
Manifest manifest_of(const LoadedSources& loaded) {
  if (loaded.sources.size() != 1 || loaded.sources.front().tools.manifests.size() != 1)
    throw std::invalid_argument("expected one manifest, whose scenario is provided");
  Manifest manifest = loaded.sources.front().tools.manifests.front();
  manifest.tools = loaded.sources.front().tools.tools;
  return manifest;
}

}  // namespace

HttpTools::HttpTools(ServedBridge& served, const LoadedSources& loaded) : registry_(served.bridge().registry()) {
  use(loaded);
}

void HttpTools::use(const LoadedSources& loaded) {
  auto fresh = std::make_shared<CurrentManifest>(manifest_of(loaded), registry_.tools());
  const MutexLock lock(mutex_);
  current_ = std::move(fresh);
}

std::shared_ptr<const Manifest> HttpTools::manifest() {
  std::shared_ptr<CurrentManifest> current;
  {
    const MutexLock lock(mutex_);
    current = current_;
  }
  return current->get();
}

void HttpTools::execute(const std::string& name, const Json& arguments, std::stop_token stop,
                        const std::function<void(ToolResult)>& done) {
  const ToolPointer tool = registry_.tools().find(name);
  if (!tool) return done(failure("unknown_tool", "tool not found: " + name, false));
  const Resolution resolution = registry_.resolve(tool->definition);
  if (resolution.is_latent())
    return done(failure("activity_missing", "\"" + name + "\" has no implementation here; bind one", false));
  try {
    Call call = split_call(*tool, resolution, arguments, Identity::optional);
    const auto deliver = [done](CompletedCall completed) { done(std::move(completed.result)); };
    registry_.start(std::move(call), deliver, {.stop = std::move(stop)});
  } catch (const InvalidArguments& error) {
    done(failure("invalid_arguments", error.what(), true));
  }
}

}  // namespace toolwire::bridge
