#include "activities/mcp/pinned_tools.hpp"

#include <utility>

namespace toolwire::bridge::mcp {
namespace {

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "\"" : ", \"") + name + "\"";
  return text;
}

}  // namespace

Listing PinnedTools::offered() const {
  Listing offered = pinned();
  std::erase_if(offered.tools, [&](const Json& tool) { return gone_.contains(name_of(tool)); });
  return offered;
}

const std::string* PinnedTools::difference(std::string_view tool) const {
  const auto found = differing_.find(tool);
  return found == differing_.end() ? nullptr : &found->second;
}

std::vector<std::string> PinnedTools::differences() const {
  std::vector<std::string> all;
  for (const auto& [tool, what] : differing_) all.push_back(tool + ": " + what);
  return all;
}

std::vector<std::string> PinnedTools::notes_on(const Listing& listing) const {
  std::vector<std::string> notes;
  if (!pinned_) return notes;
  const Listing& before = latest_.tools.empty() ? *pinned_ : latest_;
  const bool follow = on_change_ == OnChange::accept;
  for (const auto& [tool, what] : changed_tools(before, listing)) {
    notes.push_back(
        "its tool \"" + tool + "\" has changed: " + what +
        (follow ? "; the change is followed" : "; it is held against the pinned one, and refused if it differs"));
  }
  const auto added = missing_in(before, listing);
  if (!added.empty())
    notes.push_back("has new tools: " + list_of(added) +
                    (follow ? "" : "; not offered unless the operator accepts them"));
  const auto gone = missing_in(listing, before);
  if (!gone.empty()) notes.push_back("no longer has: " + list_of(gone));
  return notes;
}

bool PinnedTools::take(Listing&& listing) {
  const bool replaces = !pinned_ || on_change_ == OnChange::accept;
  if (replaces) pinned_ = listing;
  differing_ = changed_tools(*pinned_, listing);
  const auto gone = missing_in(listing, *pinned_);
  std::set<std::string, std::less<>> gone_now(gone.begin(), gone.end());
  const bool others = replaces || gone_now != gone_ || pinned_->resources != listing.resources ||
                      pinned_->templates != listing.templates || pinned_->prompts != listing.prompts ||
                      pinned_->tells_updates != listing.tells_updates;
  pinned_->resources = listing.resources;
  pinned_->templates = listing.templates;
  pinned_->prompts = listing.prompts;
  pinned_->tells_updates = listing.tells_updates;
  gone_ = std::move(gone_now);
  latest_ = std::move(listing);
  listed_ = true;
  return others;
}

bool PinnedTools::pin(const std::vector<Json>& tools) {
  if (!pinned_ || pinned_->tools == tools) return false;
  pinned_->tools = tools;
  if (!listed_) return true;
  differing_ = changed_tools(*pinned_, latest_);
  const auto gone = missing_in(latest_, *pinned_);
  gone_ = {gone.begin(), gone.end()};
  return true;
}

std::vector<std::string> PinnedTools::accept_changes() {
  std::vector<std::string> accepted;
  if (!pinned_) return accepted;
  for (const auto& [tool, what] : differing_) accepted.push_back(tool);
  for (std::string& tool : missing_in(*pinned_, latest_)) accepted.push_back(std::move(tool));
  if (accepted.empty()) return accepted;
  pinned_ = latest_;
  differing_.clear();
  gone_.clear();
  return accepted;
}

}  // namespace toolwire::bridge::mcp
