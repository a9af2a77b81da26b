// The checks behind `format`, each on one text. Independent of schemas and when a format is asserted.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace toolwire::schema {

enum class Format : std::uint8_t {
  date_time,
  date,
  time,
  duration,
  email,
  idn_email,
  hostname,
  ipv4,
  ipv6,
  uri,
  uri_reference,
  iri,
  iri_reference,
  uri_template,
  uuid,
  json_pointer,
  relative_json_pointer,
  regex
};

/// The format of that name; nothing for a name that is not checked.
std::optional<Format> find_format(std::string_view name);
std::string_view format_name(Format format);
bool format_holds(Format format, std::string_view text);

bool is_date_time(std::string_view text);  // RFC 3339, leap seconds at 23:59:60 UTC only
bool is_date(std::string_view text);
bool is_time(std::string_view text);
bool is_duration(std::string_view text);  // RFC 3339, appendix A
bool is_email(std::string_view text, bool international);
bool is_hostname(std::string_view text);  // RFC 1123
bool is_ipv4(std::string_view text);
bool is_ipv6(std::string_view text);
bool is_uri(std::string_view text, bool relative_too, bool international);  // RFC 3986, RFC 3987
bool is_uri_template(std::string_view text);                                // RFC 6570
bool is_uuid(std::string_view text);
bool is_json_pointer(std::string_view text);
bool is_relative_json_pointer(std::string_view text);
bool is_regex(std::string_view text);  // ECMA-262, also what RE2 cannot run

}  // namespace toolwire::schema
