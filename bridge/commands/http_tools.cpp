#include "commands/http_tools.hpp"

#include <stdexcept>
#include <utility>

#include "http/execution.hpp"
#include "http/published.hpp"
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

/// As the client is told of it.
void end(traces::OpenSpan& span, const ToolResult& result) {
  const http::ExecutionEnd how = http::end_of(result);
  span.end({.error_type = how.code, .http_status = how.status});
}

}  // namespace

HttpTools::HttpTools(ServedBridge& served, const LoadedSources& loaded)
    : registry_(served.bridge().registry()), spans_(served.spans()) {
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

void HttpTools::execute(const std::string& name, const Json& arguments, const TraceContext& trace, std::stop_token stop,
                        Done done) {
  CallSettings settings{.stop = std::move(stop)};
  if (!spans_) {
    add_trace(settings.meta, trace);
    return run(name, arguments, settings, done);
  }
  auto followed = spans_->begin_served({.method = "POST", .route = http::execute_path, .tool = name, .parent = trace});
  add_trace(settings.meta, followed.context);
  if (followed.span)
    done = [span = std::move(followed.span), done = std::move(done)](ToolResult result) {
      end(*span, result);
      done(std::move(result));
    };
  run(name, arguments, settings, done);
}

void HttpTools::run(const std::string& name, const Json& arguments, const CallSettings& settings, const Done& done) {
  const ToolPointer tool = registry_.tools().find(name);
  if (!tool) return done(failure("unknown_tool", "tool not found: " + name, false));
  const Resolution resolution = registry_.resolve(tool->definition);
  if (resolution.is_latent())
    return done(failure("activity_missing", "\"" + name + "\" has no implementation here; bind one", false));
  try {
    Call call = split_call(*tool, resolution, arguments, Identity::optional);
    const auto deliver = [done](CompletedCall completed) { done(std::move(completed.result)); };
    registry_.start(std::move(call), deliver, settings);
  } catch (const InvalidArguments& error) {
    done(failure("invalid_arguments", error.what(), true));
  }
}

}  // namespace toolwire::bridge
