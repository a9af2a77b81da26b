#include "header_fields.hpp"

#include <algorithm>
#include <cstdint>

#include "text/ascii.hpp"

namespace toolwire::http {
namespace {

constexpr std::string_view white_space = " \t";

bool is_named(const Field& field, std::string_view name) { return equal_without_case(field.name, name); }

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(white_space);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(white_space) - begin + 1);
}

/// Takes what stands before the next separator off the front.
std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view taken = trimmed(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return taken;
}

/// `q=0`, `q=0.0` …: not acceptable.
bool is_refused(std::string_view parameters) {
  while (!parameters.empty()) {
    const std::string_view parameter = take_until(parameters, ';');
    if (equal_without_case(parameter.substr(0, 2), "q="))
      return parameter.find_first_of("123456789") == std::string_view::npos;
  }
  return false;
}

bool covers(std::string_view range, std::string_view media_type) {
  if (range == "*/*" || equal_without_case(range, media_type)) return true;
  if (!range.ends_with("/*")) return false;
  range.remove_suffix(1);
  return equal_without_case(media_type.substr(0, range.size()), range);
}

int value_of_base64(char one) {
  if (one >= 'A' && one <= 'Z') return one - 'A';
  if (one >= 'a' && one <= 'z') return one - 'a' + 26;
  if (one >= '0' && one <= '9') return one - '0' + 52;
  if (one == '+') return 62;
  return one == '/' ? 63 : -1;
}

/// RFC 4648 §4, padded; nothing else.
std::optional<std::string> decoded_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  text.remove_suffix(padding);
  std::string bytes;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char one : text) {
    const int value = value_of_base64(one);
    if (value < 0) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<char>(bits >> count & 0xffu));
  }
  const bool has_bits_left = (bits & ((1u << count) - 1)) != 0;
  return has_bits_left ? std::nullopt : std::optional(std::move(bytes));
}

bool is_visible(char one) { return (one >= 0x20 && one <= 0x7e) || one == '\t'; }

}  // namespace

bool equal_without_case(std::string_view one, std::string_view other) {
  const auto lower = [](char c) { return text::ascii_lower(c); };
  return std::ranges::equal(one, other, {}, lower, lower);
}

std::optional<std::string_view> HeaderFields::find(std::string_view name) const {
  const auto found = std::ranges::find_if(fields_, [&](const Field& field) { return is_named(field, name); });
  if (found == fields_.end()) return std::nullopt;
  return trimmed(found->value);
}

std::string HeaderFields::joined(std::string_view name) const {
  std::string all;
  for (const Field& field : fields_) {
    if (!is_named(field, name)) continue;
    if (!all.empty()) all.append(", ");
    all.append(field.value);
  }
  return all;
}

std::size_t HeaderFields::count(std::string_view name) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(fields_, [&](const Field& field) { return is_named(field, name); }));
}

std::string HeaderFields::repeated_mcp_field() const {
  std::vector<std::string> names;
  for (const Field& field : fields_) {
    if (equal_without_case(std::string_view(field.name).substr(0, 4), "mcp-"))
      names.push_back(text::ascii_lower(field.name));
  }
  std::ranges::sort(names);
  const auto repeated = std::ranges::adjacent_find(names);
  return repeated == names.end() ? std::string() : *repeated;
}

std::optional<std::string_view> bearer_token(std::string_view authorization) {
  const std::size_t space = std::min(authorization.find(' '), authorization.size());
  if (!equal_without_case(authorization.substr(0, space), "bearer")) return std::nullopt;
  return trimmed(authorization.substr(space));
}

bool is_secret(std::string_view said, std::string_view secret) {
  unsigned difference = said.size() == secret.size() ? 0 : 1;
  for (std::size_t i = 0; i < said.size(); ++i)
    difference |= static_cast<unsigned>(said[i] ^ secret[i % secret.size()]);
  return difference == 0;
}

std::vector<std::string> words_in(std::string_view text, std::string_view separators) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    if (end > 0) words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

bool is_visible_ascii(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char one) { return one >= 0x21 && one <= 0x7e; });
}

bool accepts(std::string_view accept, std::string_view media_type) {
  while (!accept.empty()) {
    std::string_view range = take_until(accept, ',');
    const std::string_view name = take_until(range, ';');
    if (covers(name, media_type) && !is_refused(range)) return true;
  }
  return false;
}

bool has_media_type(std::string_view content_type, std::string_view media_type) {
  return equal_without_case(take_until(content_type, ';'), media_type);
}

std::optional<std::string> mirrored_value(std::string_view text) {
  constexpr std::string_view begin = "=?base64?";
  constexpr std::string_view end = "?=";
  if (!std::ranges::all_of(text, is_visible)) return std::nullopt;
  if (!text.starts_with(begin) || !text.ends_with(end) || text.size() < begin.size() + end.size())
    return std::string(text);
  return decoded_base64(text.substr(begin.size(), text.size() - begin.size() - end.size()));
}

}  // namespace toolwire::http
