#include "features/resource_registry.hpp"

#include <algorithm>

#include "features/percent.hpp"

namespace toolwire::features {
namespace {

bool leaves_its_place(const JsonObject& parameters) {
  return std::any_of(parameters.begin(), parameters.end(),
                     [](const auto& parameter) { return has_dot_segment(parameter.value().get_string()); });
}

template <class Item>
bool is_seen(const Item& item, const ResourceRegistry::Sees& sees) {
  return !sees || !item.visible() || sees(item.visible(), item.key());
}

}  // namespace

template class Registry<ServedResource>;
template class Registry<ServedTemplate>;

std::optional<FoundResource> ResourceRegistry::find(const std::string& uri, const Sees& sees) const {
  if (auto resource = resources.find(uri); resource && is_seen(*resource, sees))
    return FoundResource{std::move(resource), nullptr};
  const auto listing = templates.list();
  for (const auto& candidate : *listing.items) {
    auto parameters = candidate->uri_template.match(uri);
    if (!parameters || (!candidate->made.info.dot_segments && leaves_its_place(*parameters))) continue;
    if (!is_seen(*candidate, sees)) continue;
    return FoundResource{nullptr, candidate, std::move(*parameters)};
  }
  return std::nullopt;
}

const AnyResourceHandler& FoundResource::read() const {
  return resource ? resource->resource.read : from_template->made.read;
}
const std::string& FoundResource::mime_type() const {
  return resource ? resource->resource.info.mime_type : from_template->made.info.mime_type;
}
bool FoundResource::subscribable() const {
  return resource ? resource->resource.info.subscribable : from_template->made.info.subscribable;
}
std::chrono::milliseconds FoundResource::timeout() const {
  return resource ? resource->resource.info.timeout : from_template->made.info.timeout;
}
std::chrono::milliseconds FoundResource::fresh_for() const {
  return resource ? resource->resource.info.fresh_for : from_template->made.info.fresh_for;
}
bool FoundResource::same_for_everyone() const {
  return resource ? resource->resource.info.same_for_everyone : from_template->made.info.same_for_everyone;
}
const std::vector<std::string>& FoundResource::scopes() const {
  return resource ? resource->resource.info.scopes : from_template->made.info.scopes;
}

}  // namespace toolwire::features
