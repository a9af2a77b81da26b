#include "workspace/text/line_ends.hpp"

namespace workspace {

bool speaks_of_returns(std::string_view pattern, bool literal) {
  if (pattern.find('\r') != std::string_view::npos) return true;
  if (literal) return false;
  for (const std::string_view form : {"\\r", "\\x0d", "\\x0D", "\\x{d}", "\\x{D}", "\\x{0d}", "\\x{0D}", "\\015"})
    if (pattern.find(form) != std::string_view::npos) return true;
  return false;
}

}  // namespace workspace
