// Lists that come in pages, followed to their end, and what their items say.
#pragma once

#include <toolwire/client.hpp>

#include <functional>
#include <string_view>

namespace toolwire::client {

/// The array `member` of all results of `method`, following cursors. Throws as Client::request, and ProtocolError if
/// the server's pages make no sense. `seen` gets each result before it is looked at.
JsonArray list_all(Client& client, std::string_view method, std::string_view member,
                   const std::function<void(const Json& result)>& seen = {});

/// An item of tools/list or prompts/list. What is missing or of another kind is empty.
ListedTool listed_tool(const Json& tool);
ListedPrompt listed_prompt(const Json& prompt);

}  // namespace toolwire::client
