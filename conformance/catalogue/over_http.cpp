#include "catalogue/over_http.hpp"

#include "catalogue/catalogue_text.hpp"
#include "driver/message.hpp"

namespace toolwire::conformance {

std::string_view why_not_over_http(const Requirement& requirement, std::string_view revision) {
  static const Json table = parse_json(over_http_text(), {.duplicate_keys = DuplicateKeys::refuse});
  const Json& of_check = get(table, requirement.id);
  if (of_check.is_object()) return text_of(get(of_check, revision));
  return of_check.is_string() ? text_of(of_check) : text_of(get(table, requirement.group));
}

}  // namespace toolwire::conformance
