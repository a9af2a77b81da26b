#include "activities/mcp/stored_listing.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <toolwire/json_members.hpp>

#include "activities/mcp/text_hash.hpp"
#include "manifest/indented_json.hpp"

namespace toolwire::bridge::mcp {
namespace {

constexpr std::size_t hash_bytes = 32;
constexpr std::array<std::string_view, 5> parts{"title", "description", "inputSchema", "outputSchema", "annotations"};

std::string hash_of(const Listing& listing) {
  return text_hash(to_json_text(JsonArray(listing.tools.begin(), listing.tools.end())), hash_bytes);
}

Json listing_json(const Listing& listing) {
  Json json = to_json(listing);
  json.as_object()["tellsUpdates"] = listing.tells_updates;
  return json;
}

Listing listing_in(const Json& json) {
  Listing listing = listing_from(json);
  listing.tells_updates = bool_member(json, "tellsUpdates").value_or(false);
  return listing;
}

std::vector<std::string> texts_in(const Json& document, std::string_view name) {
  std::vector<std::string> texts;
  const Json* const list = find_member(document, name);
  if (list == nullptr || !list->is_array()) return texts;
  for (const Json& one : list->get_array()) {
    if (one.is_string()) texts.emplace_back(one.get_string());
  }
  return texts;
}

std::vector<std::string> lines_of(const Json* value) {
  std::vector<std::string> lines;
  if (value == nullptr) return lines;
  std::string text = value->is_string() ? std::string(value->get_string()) : indented_json(*value);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.erase(0, end + 1);
  }
  return lines;
}

/// The lines of one part that differ, without those that begin and end both alike.
void write_difference(std::string_view part, const Json* before, const Json* now, std::string& into) {
  std::vector<std::string> old_lines = lines_of(before);
  std::vector<std::string> new_lines = lines_of(now);
  if (old_lines == new_lines) return;
  into.append("  ").append(part).append(":\n");
  const auto [old_begin, new_begin] = std::ranges::mismatch(old_lines, new_lines);
  old_lines.erase(old_lines.begin(), old_begin);
  new_lines.erase(new_lines.begin(), new_begin);
  while (!old_lines.empty() && !new_lines.empty() && old_lines.back() == new_lines.back()) {
    old_lines.pop_back();
    new_lines.pop_back();
  }
  for (const std::string& line : old_lines) into.append("  - ").append(line).append("\n");
  for (const std::string& line : new_lines) into.append("  + ").append(line).append("\n");
}

bool same_tools(const Listing& a, const Listing& b) {
  return changed_tools(a, b).empty() && missing_in(a, b).empty() && missing_in(b, a).empty();
}

void forget_latest_if_accepted(StoredListing& stored) {
  if (stored.latest && same_tools(stored.pinned, *stored.latest)) stored.latest.reset();
}

void accept_tool(StoredListing& stored, const std::string& tool) {
  const Json* const now = stored.latest->find(tool);
  std::vector<Json>& pinned = stored.pinned.tools;
  const auto before = std::ranges::find_if(pinned, [&](const Json& one) { return name_of(one) == tool; });
  if (now == nullptr) {
    pinned.erase(before);
  } else if (before == pinned.end()) {
    pinned.push_back(*now);
  } else {
    *before = *now;
  }
}

}  // namespace

Json to_json(const StoredListing& stored) {
  JsonObject document{{"version", stored_version},
                      {"server", stored.server},
                      {"command", JsonArray(stored.command.begin(), stored.command.end())},
                      {"directory", stored.directory},
                      {"hash", hash_of(stored.pinned)},
                      {"pinned", listing_json(stored.pinned)}};
  if (stored.latest) document["latest"] = listing_json(*stored.latest);
  return document;
}

StoredListing stored_listing_from(const Json& document) {
  const Json* const version = find_member(document, "version");
  if (version == nullptr) return {.pinned = listing_in(document)};
  if (!version->is_int64() || version->get_int64() < 1)
    throw std::invalid_argument("/version: expected a whole number from 1 on");
  if (version->get_int64() > stored_version)
    throw std::invalid_argument("was written by a newer version of this program (" +
                                std::to_string(version->get_int64()) + "); expected " + std::to_string(stored_version) +
                                " at most");
  const Json* const pinned = find_member(document, "pinned");
  if (pinned == nullptr) throw std::invalid_argument("/pinned: expected what tools were accepted");
  StoredListing stored{.server = text_or(document, "server"),
                       .command = texts_in(document, "command"),
                       .directory = text_or(document, "directory"),
                       .pinned = listing_in(*pinned)};
  if (text_or(document, "hash") != hash_of(stored.pinned))
    throw std::invalid_argument("/hash: expected that of the pinned tools; they were changed by somebody else");
  if (const Json* const latest = find_member(document, "latest")) stored.latest = listing_in(*latest);
  return stored;
}

std::vector<std::string> pending_changes(const StoredListing& stored) {
  std::vector<std::string> names;
  if (!stored.latest) return names;
  for (const auto& [tool, what] : changed_tools(stored.pinned, *stored.latest)) names.push_back(tool);
  for (std::string& tool : missing_in(stored.pinned, *stored.latest)) names.push_back(std::move(tool));
  for (std::string& tool : missing_in(*stored.latest, stored.pinned)) names.push_back(std::move(tool));
  return names;
}

std::string changes_of(const StoredListing& stored, const std::string& tool) {
  const Json* const before = stored.pinned.find(tool);
  const Json* const now = stored.latest ? stored.latest->find(tool) : nullptr;
  if (now == nullptr) return before == nullptr ? "" : "- " + tool + " is gone\n";
  std::string text = (before == nullptr ? "+ " + tool + " is new\n" : "  " + tool + "\n");
  for (const std::string_view part : parts)
    write_difference(part, before == nullptr ? nullptr : find_member(*before, part), find_member(*now, part), text);
  return text;
}

std::vector<std::string> accept(StoredListing& stored, const std::vector<std::string>& tools) {
  const std::vector<std::string> pending = pending_changes(stored);
  std::string all;
  for (const std::string& tool : pending) all += (all.empty() ? "" : ", ") + tool;
  for (const std::string& tool : tools) {
    if (std::ranges::find(pending, tool) == pending.end())
      throw std::invalid_argument("the tool \"" + tool +
                                  "\" has no change to accept; those that have one: " + (all.empty() ? "none" : all));
  }
  const std::vector<std::string>& accepted = tools.empty() ? pending : tools;
  for (const std::string& tool : accepted) accept_tool(stored, tool);
  forget_latest_if_accepted(stored);
  return accepted;
}

void take_listing(StoredListing& stored, const Listing& now, bool follow) {
  if (follow) stored.pinned.tools = now.tools;
  stored.pinned.resources = now.resources;
  stored.pinned.templates = now.templates;
  stored.pinned.prompts = now.prompts;
  stored.pinned.tells_updates = now.tells_updates;
  stored.latest = now;
  forget_latest_if_accepted(stored);
}

}  // namespace toolwire::bridge::mcp
