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
  if (parent_ == nullptr) return std::string(name_);
  std::string out = parent_->text();
  if (is_index_) return out + "[" + std::to_string(index_) + "]";
  if (!is_plain(name_)) return out + "[\"" + echo(name_) + "\"]";
  if (!out.empty()) out += '.';
  return out + echo(name_);
}

}  // namespace toolwire::types
