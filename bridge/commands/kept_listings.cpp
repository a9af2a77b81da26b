#include "commands/kept_listings.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <toolwire/redact.hpp>
#include <toolwire/text.hpp>

namespace toolwire::bridge {
namespace {

constexpr std::size_t max_lines = 60;  // of a difference that is logged

}  // namespace

void KeptListings::prepare(mcp::BackEndOptions& server) {
  if (server.pinned || !store_.keeps()) return;
  if (auto stored = store_.load(server)) {
    server.pinned = std::move(stored->pinned);
    server.start_at_once = true;
  }
  const mcp::BackEndOptions known = server;
  server.keep = [this, known](const mcp::Listing& now) { keep(known, now); };
  const MutexLock lock(mutex_);
  servers_.insert_or_assign(known.name, known);
}

void KeptListings::keep(const mcp::BackEndOptions& server, const mcp::Listing& now) {
  try {
    const mcp::StoredListing stored = store_.keep(server, now);
    const std::vector<std::string> pending = mcp::pending_changes(stored);
    {
      const MutexLock lock(mutex_);
      if (std::exchange(told_[server.name], pending) == pending) return;
    }
    if (!pending.empty()) tell_changes(stored, server.secrets);
  } catch (const mcp::StoreError& error) {
    log_(std::string("what the server \"") + server.name + "\" lists is not kept: " + error.what());
  }
}

/// One line at a time.
void KeptListings::tell_changes(const mcp::StoredListing& stored, const std::vector<std::string>& secrets) const {
  std::string text;
  for (const std::string& tool : mcp::pending_changes(stored)) text += mcp::changes_of(stored, tool);
  text = redact(text, secrets);
  std::size_t lines = 0;
  for (std::string_view left = text; !left.empty() && lines < max_lines; ++lines) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    log_("server \"" + stored.server + "\": " + text::visible(left.substr(0, end)));
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  log_("server \"" + stored.server + "\": not offered like this until you accept it: toolwire-bridge accept " +
       stored.server);
}

void KeptListings::use_accepted(const std::vector<std::shared_ptr<mcp::BackEnd>>& back_ends) {
  for (const auto& back_end : back_ends) {
    std::optional<mcp::BackEndOptions> server;
    {
      const MutexLock lock(mutex_);
      if (const auto known = servers_.find(back_end->name()); known != servers_.end()) server = known->second;
    }
    if (!server) continue;
    try {
      if (const auto stored = store_.load(*server)) back_end->pin(stored->pinned.tools);
    } catch (const mcp::StoreError& error) {
      log_(error.what());
    }
  }
}

std::vector<std::string> KeptListings::files() const {
  std::vector<std::string> files;
  const MutexLock lock(mutex_);
  for (const auto& [name, server] : servers_) files.push_back(store_.path_of(server));
  if (!files.empty()) store_.make_folder();
  return files;
}

}  // namespace toolwire::bridge
