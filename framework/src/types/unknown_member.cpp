#include "types/unknown_member.hpp"

#include <algorithm>
#include <cstddef>

#include <toolwire/system/nearest_name.hpp>
#include "types/phrases.hpp"

namespace toolwire::types {
namespace {

constexpr std::size_t max_listed = 20;

}  // namespace

UnknownMember::UnknownMember(const detail::ObjectShape& shape, const JsonObject& object, bool is_root)
    : is_root_(is_root) {
  for (const detail::FieldShape& field : shape) {
    names_.push_back(field.name);
    if (!object.contains(field.name)) missing_.push_back(field.name);
  }
}

bool UnknownMember::knows(std::string_view name) const { return std::ranges::find(names_, name) != names_.end(); }

std::string UnknownMember::text(std::string_view name) const {
  std::string out = is_root_ ? "not an argument of this tool" : "not a member of this object";
  if (names_.empty()) return out + ", which takes none";
  const std::string_view meant = system::nearest_name(name, missing_);
  if (!meant.empty()) out.append("; did you mean \"").append(meant).append("\"? expected: ");
  if (meant.empty()) out += "; expected: ";
  for (std::size_t i = 0; i < names_.size() && i < max_listed; ++i) out.append(i == 0 ? "" : ", ").append(names_[i]);
  return names_.size() > max_listed ? out + ", …" : out;
}

}  // namespace toolwire::types
