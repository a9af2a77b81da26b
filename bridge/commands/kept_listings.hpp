// What servers behind the bridge listed at earlier starts: served at once, and what they are held to.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "activities/mcp/back_end.hpp"
#include "activities/mcp/listing_store.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {

/// Thread-safe. Outlives the back-ends it has prepared.
class KeptListings {
 public:
  using Log = std::function<void(const std::string&)>;

  /// An empty folder: nothing is kept.
  KeptListings(std::string folder, Log log) : store_(std::move(folder)), log_(std::move(log)) {}

  /// Has the server held to what is kept of it, and what it lists kept. One whose tools are stated elsewhere is left
  /// alone. Throws mcp::StoreError for a file that cannot be used.
  void prepare(mcp::BackEndOptions& server);
  /// Holds the servers to what has been accepted since.
  void use_accepted(const std::vector<std::shared_ptr<mcp::BackEnd>>& back_ends);
  /// The files to watch for that.
  std::vector<std::string> files() const;

 private:
  void keep(const mcp::BackEndOptions& server, const mcp::Listing& now);
  void tell_changes(const mcp::StoredListing& stored, const std::vector<std::string>& secrets) const;

  mcp::ListingStore store_;
  const Log log_;
  mutable Mutex mutex_;
  std::map<std::string, mcp::BackEndOptions> servers_ TOOLWIRE_GUARDED_BY(mutex_);  // by name
  std::map<std::string, std::vector<std::string>> told_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace toolwire::bridge
