// The resources and templates of a server, and which of them a URI refers to. Independent of requests, revisions and
// the wire.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "features/registry.hpp"
#include "features/served_resource.hpp"

namespace toolwire::features {

extern template class Registry<ServedResource>;
extern template class Registry<ServedTemplate>;

/// What a URI means: a resource, or a template and its parameters. Keeps alive what the pointers point to.
struct FoundResource {
  std::shared_ptr<const ServedResource> resource;
  std::shared_ptr<const ServedTemplate> from_template;  // one of the two is null
  Json parameters = JsonObject{};

  const AnyResourceHandler& read() const;
  const std::string& mime_type() const;
  bool subscribable() const;
  std::chrono::milliseconds timeout() const;
  std::chrono::milliseconds fresh_for() const;
  bool same_for_everyone() const;
  const std::vector<std::string>& scopes() const;
};

/// Thread-safe.
class ResourceRegistry {
 public:
  Registry<ServedResource> resources;
  Registry<ServedTemplate> templates;

  /// Whether who asks sees one with this predicate, which is not empty, and this key.
  using Sees = std::function<bool(const Visible& visible, const std::string& key)>;

  /// A resource of exactly this URI goes before templates; of these, the first registered that fits. What is not seen
  /// is passed over; without `sees` everything is.
  std::optional<FoundResource> find(const std::string& uri, const Sees& sees = {}) const;
};

}  // namespace toolwire::features
