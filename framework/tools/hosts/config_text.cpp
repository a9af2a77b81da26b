#include "config_text.hpp"

#include <stdexcept>

#include "edit/json_edit.hpp"
#include "edit/toml_edit.hpp"

namespace toolwire::hosts {
namespace {

edit::Comments comments_in(Format format) {
  if (format == Format::yaml) throw std::logic_error("YAML is not read");
  if (format == Format::commented_json) return edit::Comments::allowed_without_last_comma;
  return format == Format::jsonc ? edit::Comments::allowed : edit::Comments::refused;
}

}  // namespace

std::optional<Json> member_of(Format format, std::string_view text, const std::vector<std::string>& path) {
  if (format == Format::toml) return edit::toml_member(text, path);
  return edit::json_member(text, comments_in(format), path);
}

std::string with_member(Format format, std::string_view text, const std::vector<std::string>& path,
                        const JsonObject& entry) {
  if (format == Format::toml) return edit::with_toml_table(text, path, entry);
  return edit::with_json_member(text, comments_in(format), path, entry);
}

std::string without_member(Format format, std::string_view text, const std::vector<std::string>& path) {
  if (format == Format::toml) return edit::without_toml_table(text, path);
  return edit::without_json_member(text, comments_in(format), path);
}

}  // namespace toolwire::hosts
