#include "templates/url_template.hpp"

#include <toolwire/error.hpp>

#include <algorithm>
#include <functional>
#include <optional>

#include <toolwire/http/detail/http_client.hpp>

namespace toolwire::bridge {
namespace {

bool is_unreserved(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

bool is_dots(std::string_view segment) { return segment == "." || segment == ".."; }

/// Where the character stands outside of placeholders, or the text's length: "{name?}" has a '?' of its own.
std::size_t find_outside(std::string_view text, char wanted, std::size_t from = 0) {
  bool inside = false;
  for (std::size_t i = from; i < text.size(); ++i) {
    if (text.substr(i).starts_with("{{") && !inside) {
      ++i;
    } else if (text[i] == '{') {
      inside = true;
    } else if (text[i] == '}') {
      inside = false;
    } else if (text[i] == wanted && !inside) {
      return i;
    }
  }
  return text.size();
}

void for_each_part(std::string_view text, char separator, const std::function<void(std::string_view)>& take) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = find_outside(text, separator, begin);
    take(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

void check_segment(const std::string& name, std::string_view value) {
  if (value.find_first_of(std::string_view("/\\\0", 3)) != std::string_view::npos)
    throw InvalidArguments(name + ": must not contain \"/\", \"\\\" or NUL: it is one segment of a path");
}

void check_filled(const std::string& name, std::string_view segment) {
  if (segment.empty() || is_dots(segment))
    throw InvalidArguments(name + ": must be neither empty nor \".\" or \"..\": it is a segment of a path");
}

std::string encoded_segments(const std::string& name, std::string_view value) {
  std::string encoded;
  for (std::size_t begin = 0; begin <= value.size();) {
    const std::size_t end = std::min(value.find('/', begin), value.size());
    const std::string_view part = value.substr(begin, end - begin);
    check_segment(name, part);
    check_filled(name, part);
    if (!encoded.empty()) encoded += '/';
    encoded += percent_encoded(part);
    begin = end + 1;
  }
  return encoded;
}

std::optional<std::string> problem_of_origin(const std::string& origin) {
  if (origin.find('{') != std::string::npos)
    return "expected scheme, host and port without placeholders: no value may choose them";
  if (!http_origin_of(origin))
    return "expected an http or https URL without user name and password, for example "
           "\"https://api.example.com/items/{id}\"";
  return std::nullopt;
}

std::string name_in(const TemplateText& text) {
  std::vector<std::string> names;
  text.add_names_to(names);
  return names.empty() ? std::string() : names.front();
}

/// False if an optional value is absent.
bool expand_segment(const TemplateText& text, const Json& parameters, std::string& into) {
  for (const TemplatePiece& piece : text.pieces()) {
    if (piece.kind == TemplatePiece::Kind::literal) {
      into += piece.text;
      continue;
    }
    const Json* value = value_of(piece, parameters);
    if (value == nullptr) return false;
    const std::string plain = plain_text(*value);
    if (!piece.has_segments) check_segment(piece.text, plain);
    into += piece.has_segments ? encoded_segments(piece.text, plain) : percent_encoded(plain);
  }
  if (!text.is_literal()) check_filled(name_in(text), into);
  return true;
}

/// The same for a part of the query, where any value may stand once it is encoded.
bool expand_query_part(const TemplateText& text, const Json& parameters, std::string& into) {
  for (const TemplatePiece& piece : text.pieces()) {
    if (piece.kind == TemplatePiece::Kind::literal) {
      into += piece.text;
    } else if (const Json* value = value_of(piece, parameters)) {
      into += percent_encoded(plain_text(*value));
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    if (is_unreserved(c)) {
      encoded += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    encoded += '%';
    encoded += digits[byte >> 4];
    encoded += digits[byte & 15];
  }
  return encoded;
}

FieldTemplates::FieldTemplates(const JsonObject& fields, const std::string& pointer, Findings& findings) {
  for (const auto& [name, text] : fields) {
    try {
      fields_.emplace_back(name, TemplateText(text.as_string(), TemplatePlace::field));
    } catch (const TemplateError& error) {
      findings.problem(below(pointer, name), error.what());
    }
  }
}

std::string FieldTemplates::expand(const Json& parameters) const {
  std::string all;
  const auto add = [&](const std::string& name, std::string_view value) {
    all += (all.empty() ? "" : "&") + percent_encoded(name) + '=' + percent_encoded(value);
  };
  for (const auto& [name, text] : fields_) {
    if (text.is_one_parameter()) {
      const Json* value = value_of(text.pieces().front(), parameters);
      const JsonArray* list = value == nullptr ? nullptr : value->if_array();
      if (value != nullptr && list == nullptr) add(name, plain_text(*value));
      for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) add(name, plain_text((*list)[i]));
      continue;
    }
    std::string filled;
    std::vector<std::string> no_secrets;
    if (fill(text, parameters, filled, no_secrets)) add(name, filled);
  }
  return all;
}

void FieldTemplates::add_names_to(std::vector<std::string>& names) const {
  for (const auto& [name, text] : fields_) text.add_names_to(names);
}

UrlTemplate::UrlTemplate(std::string_view url, const std::string& pointer, Findings& findings) {
  const std::size_t scheme = url.find("://");
  const std::size_t path = scheme == std::string_view::npos ? scheme : url.find_first_of("/?#", scheme + 3);
  origin_ = url.substr(0, path);
  if (const auto problem = problem_of_origin(origin_)) {
    findings.problem(pointer, *problem);
    return;
  }
  const std::string_view rest = path == std::string_view::npos ? "/" : url.substr(path);
  if (find_outside(rest, '#') != rest.size())
    findings.problem(pointer, "expected a URL without \"#\": a fragment is never sent");
  const std::size_t query = find_outside(rest, '?');
  parse_path(rest.substr(0, query), pointer, findings);
  if (query != rest.size()) parse_query(rest.substr(query + 1), pointer, findings);
}

void UrlTemplate::parse_path(std::string_view path, const std::string& pointer, Findings& findings) {
  if (path.starts_with('/')) path.remove_prefix(1);
  for_each_part(path, '/', [&](std::string_view part) {
    try {
      segments_.emplace_back(part, TemplatePlace::path);
    } catch (const TemplateError& error) {
      findings.problem(pointer, error.what());
    }
  });
}

void UrlTemplate::parse_query(std::string_view query, const std::string& pointer, Findings& findings) {
  for_each_part(query, '&', [&](std::string_view part) {
    try {
      query_.emplace_back(part, TemplatePlace::field);
    } catch (const TemplateError& error) {
      findings.problem(pointer, error.what());
    }
  });
}

std::string UrlTemplate::expand(const Json& parameters) const {
  std::string path;
  for (const TemplateText& segment : segments_) {
    std::string filled;
    if (expand_segment(segment, parameters, filled)) path += '/' + filled;
  }
  std::string query;
  for (const TemplateText& part : query_) {
    std::string filled;
    if (expand_query_part(part, parameters, filled)) query += (query.empty() ? '?' : '&') + filled;
  }
  return origin_ + (path.empty() ? "/" : path) + query;
}

void UrlTemplate::add_names_to(std::vector<std::string>& names) const {
  for (const TemplateText& segment : segments_) segment.add_names_to(names);
  for (const TemplateText& part : query_) part.add_names_to(names);
}

}  // namespace toolwire::bridge
