#include "openapi/import.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <toolwire/json_members.hpp>
#include <toolwire/text.hpp>

#include <toolwire/http/detail/http_client.hpp>
#include "activities/http_settings.hpp"
#include "manifest/line_of.hpp"
#include "manifest/read_tool.hpp"
#include "manifest/tool_name.hpp"
#include "openapi/request_import.hpp"
#include "openapi/security.hpp"

namespace toolwire::bridge::openapi {
namespace {

constexpr std::size_t max_description = 1'000;  // of a tool, in bytes: a model reads all of them
constexpr std::size_t max_file = std::size_t{64} << 20;
constexpr std::size_t max_values = 10 * usual_json_values;  // descriptions of large services have a million

struct Method {
  std::string_view member;
  std::string_view name;
  bool is_safe;        // RFC 9110 §9.2.1
  bool is_idempotent;  // §9.2.2
};
constexpr std::array<Method, 7> methods{{{"get", "GET", true, true},
                                         {"put", "PUT", false, true},
                                         {"post", "POST", false, false},
                                         {"delete", "DELETE", false, true},
                                         {"options", "OPTIONS", true, true},
                                         {"head", "HEAD", true, true},
                                         {"patch", "PATCH", false, false}}};

std::string shortened(const std::string& text) {
  if (text.size() <= max_description) return text;
  return std::string(text::head(text, max_description)) + "…";
}

std::string description_of(const JsonObject& operation, std::string_view method, std::string_view path) {
  const std::string summary = text_or(operation, "summary");
  const std::string more = text_or(operation, "description");
  std::string text = summary + (summary.empty() || more.empty() || summary == more ? "" : "\n\n");
  if (summary != more) text += more;
  if (text.empty()) text = std::string(method) + " " + std::string(path);
  if (bool_member(operation, "deprecated").value_or(false)) text.insert(0, "Deprecated. ");
  return shortened(text::stripped(text, text::lines));
}

/// The server with the defaults of its variables.
std::string address_of(const Json& server) {
  std::string url = text_or(server, "url");
  const JsonObject* const variables = object_member(server, "variables");
  if (variables == nullptr) return url;
  for (const auto& [name, variable] : *variables) {
    const std::string place = "{" + std::string(name) + "}";
    const std::size_t at = url.find(place);
    if (at != std::string::npos) url.replace(at, place.size(), text_member(variable, "default"));
  }
  return url;
}

class Import {
 public:
  Import(const JsonObject& whole, const ImportOptions& options, Findings& findings)
      : document_(whole), options_(options), findings_(findings), security_(document_, findings) {}

  void run() {
    if (!check_version()) return;
    const JsonObject* const paths = object_member(document_.whole(), "paths");
    if (paths != nullptr) {
      for (const auto& [path, item] : *paths) take_path(path, item);
    }
    if (document_.whole().contains("webhooks"))
      findings_.hint("/webhooks", "not carried over: they are calls that the service makes");
    if (tools_.empty() && !findings_.has_problems())
      findings_.problem("/paths", "expected an operation that can be carried over");
  }

  Imported take() {
    Imported imported{.tools = tools_.size(), .left_out = left_out_, .variables = security_.variables()};
    const Json& info = member_or_null(document_.whole(), "info");
    const std::string title = text_or(info, "title");
    imported.manifest = JsonObject{{"protocol_version", "1.0"},
                                   {"scenario", JsonObject{{"name", title.empty() ? "imported" : title},
                                                           {"version", text_or(info, "version", "1")},
                                                           {"description", shortened(text_or(info, "description"))}}},
                                   {"generated_at", now_as_timestamp()},
                                   {"categories", std::move(categories_)},
                                   {"tools", std::move(tools_)}};
    imported.bindings = JsonObject{{"bindings", std::move(bindings_)}};
    return imported;
  }

 private:
  bool check_version() {
    const JsonObject& whole = document_.whole();
    if (whole.contains("swagger")) {
      findings_.problem("/swagger", "expected OpenAPI 3.0 or 3.1; this is an older one, which other tools can convert");
      return false;
    }
    const std::string version = text_or(whole, "openapi");
    if (version.starts_with("3.0") || version.starts_with("3.1")) return true;
    findings_.problem("/openapi", "expected a description with \"openapi\": \"3.0.…\" or \"3.1.…\"");
    return false;
  }

  void take_path(std::string_view path, const Json& stated) {
    const std::string place = below("/paths", path);
    const JsonObject* const item = document_.object(stated);
    if (path.starts_with("x-")) return;
    if (item == nullptr) return findings_.hint(place, "expected operations of this file; left out");
    for (const Method& method : methods) {
      const JsonObject* const operation = object_member(*item, method.member);
      if (operation != nullptr) take_operation(path, *item, *operation, method, place);
    }
    if (item->contains("trace")) findings_.hint(below(place, "trace"), "this method is not carried over");
  }

  void take_operation(std::string_view path, const JsonObject& item, const JsonObject& operation, const Method& method,
                      const std::string& path_place) {
    const std::string place = below(path_place, method.member);
    if (operation.contains("callbacks"))
      findings_.hint(below(place, "callbacks"), "not carried over: they are calls that the service makes");
    RequestImport request(document_, findings_);
    request.take_parameters(item, path_place, operation, place);
    request.take_body(operation, std::string(method.name), place);
    const auto base = base_url(item, operation, path_place, place);
    if (!request.is_possible() || !base) return leave_out();
    JsonObject binding = request.binding(*base, path, std::string(method.name));
    JsonObject headers = security_.headers_for(operation, place);
    if (Json* const own = binding.if_contains("headers")) {
      for (const auto& [name, value] : own->get_object()) headers[name] = value;
    }
    if (!headers.empty()) binding["headers"] = std::move(headers);
    std::string wanted = text_or(operation, "operationId");
    if (wanted.empty()) wanted = std::string(method.member) + std::string(path);
    JsonObject tool{{"description", description_of(operation, method.name, path)},
                    {"parameters", request.take_parameters_schema()},
                    {"metadata", JsonObject{{"enabled_by_default", true},
                                            {"requires_approval", !method.is_safe},
                                            {"modifies_state", !method.is_safe},
                                            {"idempotent", method.is_idempotent}}}};
    if (const std::string category = category_of(operation); !category.empty()) tool["category"] = category;
    add(wanted, std::move(tool), std::move(binding), place);
  }

  /// Only if both halves can be used.
  void add(const std::string& wanted, JsonObject tool, JsonObject binding, const std::string& place) {
    tool["name"] = "checked";
    Findings wrong("");
    read_tool(tool, "", ManifestOrigin::own, wrong);
    read_http_settings(binding, "", wrong);
    const auto problems = wrong.take_problems("");
    if (!problems.empty()) {
      findings_.hint(place, "left out: " + problems.front().pointer + ": " + problems.front().text);
      return leave_out();
    }
    std::string name = names_.map(wanted.starts_with('_') ? wanted.substr(1) : wanted);
    tool["name"] = name;
    tools_.push_back(std::move(tool));
    bindings_[name] = JsonObject{{"http", std::move(binding)}};
  }

  void leave_out() { ++left_out_; }

  std::optional<std::string> base_url(const JsonObject& item, const JsonObject& operation,
                                      const std::string& path_place, const std::string& place) {
    if (!options_.base_url.empty()) return options_.base_url;
    const std::array<std::pair<const JsonObject*, std::string>, 3> holders{
        {{&operation, place}, {&item, path_place}, {&document_.whole(), ""}}};
    for (const auto& [holder, holder_place] : holders) {
      const JsonArray* const servers = array_member(*holder, "servers");
      if (servers == nullptr || servers->empty()) continue;
      std::string url = address_of(servers->front());
      while (url.ends_with('/')) url.pop_back();
      if (http_origin_of(url)) return url;
      say_address_is_missing(below(below(holder_place, "servers"), std::size_t{0}));
      return std::nullopt;
    }
    say_address_is_missing("/servers");
    return std::nullopt;
  }

  void say_address_is_missing(const std::string& place) {
    if (std::exchange(address_is_missing_, true)) return;
    findings_.problem(place, "expected an http or https URL; say with --base-url where the service is");
  }

  std::string category_of(const JsonObject& operation) {
    const JsonArray* const tags = array_member(operation, "tags");
    if (tags == nullptr || tags->empty() || !tags->front().is_string()) return {};
    const std::string tag(tags->front().get_string());
    const auto known = tags_.find(tag);
    if (known != tags_.end()) return known->second;
    const std::string id = tag_names_.map(tag);
    JsonObject category{{"id", id}, {"name", tag}};
    if (const std::string text = description_of_tag(tag); !text.empty()) category["description"] = shortened(text);
    categories_.push_back(std::move(category));
    return tags_.emplace(tag, id).first->second;
  }

  std::string description_of_tag(const std::string& tag) const {
    const JsonArray* const described = array_member(document_.whole(), "tags");
    if (described == nullptr) return {};
    for (const Json& one : *described) {
      if (text_member(one, "name") == tag) return text_or(one, "description");
    }
    return {};
  }

  const Document document_;
  const ImportOptions& options_;
  Findings& findings_;
  SecurityImport security_;
  NameMapping names_;
  NameMapping tag_names_;
  std::map<std::string, std::string> tags_;
  JsonArray categories_;
  JsonArray tools_;
  JsonObject bindings_;
  std::size_t left_out_ = 0;
  bool address_is_missing_ = false;
};

ImportReading unreadable(const std::string& name, std::size_t line, std::string text) {
  ImportReading reading;
  reading.problems.push_back({name, line, "", std::move(text)});
  return reading;
}

}  // namespace

ImportReading import_description(std::string_view text, const std::string& name, const ImportOptions& options) {
  if (text.size() > max_file) return unreadable(name, 0, "expected at most 64 MiB");
  Json whole;
  try {
    whole = parse_json(text, {.max_values = max_values});
  } catch (const JsonError& error) {
    return unreadable(
        name, line_at(text, error.offset),
        std::string("expected an OpenAPI description in JSON (turn YAML into it first): ") + error.what());
  }
  if (!whole.is_object()) return unreadable(name, 1, "expected an object, an OpenAPI description");
  Findings findings(name);
  Import import(whole.get_object(), options, findings);
  import.run();
  ImportReading reading;
  reading.problems = findings.take_problems(text);
  reading.hints = findings.take_hints(text);
  if (reading.problems.empty()) reading.imported = import.take();
  return reading;
}

}  // namespace toolwire::bridge::openapi
