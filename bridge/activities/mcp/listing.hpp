// What a back-end offers, as it listed it when the operator began to trust it, and how a later list differs. Takes
// values, returns values.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/json.hpp>

namespace toolwire::bridge::mcp {

/// What there is, as the server sent it and in its order: tools with a name and an input schema, resources with a URI,
/// templates with a URI template, prompts with a name, each once. A plain value.
struct Listing {
  std::vector<Json> tools = {};
  std::vector<Json> resources = {};
  std::vector<Json> templates = {};
  std::vector<Json> prompts = {};
  bool tells_updates = false;  // of resources, to those who subscribe

  const Json* find(std::string_view tool) const;
};

/// The name of a listed tool.
std::string name_of(const Json& tool);

/// The usable ones of `tools`; `rejected` gets the reasons of the others: no name, no object as schema, a name that
/// occurs twice.
Listing listing_of(const JsonArray& tools, std::vector<std::string>& rejected);

/// The same for items that are identified by the member `key`; `kind` is how `rejected` calls their array.
std::vector<Json> items_of(const JsonArray& items, std::string_view kind, std::string_view key,
                           std::vector<std::string>& rejected);

/// A listing that was kept: `{"tools": […], "resources": […], "resourceTemplates": […], "prompts": […]}`, of which only
/// the first must be there. Throws std::invalid_argument saying what was expected.
Listing listing_from(const Json& document);
Json to_json(const Listing& listing);

/// Why tools of the pinned listing can no longer be trusted, by name: "its description and inputSchema differ".
/// Compared is what tells a model or a user what a tool does: title, description, schemas, annotations.
std::map<std::string, std::string, std::less<>> changed_tools(const Listing& pinned, const Listing& now);
/// Names that are in `some` and not in `others`, in their order.
std::vector<std::string> missing_in(const Listing& others, const Listing& some);

}  // namespace toolwire::bridge::mcp
