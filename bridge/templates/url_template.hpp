// A URL with placeholders for values. Scheme, host and port are written by the operator; a value fills a part of the
// path or of the query and cannot leave it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <toolwire/json.hpp>

#include "manifest/findings.hpp"
#include "templates/template_text.hpp"

namespace toolwire::bridge {

/// All but letters, digits and "-._~" as %XX (RFC 3986 §2.1).
std::string percent_encoded(std::string_view text);

/// Fields of a query or a form. Immutable.
class FieldTemplates {
 public:
  FieldTemplates() = default;
  /// From an object of texts; problems go to `findings`.
  FieldTemplates(const JsonObject& fields, const std::string& pointer, Findings& findings);

  /// "a=1&b=2"; a list gives its field once for each element, an absent optional value leaves its field out.
  std::string expand(const Json& parameters) const;
  void add_names_to(std::vector<std::string>& names) const;

 private:
  std::vector<std::pair<std::string, TemplateText>> fields_;
};

/// Immutable.
class UrlTemplate {
 public:
  /// Problems go to `findings`.
  UrlTemplate(std::string_view url, const std::string& pointer, Findings& findings);

  /// The URL, without the fields of a separate `query`. Throws InvalidArguments for a value that is not allowed in its
  /// place: empty, ".." or with "/" in a segment.
  std::string expand(const Json& parameters) const;
  void add_names_to(std::vector<std::string>& names) const;

 private:
  void parse_path(std::string_view path, const std::string& pointer, Findings& findings);
  void parse_query(std::string_view query, const std::string& pointer, Findings& findings);

  std::string origin_;  // as written: "https://example.com:8443"
  std::vector<TemplateText> segments_;
  std::vector<TemplateText> query_;  // between the '&'
};

}  // namespace toolwire::bridge
