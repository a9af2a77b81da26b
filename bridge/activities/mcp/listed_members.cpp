#include "activities/mcp/listed_members.hpp"

#include <utility>

#include <toolwire/json_members.hpp>
#include <toolwire/text.hpp>

#include "registry/clean_schema.hpp"

namespace toolwire::bridge::mcp {

std::string clean_member(const Json& object, std::string_view name) {
  const Json* value = find_member(object, name);
  if (value == nullptr || !value->is_string()) return {};
  const bool is_prose = name == "title" || name == "description";
  return is_prose ? clean_prose(value->get_string()) : text::stripped(value->get_string(), text::lines);
}

JsonObject meta_of(const Json& listed) {
  const Json* meta = find_member(listed, "_meta");
  return meta != nullptr && meta->is_object() ? meta->get_object() : JsonObject{};
}

std::vector<Icon> icons_of(const Json& listed) {
  std::vector<Icon> icons;
  const Json* list = find_member(listed, "icons");
  if (list == nullptr || !list->is_array()) return icons;
  for (const Json& one : list->get_array()) {
    Icon icon{.src = clean_member(one, "src"),
              .mime_type = clean_member(one, "mimeType"),
              .theme = clean_member(one, "theme")};
    if (!icon.src.starts_with("https:") && !icon.src.starts_with("data:")) continue;
    if (const Json* sizes = find_member(one, "sizes"); sizes != nullptr && sizes->is_array()) {
      for (const Json& size : sizes->get_array()) {
        if (size.is_string()) icon.sizes.emplace_back(text::stripped(size.get_string()));
      }
    }
    icons.push_back(std::move(icon));
  }
  return icons;
}

Annotations annotations_of(const Json& listed) {
  Annotations annotations;
  const Json* given = find_member(listed, "annotations");
  if (given == nullptr) return annotations;
  const Json* audience = find_member(*given, "audience");
  if (audience != nullptr && audience->is_array()) {
    for (const Json& one : audience->get_array()) {
      if (one == "user" || one == "assistant") annotations.audience.emplace_back(std::string_view(one.get_string()));
    }
  }
  const Json* priority = find_member(*given, "priority");
  if (priority != nullptr && priority->is_number()) annotations.priority = priority->to_number<double>();
  if (std::string modified = clean_member(*given, "lastModified"); !modified.empty())
    annotations.last_modified = std::move(modified);
  return annotations;
}

}  // namespace toolwire::bridge::mcp
