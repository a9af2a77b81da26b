// The part of the public Server that is about resources.
#include <algorithm>
#include <string>
#include <utility>

#include "json/writer.hpp"
#include "server/state.hpp"

namespace toolwire {

using protocol::Feature;
using protocol::Topic;

void Server::add(Resource resource) {
  const bool subscribable = resource.info.subscribable;
  state_->resources.resources.add(features::serve(std::move(resource)));
  state_->offer(Feature::resources);
  if (subscribable) state_->offer(Feature::resource_updates);
  state_->tell({Topic::resources_list});
}

void Server::add(ResourceTemplate made) {
  auto served = features::serve(std::move(made));
  const ResourceTemplateInfo& info = served->made.info;
  const bool subscribable = info.subscribable;
  const bool completes = std::any_of(info.complete.begin(), info.complete.end(),
                                     [](const auto& entry) { return entry.second != nullptr; });
  state_->resources.templates.add(std::move(served));
  state_->offer(Feature::resources);
  if (subscribable) state_->offer(Feature::resource_updates);
  if (completes) state_->offer(Feature::completions);
  state_->tell({Topic::resources_list});
}

bool Server::remove_resource(std::string_view uri) {
  if (!state_->resources.resources.remove(uri)) return false;
  state_->tell({Topic::resources_list});
  return true;
}

bool Server::remove_resource_template(std::string_view uri_template) {
  if (!state_->resources.templates.remove(uri_template)) return false;
  state_->tell({Topic::resources_list});
  return true;
}

void Server::resource_updated(std::string_view uri) {
  std::string params = "\"uri\":";
  json::write_string(params, uri);
  state_->tell({Topic::resource_updated, uri, params});
}

void Server::resource_list_changed() { state_->tell({Topic::resources_list}); }

}  // namespace toolwire
