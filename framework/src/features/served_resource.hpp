// Resources and templates as a server holds them: checked, and with the template compiled.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "features/uri_template.hpp"
#include "toolwire/resource.hpp"

namespace toolwire::features {

/// Immutable, shared by the registry and the requests that read it; so is the next.
struct ServedResource {
  static constexpr std::string_view kind = "resource";
  const std::string& key() const { return resource.info.uri; }
  const Visible& visible() const { return resource.info.visible; }
  bool has_scopes() const { return !resource.info.scopes.empty(); }

  Resource resource;
};

struct ServedTemplate {
  static constexpr std::string_view kind = "resource template";
  const std::string& key() const { return made.info.uri_template; }
  const Visible& visible() const { return made.info.visible; }
  bool has_scopes() const { return !made.info.scopes.empty(); }

  ResourceTemplate made;  // info.complete has an entry for every variable
  UriTemplate uri_template;
};

/// Both throw std::invalid_argument, naming the resource or template, when its URI, its name or its parameters are not
/// usable: every variable must be a member of the struct it is decoded into, and every member that is required a
/// variable.
std::shared_ptr<const ServedResource> serve(Resource resource);
std::shared_ptr<const ServedTemplate> serve(ResourceTemplate made);

}  // namespace toolwire::features
