// What a back-end offers, as it said when the operator began to trust it, and how a later answer differs.
// Decides only: asks no server, changes nothing.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/json.hpp>

namespace toolwire::bridge::mcp {

/// Tools as the server sent them, in its order, each with a name and an input schema. A plain value.
struct Listing {
  std::vector<Json> tools = {};

  const Json* find(std::string_view tool) const;
};

/// The name of a listed tool.
std::string name_of(const Json& tool);

/// Takes over what can be used of `tools`; says in `rejected` what cannot: no name, no object as schema, a name given
/// twice.
Listing listing_of(const JsonArray& tools, std::vector<std::string>& rejected);

/// A listing that was kept: `{"tools": […]}` as in a result of tools/list. Throws std::invalid_argument saying what was
/// expected.
Listing listing_from(const Json& document);
Json to_json(const Listing& listing);

/// Why tools of the pinned listing cannot be trusted any more, by name: "its description and inputSchema differ".
/// What tells a model or a user what a tool does counts: title, description, schemas, annotations.
std::map<std::string, std::string, std::less<>> changed_tools(const Listing& pinned, const Listing& now);
/// Names that are in `some` and not in `others`, in their order.
std::vector<std::string> missing_in(const Listing& others, const Listing& some);

}  // namespace toolwire::bridge::mcp
