#include "client/listing.hpp"

#include <string>

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

}  // namespace toolwire::client
