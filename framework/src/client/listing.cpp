#include "client/listing.hpp"

#include <cstddef>
#include <set>
#include <string>

#include <toolwire/json_members.hpp>

namespace toolwire::client {
namespace {

constexpr std::size_t max_pages = 10'000;  // a server that never ends its list would otherwise take all memory

[[noreturn]] void senseless(std::string_view method, const std::string& why) {
  throw ProtocolError(error_code::internal_error, "the result of \"" + std::string{method} + "\" " + why);
}

}  // namespace

JsonArray list_all(Client& client, std::string_view method, std::string_view member,
                   const std::function<void(const Json& result)>& seen) {
  JsonArray all;
  JsonObject params;
  std::set<std::string> cursors;
  for (std::size_t count = 0; count < max_pages; ++count) {
    const Json page = client.request(method, params);
    if (seen) seen(page);
    const JsonObject* result = page.if_object();
    const Json* list = result != nullptr ? result->if_contains(member) : nullptr;
    if (list == nullptr || !list->is_array()) senseless(method, "has no array \"" + std::string{member} + "\"");
    for (const Json& item : list->get_array()) all.push_back(item);
    const Json* cursor = result->if_contains("nextCursor");
    if (cursor == nullptr || !cursor->is_string() || cursor->get_string().empty()) return all;
    if (!cursors.emplace(cursor->get_string()).second)
      senseless(method, "gives the same cursor again: " + to_json_text(*cursor));
    params["cursor"] = *cursor;
  }
  senseless(method, "has more than " + std::to_string(max_pages) + " pages");
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
