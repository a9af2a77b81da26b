#include "openapi/document.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

#include <toolwire/json_members.hpp>

namespace toolwire::bridge::openapi {
namespace {

/// A fragment is percent-encoded (RFC 6901 §6).
std::string decoded(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    const bool is_code = text[i] == '%' && i + 2 < text.size() &&
                         std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16).ptr == text.data() + i + 3;
    plain += is_code ? static_cast<char>(byte) : text[i];
    if (is_code) i += 2;
  }
  return plain;
}

std::string unescaped(std::string_view token) {
  std::string plain;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const bool escapes = token[i] == '~' && i + 1 < token.size() && (token[i + 1] == '0' || token[i + 1] == '1');
    plain += !escapes ? token[i] : token[i + 1] == '0' ? '~' : '/';
    if (escapes) ++i;
  }
  return plain;
}

const Json* step(const JsonObject* object, const JsonArray* array, std::string_view token) {
  if (object != nullptr) return object->if_contains(unescaped(token));
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
  const bool is_index = array != nullptr && error == std::errc() && end == token.data() + token.size();
  return is_index && index < array->size() ? &(*array)[index] : nullptr;
}

}  // namespace

std::string pointer_of(std::string_view reference) {
  return reference.starts_with("#/") ? decoded(reference.substr(1)) : std::string();
}

const Json* Document::at(const std::string& pointer) const {
  const JsonObject* object = &whole_;
  const JsonArray* array = nullptr;
  const Json* found = nullptr;
  for (std::string_view left = pointer; !left.empty();) {
    const std::size_t end = std::min(left.find('/', 1), left.size());
    found = step(object, array, left.substr(1, end - 1));
    if (found == nullptr) return nullptr;
    object = found->if_object();
    array = found->if_array();
    left.remove_prefix(end);
  }
  return found;
}

const Json* Document::resolved(const Json& value) const {
  constexpr int max_references = 32;
  const Json* now = &value;
  for (int i = 0; i < max_references && now != nullptr; ++i) {
    const Json* const reference = find_member(*now, "$ref");
    if (reference == nullptr || !reference->is_string()) return now;
    const std::string pointer = pointer_of(reference->get_string());
    now = pointer.empty() ? nullptr : at(pointer);
  }
  return nullptr;
}

const JsonObject* Document::object(const Json& value) const {
  const Json* const found = resolved(value);
  return found == nullptr ? nullptr : found->if_object();
}

}  // namespace toolwire::bridge::openapi
