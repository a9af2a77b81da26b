// What a back-end offers, as it is kept for later starts: what the operator trusts, and what the server says now. Takes
// values, returns values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <toolwire/json.hpp>

#include "activities/mcp/listing.hpp"

namespace toolwire::bridge::mcp {

/// A plain value.
struct StoredListing {
  std::string server = {};  // its name
  std::vector<std::string> command = {};
  std::string directory = {};
  Listing pinned = {};                 // tools as they were accepted; the rest as listed last
  std::optional<Listing> latest = {};  // as listed last, if its tools are not the pinned ones
};

/// The version of what is written. What has none is an answer to tools/list, whose tools are pinned.
inline constexpr int stored_version = 1;

Json to_json(const StoredListing& stored);
/// Throws std::invalid_argument saying what was expected: of a newer version too, and where tools do not have the hash
/// that was kept with them.
StoredListing stored_listing_from(const Json& document);

/// The names of tools that are not as they were accepted: changed, new, or gone.
std::vector<std::string> pending_changes(const StoredListing& stored);
/// What has changed in a tool, as lines that begin with '-' and '+'; of a new one all, of one that is gone a line.
std::string changes_of(const StoredListing& stored, const std::string& tool);

/// Accepts the changes of these tools, or of all if none is named. Returns their names. Throws std::invalid_argument
/// for a tool without changes, naming those that have some.
std::vector<std::string> accept(StoredListing& stored, const std::vector<std::string>& tools);

/// What the server lists now, beside what is stored. With `follow` that is accepted.
void take_listing(StoredListing& stored, const Listing& now, bool follow);

}  // namespace toolwire::bridge::mcp
