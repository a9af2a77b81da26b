#include "client/listing.hpp"

#include <string>

#include <toolwire/json_members.hpp>

namespace toolwire::client {
namespace {

[[noreturn]] void senseless(std::string_view method, const std::string& why) {
  throw ProtocolError(error_code::internal_error, "the result of \"" + std::string{method} + "\" " + why);
}

}  // namespace

JsonArray list_all(Client& client, std::string_view method, std::string_view member) {
  JsonArray all;
  JsonObject params;
  while (true) {
    const Json page = client.request(method, params);
    const JsonObject* result = page.if_object();
    const Json* list = result != nullptr ? result->if_contains(member) : nullptr;
    if (list == nullptr || !list->is_array()) senseless(method, "has no array \"" + std::string{member} + "\"");
    for (const Json& item : list->get_array()) all.push_back(item);
    const Json* cursor = result->if_contains("nextCursor");
    if (cursor == nullptr || !cursor->is_string() || cursor->get_string().empty()) return all;
    const Json* last = params.if_contains("cursor");
    if (last != nullptr && *last == *cursor) senseless(method, "gives the same cursor again: " + to_json_text(*cursor));
    params["cursor"] = *cursor;
  }
}

ListedTool listed_tool(const Json& tool) {
  return {.name = text_or(tool, "name"),
          .title = text_or(tool, "title"),
          .description = text_or(tool, "description"),
          .input_schema = member_or_null(tool, "inputSchema"),
          .output_schema = member_or_null(tool, "outputSchema"),
          .raw = tool};
}

ListedPrompt listed_prompt(const Json& prompt) {
  ListedPrompt listed{.name = text_or(prompt, "name"),
                      .title = text_or(prompt, "title"),
                      .description = text_or(prompt, "description"),
                      .raw = prompt};
  const Json arguments = member_or_null(prompt, "arguments");
  if (!arguments.is_array()) return listed;
  for (const Json& argument : arguments.get_array()) {
    listed.arguments.push_back({.name = text_or(argument, "name"),
                                .description = text_or(argument, "description"),
                                .title = text_or(argument, "title"),
                                .required = member_or_null(argument, "required") == Json(true)});
  }
  return listed;
}

}  // namespace toolwire::client
