#include "schema/formats.hpp"

#include <array>

#include "schema/pattern.hpp"

namespace toolwire::schema {
namespace {

constexpr std::array<std::string_view, 18> names = {"date-time",
                                                    "date",
                                                    "time",
                                                    "duration",
                                                    "email",
                                                    "idn-email",
                                                    "hostname",
                                                    "ipv4",
                                                    "ipv6",
                                                    "uri",
                                                    "uri-reference",
                                                    "iri",
                                                    "iri-reference",
                                                    "uri-template",
                                                    "uuid",
                                                    "json-pointer",
                                                    "relative-json-pointer",
                                                    "regex"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::optional<Format> find_format(std::string_view name) {
  for (std::size_t index = 0; index < names.size(); ++index) {
    if (names[index] == name) return static_cast<Format>(index);
  }
  return std::nullopt;
}

std::string_view format_name(Format format) { return names[static_cast<std::size_t>(format)]; }

bool format_holds(Format format, std::string_view text) {
  switch (format) {
    case Format::date_time:
      return is_date_time(text);
    case Format::date:
      return is_date(text);
    case Format::time:
      return is_time(text);
    case Format::duration:
      return is_duration(text);
    case Format::email:
      return is_email(text, false);
    case Format::idn_email:
      return is_email(text, true);
    case Format::hostname:
      return is_hostname(text);
    case Format::ipv4:
      return is_ipv4(text);
    case Format::ipv6:
      return is_ipv6(text);
    case Format::uri:
      return is_uri(text, false, false);
    case Format::uri_reference:
      return is_uri(text, true, false);
    case Format::iri:
      return is_uri(text, false, true);
    case Format::iri_reference:
      return is_uri(text, true, true);
    case Format::uri_template:
      return is_uri_template(text);
    case Format::uuid:
      return is_uuid(text);
    case Format::json_pointer:
      return is_json_pointer(text);
    case Format::relative_json_pointer:
      return is_relative_json_pointer(text);
    case Format::regex:
      return is_regex(text);
  }
  return true;
}

bool is_json_pointer(std::string_view text) {
  if (!text.empty() && text[0] != '/') return false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '~' && (at + 1 == text.size() || (text[at + 1] != '0' && text[at + 1] != '1'))) return false;
  }
  return true;
}

bool is_relative_json_pointer(std::string_view text) {
  std::size_t digits = 0;
  while (digits < text.size() && is_digit(text[digits])) ++digits;
  if (digits == 0 || (digits > 1 && text[0] == '0')) return false;
  const std::string_view rest = text.substr(digits);
  return rest == "#" || is_json_pointer(rest);
}

bool is_uuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool dash = at == 8 || at == 13 || at == 18 || at == 23;
    const char lower = static_cast<char>(text[at] | 0x20);
    if (dash ? text[at] != '-' : !is_digit(text[at]) && !(lower >= 'a' && lower <= 'f')) return false;
  }
  return true;
}

bool is_regex(std::string_view text) {
  try {
    const Pattern compiled{text};
    return true;
  } catch (const PatternError& error) {
    return error.unsupported;
  }
}

}  // namespace toolwire::schema
