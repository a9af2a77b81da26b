#include "types/path.hpp"

#include "types/echo.hpp"

namespace toolwire::types {
namespace {

bool is_plain(std::string_view name) {
  for (const char c : name) {
    const bool letter_or_digit = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!letter_or_digit && c != '_' && c != '-' && c != '$' && static_cast<unsigned char>(c) < 0x80) return false;
  }
  return !name.empty();
}

}  // namespace

std::string Path::text() const {
  std::string out;
  append_to(out);
  return out;
}

void Path::append_to(std::string& out) const {
  if (parent_ == nullptr) {
    out += name_;
    return;
  }
  parent_->append_to(out);
  if (is_index_) {
    out.append("[").append(std::to_string(index_)).append("]");
  } else if (!is_plain(name_)) {
    out.append("[\"").append(echo(name_)).append("\"]");
  } else {
    out.append(out.empty() ? "" : ".").append(echo(name_));
  }
}

}  // namespace toolwire::types
