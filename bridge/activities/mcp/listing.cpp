#include "activities/mcp/listing.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <stdexcept>
#include <utility>

#include <toolwire/json_members.hpp>

namespace toolwire::bridge::mcp {
namespace {

bool same(const Json* a, const Json* b) { return a == nullptr || b == nullptr ? a == b : *a == *b; }

std::string difference(const Json& pinned, const Json& now) {
  std::vector<std::string_view> differing;
  for (const std::string_view part : {"title", "description", "inputSchema", "outputSchema", "annotations"}) {
    if (!same(find_member(pinned, part), find_member(now, part))) differing.push_back(part);
  }
  std::string text;
  for (std::size_t i = 0; i < differing.size(); ++i)
    text.append(i == 0 ? "its " : i + 1 < differing.size() ? ", " : " and ").append(differing[i]);
  const bool one = differing.size() == 1 && differing.front() != "annotations";
  return text.empty() ? text : text + (one ? " differs" : " differ");
}

}  // namespace

const Json* Listing::find(std::string_view tool) const {
  const auto found =
      std::find_if(tools.begin(), tools.end(), [&](const Json& t) { return t.at("name").get_string() == tool; });
  return found == tools.end() ? nullptr : &*found;
}

std::string name_of(const Json& tool) { return std::string(std::string_view(tool.at("name").as_string())); }

std::vector<Json> items_of(const JsonArray& items, std::string_view kind, std::string_view key,
                           std::vector<std::string>& rejected) {
  std::vector<Json> usable;
  std::set<std::string, std::less<>> known;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Json* name = find_member(items[i], key);
    const std::string place = std::string(kind) + "[" + std::to_string(i) + "]." + std::string(key);
    if (name == nullptr || !name->is_string() || name->get_string().empty()) {
      rejected.push_back(place + ": expected a string that is not empty");
    } else if (!known.emplace(name->get_string()).second) {
      rejected.push_back(place + ": \"" + std::string(std::string_view(name->get_string())) +
                         "\" is listed twice; the first one counts");
    } else {
      usable.push_back(items[i]);
    }
  }
  return usable;
}

Listing listing_of(const JsonArray& tools, std::vector<std::string>& rejected) {
  Listing listing;
  listing.tools = items_of(tools, "tools", "name", rejected);
  std::erase_if(listing.tools, [&](const Json& tool) {
    const Json* schema = find_member(tool, "inputSchema");
    if (schema != nullptr && schema->is_object()) return false;
    rejected.push_back("the inputSchema of \"" + name_of(tool) + "\": expected an object");
    return true;
  });
  return listing;
}

Listing listing_from(const Json& document) {
  const Json* tools = find_member(document, "tools");
  if (tools == nullptr || !tools->is_array()) throw std::invalid_argument("expected an object with an array \"tools\"");
  std::vector<std::string> rejected;
  Listing listing = listing_of(tools->get_array(), rejected);
  const auto read = [&](std::string_view kind, std::string_view key, std::vector<Json>& into) {
    const Json* items = find_member(document, kind);
    if (items != nullptr && items->is_array()) into = items_of(items->get_array(), kind, key, rejected);
    if (items != nullptr && !items->is_array()) rejected.push_back(std::string(kind) + ": expected an array");
  };
  read("resources", "uri", listing.resources);
  read("resourceTemplates", "uriTemplate", listing.templates);
  read("prompts", "name", listing.prompts);
  if (rejected.empty()) return listing;
  std::string all;
  for (const std::string& one : rejected) all += (all.empty() ? "" : "\n") + one;
  throw std::invalid_argument(all);
}

Json to_json(const Listing& listing) {
  const auto array = [](const std::vector<Json>& items) { return JsonArray(items.begin(), items.end()); };
  return JsonObject{{"tools", array(listing.tools)},
                    {"resources", array(listing.resources)},
                    {"resourceTemplates", array(listing.templates)},
                    {"prompts", array(listing.prompts)}};
}

std::map<std::string, std::string, std::less<>> changed_tools(const Listing& pinned, const Listing& now) {
  std::map<std::string, std::string, std::less<>> changed;
  for (const Json& tool : pinned.tools) {
    const std::string name = name_of(tool);
    const Json* current = now.find(name);
    if (current == nullptr) continue;
    if (std::string what = difference(tool, *current); !what.empty()) changed[name] = std::move(what);
  }
  return changed;
}

std::vector<std::string> missing_in(const Listing& others, const Listing& some) {
  std::vector<std::string> missing;
  for (const Json& tool : some.tools) {
    if (others.find(name_of(tool)) == nullptr) missing.push_back(name_of(tool));
  }
  return missing;
}

}  // namespace toolwire::bridge::mcp
