// What a back-end's tools were when they were pinned, what they are now, and which of them may be called. A plain
// decision: asks no server, logs nothing.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "activities/mcp/listing.hpp"
#include "activities/mcp/options.hpp"

namespace toolwire::bridge::mcp {

/// A plain value; not synchronized.
class PinnedTools {
 public:
  /// Without a listing, the first one taken is pinned.
  PinnedTools(std::optional<Listing> pinned, OnChange on_change) : pinned_(std::move(pinned)), on_change_(on_change) {}

  bool is_known() const { return pinned_.has_value(); }
  /// All that are pinned, with resources, templates and prompts as listed last. Empty while nothing is known.
  Listing pinned() const { return pinned_.value_or(Listing{}); }
  /// The same without tools the server does not have.
  Listing offered() const;

  /// What differs in a tool that is not as it was pinned, and must not be called; null for others.
  const std::string* difference(std::string_view tool) const;
  /// All of these: "name: what differs".
  std::vector<std::string> differences() const;

  /// Messages about a listing that is not taken yet: how it differs from the last one, so that each change is told
  /// once.
  std::vector<std::string> notes_on(const Listing& listing) const;
  /// Takes what the server lists now. Returns whether the tools on offer have changed.
  bool take(Listing&& listing);
  /// These are its tools from now on. Returns whether that changes anything.
  bool pin(const std::vector<Json>& tools);
  /// The operator accepts what the server listed last. Returns the names of the tools this makes usable or offers.
  std::vector<std::string> accept_changes();

 private:
  std::optional<Listing> pinned_;
  const OnChange on_change_;
  bool listed_ = false;
  Listing latest_ = {};                                             // as the server listed it last
  std::map<std::string, std::string, std::less<>> differing_ = {};  // tools that are not as pinned
  std::set<std::string, std::less<>> gone_ = {};                    // pinned tools the server does not have
};

}  // namespace toolwire::bridge::mcp
