#include "protocol/completion/completable.hpp"

#include <string_view>

#include "protocol/asker.hpp"
#include "protocol/scopes.hpp"
#include "toolwire/error.hpp"
#include "types/echo.hpp"

namespace toolwire::protocol {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw ProtocolError(error_code::invalid_params, "Invalid params: " + why);
}

[[noreturn]] void refuse_argument(const std::string& argument) {
  refuse("there is no argument \"" + types::echo(argument) + "\"");
}

Completer of_template(const Exchange& exchange, std::string_view uri_template, const std::string& argument) {
  auto served = exchange.connection->service.resources.templates.find(uri_template);
  if (!served || !is_visible(*served, exchange)) {
    refuse("Unknown resource template \"" + types::echo(uri_template) +
           "\"; resources/templates/list names those there are");
  }
  require_scopes(served->made.info.scopes, exchange);
  auto found = served->made.info.complete.find(argument);
  if (found == served->made.info.complete.end()) refuse_argument(argument);
  return found->second;
}

Completer of_prompt(const Exchange& exchange, std::string_view name, const std::string& argument) {
  auto served = exchange.connection->service.prompts.find(name);
  if (!served || !is_visible(*served, exchange))
    refuse("Unknown prompt \"" + types::echo(name) + "\"; prompts/list names those there are");
  require_scopes(served->prompt.info.scopes, exchange);
  const Completer* completer = served->completer(argument);
  if (completer == nullptr) refuse_argument(argument);
  return *completer;
}

struct ReferenceType {
  std::string_view type;
  const char* key;  // the member that names it
  Completer (*find)(const Exchange& exchange, std::string_view key, const std::string& argument);
};

constexpr ReferenceType reference_types[] = {
    {"ref/prompt", "name", of_prompt},
    {"ref/resource", "uri", of_template},
};

}  // namespace

Completer completer_of(const Exchange& exchange, const JsonObject& reference, const std::string& argument) {
  const Json* type = reference.if_contains("type");
  const std::string_view type_text =
      type != nullptr && type->is_string() ? std::string_view(type->get_string()) : std::string_view();
  for (const ReferenceType& known : reference_types) {
    if (type_text != known.type) continue;
    const Json* key = reference.if_contains(known.key);
    if (key == nullptr || !key->is_string()) refuse("ref." + std::string(known.key) + " must be a string");
    return known.find(exchange, std::string_view(key->get_string()), argument);
  }
  refuse("ref.type must be \"ref/prompt\" or \"ref/resource\"");
}

}  // namespace toolwire::protocol
