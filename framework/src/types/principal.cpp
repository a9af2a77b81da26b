#include "toolwire/principal.hpp"

#include <algorithm>

#include "toolwire/text.hpp"

namespace toolwire {

bool Principal::has_scope(std::string_view scope) const { return std::ranges::find(scopes, scope) != scopes.end(); }

/// What is bound to an id is kept in texts where a line break ends it, and in JSON.
bool is_principal_id(std::string_view text) {
  const auto is_control = [](char one) { return static_cast<unsigned char>(one) < 0x20 || one == 0x7f; };
  return text.size() <= max_principal_id && std::ranges::none_of(text, is_control) && text::is_valid(text);
}

}  // namespace toolwire
