#include "features/served_resource.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "features/check_written.hpp"
#include "features/percent.hpp"
#include "features/registry.hpp"
#include "schema/formats.hpp"
#include "toolwire/detail/prompt_arguments_of.hpp"

namespace toolwire::features {
namespace {

void check_annotations(const Annotations& annotations) {
  for (const std::string& role : annotations.audience) {
    if (role != "user" && role != "assistant")
      throw std::invalid_argument("an audience is \"user\" or \"assistant\", not \"" + role + "\"");
  }
  if (annotations.priority && !(*annotations.priority >= 0 && *annotations.priority <= 1))
    throw std::invalid_argument("a priority is between 0 and 1");
}

/// The last segment of a URI, which people know it by.
std::string name_from(std::string_view uri) {
  while (uri.ends_with('/')) uri.remove_suffix(1);
  const std::size_t slash = uri.find_last_of("/:");
  std::string_view last = slash == std::string_view::npos ? uri : uri.substr(slash + 1);
  return percent_decoded(last).value_or(std::string(last));
}

void check_members(const UriTemplate& uri_template, const detail::ObjectShape& shape) {
  const auto& variables = uri_template.variables();
  for (const std::string& variable : variables) {
    const bool known = std::any_of(shape.begin(), shape.end(),
                                   [&](const detail::FieldShape& field) { return field.name == variable; });
    if (!known) throw std::invalid_argument("its variable \"" + variable + "\" is no member of the parameters");
  }
  for (const detail::FieldShape& field : shape) {
    const bool is_variable = std::find(variables.begin(), variables.end(), field.name) != variables.end();
    if (field.required && !is_variable)
      throw std::invalid_argument("the member \"" + std::string(field.name) + "\" is no variable of it");
  }
}

void complete_every_variable(ServedTemplate& served) {
  Completers& completers = served.made.info.complete;
  const auto& variables = served.uri_template.variables();
  for (const auto& [name, completer] : completers) {
    if (std::find(variables.begin(), variables.end(), name) == variables.end())
      throw std::invalid_argument("\"" + name + "\" has suggestions but is no variable of it");
  }
  if (served.made.parameters != nullptr) {
    check_members(served.uri_template, *served.made.parameters);
    detail::add_completers_of(*served.made.parameters, completers);
  }
  for (const std::string& variable : variables) completers.try_emplace(variable);
  std::erase_if(completers, [&](const auto& entry) {
    return std::find(variables.begin(), variables.end(), entry.first) == variables.end();
  });
}

}  // namespace

std::shared_ptr<const ServedResource> serve(Resource resource) {
  ResourceInfo& info = resource.info;
  try {
    if (!schema::is_uri(info.uri, false, false))
      throw std::invalid_argument("a URI is absolute (RFC 3986), as in \"notes://today\"");
    check_annotations(info.annotations);
    check_scopes(info.scopes);
    check_meta(info.meta);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument("resource \"" + info.uri + "\": " + error.what());
  }
  if (info.name.empty()) info.name = name_from(info.uri);
  return std::make_shared<const ServedResource>(ServedResource{std::move(resource)});
}

std::shared_ptr<const ServedTemplate> serve(ResourceTemplate made) {
  const std::string text = made.info.uri_template;
  try {
    check_annotations(made.info.annotations);
    check_scopes(made.info.scopes);
    check_meta(made.info.meta);
    if (made.info.name.empty()) made.info.name = text;
    auto served = std::make_shared<ServedTemplate>(ServedTemplate{std::move(made), UriTemplate(text)});
    complete_every_variable(*served);
    return served;
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument("resource template \"" + text + "\": " + error.what());
  }
}

}  // namespace toolwire::features
