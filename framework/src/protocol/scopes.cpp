#include "protocol/scopes.hpp"

#include <algorithm>
#include <exception>

#include <toolwire/json_members.hpp>

#include "json/parse.hpp"
#include "log/log.hpp"
#include "toolwire/detail/what_of.hpp"

namespace toolwire::protocol {
namespace {

constexpr const char* refusal_code = "insufficient_scope";

using Scopes = std::vector<std::string>;

Scopes of_tool(const JsonObject& params, const Service& service, Asker& asker) {
  const auto tool = service.tools.find(text_member(params, "name"));
  return tool && asker.sees(*tool) ? scopes_of_call(tool->tool.info, member_or_null(params, "arguments")) : Scopes();
}

Scopes of_prompt(std::string_view name, const Service& service, Asker& asker) {
  const auto prompt = service.prompts.find(name);
  return prompt && asker.sees(*prompt) ? prompt->prompt.info.scopes : Scopes();
}

Scopes of_resource(std::string_view uri, const Service& service, Asker& asker) {
  const auto found = service.resources.find(
      std::string(uri), [&asker](const Visible& visible, const std::string& key) { return asker.sees(visible, key); });
  return found ? found->scopes() : Scopes();
}

Scopes of_template(std::string_view uri_template, const Service& service, Asker& asker) {
  const auto found = service.resources.templates.find(uri_template);
  return found && asker.sees(*found) ? found->made.info.scopes : Scopes();
}

Scopes of_reference(const JsonObject& params, const Service& service, Asker& asker) {
  const JsonObject* const reference = object_member(params, "ref");
  if (reference == nullptr) return {};
  if (text_member(*reference, "type") == "ref/prompt")
    return of_prompt(text_member(*reference, "name"), service, asker);
  return of_template(text_member(*reference, "uri"), service, asker);
}

/// 2026-07-28 basic/patterns/subscriptions: of several resources at once.
Scopes of_subscription(const JsonObject& params, const Service& service, Asker& asker) {
  Scopes all;
  const JsonObject* const wanted = object_member(params, "notifications");
  const JsonArray* const uris = wanted != nullptr ? array_member(*wanted, "resourceSubscriptions") : nullptr;
  if (uris == nullptr) return all;
  const std::size_t bound = service.options.limits.watched_resources;
  for (std::size_t i = 0; i < std::min(uris->size(), bound); ++i) {
    if (const JsonString* const uri = (*uris)[i].if_string())
      add_missing(all, of_resource(std::string_view(*uri), service, asker));
  }
  return all;
}

}  // namespace

void add_missing(Scopes& scopes, const Scopes& more) {
  for (const std::string& scope : more) {
    if (std::ranges::find(scopes, scope) == scopes.end()) scopes.push_back(scope);
  }
}

Scopes scopes_of_call(const ToolInfo& tool, const Json& arguments) {
  Scopes scopes = tool.scopes;
  if (tool.scopes_of_call)
    add_missing(scopes, tool.scopes_of_call(arguments.is_object() ? arguments : Json(JsonObject())));
  return scopes;
}

bool may_need_scopes(const Service& service) {
  return service.tools.has_scopes() || service.prompts.has_scopes() || service.resources.resources.has_scopes() ||
         service.resources.templates.has_scopes();
}

Scopes needed_scopes(std::string_view method, const JsonObject& params, const Service& service, Asker& asker) {
  if (method == "tools/call") return of_tool(params, service, asker);
  if (method == "prompts/get") return of_prompt(text_member(params, "name"), service, asker);
  if (method == "resources/read" || method == "resources/subscribe")
    return of_resource(text_member(params, "uri"), service, asker);
  if (method == "completion/complete") return of_reference(params, service, asker);
  if (method == "subscriptions/listen") return of_subscription(params, service, asker);
  return {};
}

bool has_all(const Principal& principal, const Scopes& scopes) {
  return std::ranges::all_of(scopes, [&](const std::string& scope) { return principal.has_scope(scope); });
}

ProtocolError refusal_for_scopes(const Scopes& needed) {
  std::string names;
  for (const std::string& scope : needed) names.append(names.empty() ? "" : ", ").append(scope);
  return ProtocolError(insufficient_scope, "Forbidden: this needs a caller who was granted " + names,
                       JsonObject{{"code", refusal_code}, {"scopes", JsonArray(needed.begin(), needed.end())}});
}

std::optional<Scopes> scopes_in_refusal(std::string_view answer) {
  try {
    const Json read = parse_json(answer);
    const JsonObject* const error = object_member(read, "error");
    const JsonObject* const data = error != nullptr ? object_member(*error, "data") : nullptr;
    const JsonArray* const scopes = data != nullptr ? array_member(*data, "scopes") : nullptr;
    if (scopes == nullptr || text_member(*data, "code") != refusal_code) return std::nullopt;
    Scopes found;
    for (const Json& scope : *scopes) {
      if (scope.is_string() && is_scope(std::string_view(scope.get_string()))) found.emplace_back(scope.get_string());
    }
    return found;
  } catch (const JsonError&) {
    return std::nullopt;
  }
}

void require_scopes(const Scopes& needed, const Exchange& exchange) {
  if (needed.empty() || (exchange.caller().empty() && !exchange.connection->nobody_has_scopes)) return;
  if (!has_all(exchange.principal(), needed)) throw refusal_for_scopes(needed);
}

void require_scopes(const ToolInfo& tool, const Json& arguments, const Exchange& exchange) {
  if (!tool.scopes_of_call) return require_scopes(tool.scopes, exchange);
  Scopes needed;
  try {
    needed = scopes_of_call(tool, arguments);
  } catch (...) {
    process::log(LogLevel::error, "what a call of \"" + tool.name +
                                      "\" needs cannot be told: " + detail::what_of(std::current_exception()));
    throw ProtocolError(error_code::internal_error, "Internal error: the scopes that this call needs cannot be told");
  }
  require_scopes(needed, exchange);
}

}  // namespace toolwire::protocol
