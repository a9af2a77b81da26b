#include "protocol/icons.hpp"

namespace toolwire::protocol {

JsonArray icons_as_json(const std::vector<Icon>& icons) {
  JsonArray array;
  for (const Icon& icon : icons) {
    JsonObject entry{{"src", icon.src}};
    if (!icon.mime_type.empty()) entry["mimeType"] = icon.mime_type;
    if (!icon.sizes.empty()) entry["sizes"] = JsonArray(icon.sizes.begin(), icon.sizes.end());
    if (!icon.theme.empty()) entry["theme"] = icon.theme;
    array.push_back(std::move(entry));
  }
  return array;
}

}  // namespace toolwire::protocol
