#include "openapi/request_import.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <toolwire/json_members.hpp>

#include <toolwire/http/detail/header_text.hpp>
#include <toolwire/http/detail/http_client.hpp>

namespace toolwire::bridge::openapi {
namespace {

constexpr std::size_t max_name = 60;  // hosts take 64 characters, and a number may be added

/// By the binding, its security, or the connection, which no request may say anything of.
bool is_set_by_others(std::string_view name) {
  constexpr std::array<std::string_view, 4> names{"accept", "content-type", "authorization", "host"};
  return std::ranges::find(names, header_text::lower(name)) != names.end() ||
         (header_text::is_token(name) && !wrong_header_name(name).empty());
}

bool is_letter_or_digit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string_view without_parameters(std::string_view media) { return media.substr(0, media.find(';')); }

bool is_plain_json(std::string_view media) { return without_parameters(media) == "application/json" || media == "*/*"; }

bool is_json(std::string_view media) { return is_plain_json(media) || without_parameters(media).ends_with("+json"); }

bool has_type(const Json& schema, std::string_view type) {
  const Json* const stated = find_member(schema, "type");
  if (stated == nullptr) return false;
  if (const JsonArray* const several = stated->if_array())
    return std::ranges::find(*several, Json(type)) != several->end();
  return *stated == Json(type);
}

/// For a schema in parts, or without a type, whether one of them could be.
bool may_be(const Json& schema, std::string_view type) {
  if (find_member(schema, "type") != nullptr) return has_type(schema, type);
  if (find_member(schema, "$ref") != nullptr || (type == "object" && find_member(schema, "properties") != nullptr))
    return true;
  for (const std::string_view name : {"allOf", "anyOf", "oneOf"}) {
    const JsonArray* const parts = array_member(schema, name);
    if (parts != nullptr && std::ranges::any_of(*parts, [&](const Json& part) { return may_be(part, type); }))
      return true;
  }
  return false;
}

/// Of several values, which whoever calls writes as one text.
Json joined(std::string_view description, std::string_view between) {
  return JsonObject{
      {"type", "string"},
      {"description", std::string(description) + " (several: separated by " + std::string(between) + ")"}};
}

/// An object whose members are known, and nothing else is said of it.
bool has_plain_members(const Json& schema) {
  const JsonObject* const properties = object_member(schema, "properties");
  if (properties == nullptr || properties->empty()) return false;
  for (const std::string_view name : {"allOf", "anyOf", "oneOf", "not", "if", "patternProperties", "$ref"}) {
    if (find_member(schema, name) != nullptr) return false;
  }
  return true;
}

bool requires_member(const Json& schema, std::string_view name) {
  const JsonArray* const required = array_member(schema, "required");
  return required != nullptr && std::ranges::find(*required, Json(name)) != required->end();
}

std::string in_braces(const std::string& name, bool required) { return "{" + name + (required ? "}" : "?}"); }

/// Braces that stand for themselves.
std::string literal(std::string_view text) {
  std::string written;
  for (const char c : text) written.append(c == '{' || c == '}' ? 2 : 1, c);
  return written;
}

void describe(Json& schema, std::string_view description) {
  if (description.empty()) return;
  if (schema.is_bool()) schema = JsonObject();
  JsonObject& object = schema.get_object();
  if (text_member(object, "description").empty()) object["description"] = description;
}

/// What the service takes for a value that is left out. Sent along, it would change what the caller has not named.
void tell_default(Json& schema) {
  constexpr std::size_t max_shown = 100;
  JsonObject* const object = schema.if_object();
  const Json* const stated = object == nullptr ? nullptr : object->if_contains("default");
  if (stated == nullptr) return;
  const std::string shown = to_json_text(*stated);
  object->erase("default");
  if (shown.size() > max_shown) return;
  const std::string said(text_member(*object, "description"));
  (*object)["description"] = said.empty() ? "Default: " + shown : said + " (default: " + shown + ")";
}

}  // namespace

std::vector<RequestImport::Stated> RequestImport::stated_parameters(const JsonObject& holder,
                                                                    const std::string& place) {
  std::vector<Stated> list;
  const JsonArray* const stated = array_member(holder, "parameters");
  for (std::size_t i = 0; stated != nullptr && i < stated->size(); ++i) {
    const std::string here = below(below(place, "parameters"), i);
    if (const JsonObject* const parameter = document_.object((*stated)[i])) {
      list.push_back({parameter, here});
    } else {
      notes_.hint(here, "expected a parameter of this file; left out");
    }
  }
  return list;
}

void RequestImport::take_parameters(const JsonObject& path_item, const std::string& path_place,
                                    const JsonObject& operation, const std::string& place) {
  const auto is_same = [](const Stated& one, const Stated& other) {
    return text_member(*one.parameter, "name") == text_member(*other.parameter, "name") &&
           text_member(*one.parameter, "in") == text_member(*other.parameter, "in");
  };
  std::vector<Stated> all = stated_parameters(operation, place);
  for (Stated& shared : stated_parameters(path_item, path_place)) {
    if (std::ranges::none_of(all, [&](const Stated& own) { return is_same(own, shared); }))
      all.push_back(std::move(shared));
  }
  for (const Stated& one : all) take_parameter(*one.parameter, one.place);
}

void RequestImport::take_parameter(const JsonObject& parameter, const std::string& place) {
  const std::string name = text_or(parameter, "name");
  const std::string in = text_or(parameter, "in");
  const bool required = in == "path" || bool_member(parameter, "required").value_or(false);
  const Json* stated = parameter.if_contains("schema");
  std::string schema_place = below(place, "schema");
  if (const JsonObject* const content = object_member(parameter, "content"); content != nullptr && !content->empty()) {
    stated = find_member(content->begin()->value(), "schema");
    schema_place = below(below(below(place, "content"), content->begin()->key()), "schema");
  }
  Json schema = stated == nullptr ? Json(JsonObject()) : schemas_.take(*stated, schema_place);
  if (in == "query") return take_query(parameter, schema, name, required, place);
  if (in != "header" && in != "path")
    return cannot_send(required, place, "parameters in " + in_quotes(in) + " are not carried over");
  if (in == "header" && is_set_by_others(name)) return;
  if (in == "header" && !header_text::is_token(name))
    return cannot_send(required, place, "no header has the name " + in_quotes(name));
  const bool is_text = parameter.contains("content");
  if (has_type(schema, "object") && !is_text)
    return cannot_send(required, place, "an object in a path or a header is not carried over");
  if (has_type(schema, "array") && !is_text) schema = joined(text_member(parameter, "description"), "commas");
  if (in == "path") return take_path(parameter, std::move(schema), name, place);
  const std::string own = add(name, std::move(schema), text_member(parameter, "description"), required);
  headers_[name] = in_braces(own, required);
}

void RequestImport::take_path(const JsonObject& parameter, Json schema, const std::string& name,
                              const std::string& place) {
  const std::string style = text_or(parameter, "style", "simple");
  if (style != "simple" && style != "label" && style != "matrix")
    return cannot_send(true, place, "the style " + in_quotes(style) + " is none of a path");
  const std::string before = style == "label" ? "." : style == "matrix" ? ";" + literal(name) + "=" : "";
  const std::string own = add(name, std::move(schema), text_member(parameter, "description"), true);
  path_names_[name] = before + in_braces(own, true);
}

void RequestImport::take_query(const JsonObject& parameter, const Json& schema, const std::string& name, bool required,
                               const std::string& place) {
  const std::string style = text_or(parameter, "style", "form");
  const bool explodes = bool_member(parameter, "explode").value_or(style == "form");
  const bool is_text = parameter.contains("content");
  if (style == "deepObject") return take_deep_object(schema, name, required, place, query_);
  if (has_type(schema, "object") && !is_text)
    return cannot_send(required, place, "an object in the query is carried over with the style \"deepObject\" only");
  Json own = schema;
  if (has_type(schema, "array") && !(style == "form" && explodes) && !is_text) {
    const std::string_view between = style == "form" ? "commas" : style == "pipeDelimited" ? "'|'" : "blanks";
    own = joined(text_member(parameter, "description"), between);
  }
  query_[name] = in_braces(add(name, std::move(own), text_member(parameter, "description"), required), required);
}

/// `filter[status]=open`: each member is a parameter of its own.
void RequestImport::take_deep_object(const Json& schema, const std::string& name, bool required,
                                     const std::string& place, JsonObject& fields) {
  if (!has_plain_members(schema))
    return cannot_send(required, place, "an object whose members are not known is not carried over");
  for (const auto& [member, member_schema] : *object_member(schema, "properties")) {
    const bool needed = required && requires_member(schema, member);
    take_deep_field(member_schema, name + "[" + std::string(member) + "]", name + "_" + std::string(member), needed,
                    place, fields);
  }
}

/// Of a list, `field[]`: OpenAPI leaves that open, and it is what services of this style read.
void RequestImport::take_deep_field(const Json& schema, const std::string& field, const std::string& wanted,
                                    bool required, const std::string& place, JsonObject& fields) {
  const bool is_list = has_type(schema, "array");
  const Json* const items = is_list ? find_member(schema, "items") : &schema;
  if (items != nullptr && may_be(*items, "object"))
    return cannot_send(required, place, "an object inside of " + in_quotes(field) + " is not carried over");
  fields[is_list ? field + "[]" : field] = in_braces(add(wanted, schema, "", required), required);
}

void RequestImport::take_body(const JsonObject& operation, const std::string& method, const std::string& place) {
  const Json* const stated = operation.if_contains("requestBody");
  if (stated == nullptr) return;
  const std::string here = below(place, "requestBody");
  const JsonObject* const body = document_.object(*stated);
  const JsonObject* const content = body == nullptr ? nullptr : object_member(*body, "content");
  if (content == nullptr) return cannot_send(true, here, "expected a body of this file with \"content\"");
  const bool required = bool_member(*body, "required").value_or(false);
  const auto find = [&](auto&& is_wanted) {
    return std::ranges::find_if(*content, [&](const auto& media) { return is_wanted(media.key()); });
  };
  const auto is_form = [](std::string_view media) { return media == "application/x-www-form-urlencoded"; };
  const auto* found = find(is_plain_json);
  if (found == content->end()) found = find(is_json);
  if (found == content->end()) found = find(is_form);
  if (found == content->end())
    return cannot_send(required, below(here, "content"),
                       "no body is sent but JSON and application/x-www-form-urlencoded");
  const std::string media_place = below(below(here, "content"), found->key());
  const Json* const stated_schema = find_member(found->value(), "schema");
  const Json schema =
      stated_schema == nullptr ? Json(JsonObject()) : schemas_.take(*stated_schema, below(media_place, "schema"));
  if (const JsonObject* const members = object_member(schema, "properties");
      is_form(found->key()) && members != nullptr && members->empty())
    return;  // as some write it with every GET
  if (method == "GET" || method == "HEAD") return cannot_send(required, here, "no body is sent with GET and HEAD");
  if (is_form(found->key())) return take_form(schema, found->value().get_object(), required, media_place);
  if (!is_plain_json(found->key())) headers_["Content-Type"] = literal(found->key());
  take_json_body(schema, required, here);
}

/// The members are parameters of their own where they are known; else the whole body is one.
void RequestImport::take_json_body(const Json& schema, bool required, const std::string& place) {
  if (!has_plain_members(schema)) {
    if (!required) notes_.hint(place, "may be left out; the tool always wants it");
    body_ = in_braces(add("body", schema, "The body of the request", true), true);
    return;
  }
  if (const Json* const more = find_member(schema, "additionalProperties"); more != nullptr && *more != Json(false))
    notes_.hint(place, "further members of the body are not carried over");
  JsonObject members;
  for (const auto& [name, member] : *object_member(schema, "properties")) {
    const bool needed = requires_member(schema, name);
    if (needed && has_type(member, "null"))
      notes_.hint(place, "null cannot be sent for " + in_quotes(name) + ": it counts as absent");
    members[name] = in_braces(add(name, member, "", needed), needed);
  }
  body_ = std::move(members);
}

void RequestImport::take_form(const Json& schema, const JsonObject& media, bool required, const std::string& place) {
  if (!has_plain_members(schema)) return cannot_send(required, place, "expected the members of the form");
  is_form_ = true;
  for (const auto& [name, member] : *object_member(schema, "properties")) {
    const bool needed = requires_member(schema, name);
    const std::string field(name);
    if (text_member(member_or_null(media, "encoding", field), "style") != "deepObject") {
      form_[field] = in_braces(add(field, member, "", needed), needed);
    } else if (has_type(member, "object")) {
      take_deep_object(member, field, needed, below(below(place, "encoding"), field), form_);
    } else {
      take_deep_field(member, field, field, needed, below(below(place, "encoding"), field), form_);
    }
  }
}

void RequestImport::cannot_send(bool required, const std::string& place, const std::string& why) {
  notes_.hint(place, why + (required ? "; the operation needs it and is left out" : ""));
  if (required) possible_ = false;
}

/// Returns the name it has as a parameter of the tool.
std::string RequestImport::add(std::string_view wanted, Json schema, std::string_view description, bool required) {
  // Names that begin with "_", which "$" and "@" become, have meanings of their own.
  while (!wanted.empty() && !is_letter_or_digit(wanted.front())) wanted.remove_prefix(1);
  std::string name = names_.map(wanted.empty() ? "value" : wanted.substr(0, max_name));
  describe(schema, description);
  tell_default(schema);
  properties_[name] = std::move(schema);
  if (required) required_.push_back(Json(name));
  return name;
}

Json RequestImport::take_parameters_schema() {
  JsonObject schema{{"type", "object"}, {"properties", std::move(properties_)}};
  if (!required_.empty()) schema["required"] = std::move(required_);
  schema["additionalProperties"] = false;
  if (JsonObject definitions = schemas_.take_definitions(); !definitions.empty())
    schema["$defs"] = std::move(definitions);
  return schema;
}

JsonObject RequestImport::binding(const std::string& base_url, std::string_view path, const std::string& method) {
  std::string url = literal(base_url);
  path = path.substr(0, path.find('#'));  // it tells operations apart, and is never sent
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t open = std::min(path.find('{', at), path.size());
    const std::size_t close = std::min(path.find('}', open), path.size());
    url += path.substr(at, open - at);
    if (open < path.size()) {
      const std::string name(path.substr(open + 1, close - open - 1));
      if (!path_names_.contains(name))
        path_names_[name] = in_braces(add(name, JsonObject{{"type", "string"}}, "", true), true);
      url += std::string_view(path_names_[name].get_string());
    }
    at = close + 1;
  }
  JsonObject binding{{"url", url}, {"method", method}};
  if (!query_.empty()) binding["query"] = std::move(query_);
  if (!headers_.empty()) binding["headers"] = std::move(headers_);
  const bool sends = method == "POST" || method == "PUT" || method == "PATCH";
  if (!body_.is_null()) {
    binding["body"] = std::move(body_);
  } else if (is_form_ || sends) {
    binding["form"] = std::move(form_);  // without one, the parameters would be the body
  }
  return binding;
}

}  // namespace toolwire::bridge::openapi
