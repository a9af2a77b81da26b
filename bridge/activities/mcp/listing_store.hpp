// The files in which listings of back-ends are kept for later starts, shared by all bridges of a user. Whoever is
// killed while it writes leaves the file as it was, or as it was to be.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "activities/mcp/options.hpp"
#include "activities/mcp/stored_listing.hpp"

namespace toolwire::bridge::mcp {

/// A file of the store that cannot be used. `what()` names it and says what to do.
struct StoreError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Thread-safe. A server is known by its name, its command and its directory: with another command it is another one.
class ListingStore {
 public:
  /// An empty folder: nothing is kept. The folder is made when something is.
  explicit ListingStore(std::string folder) : folder_(std::move(folder)) {}

  /// The folder of this user; empty if there is none.
  static std::string usual_folder();
  bool keeps() const { return !folder_.empty(); }
  void make_folder() const;
  /// Where the listing of a server is kept.
  std::string path_of(const BackEndOptions& server) const;

  /// Nothing if none is kept. Throws StoreError.
  std::optional<StoredListing> load(const BackEndOptions& server) const;
  /// Keeps what the server lists now, and returns what is stored then. The first listing is what later ones are held
  /// to. Throws StoreError.
  StoredListing keep(const BackEndOptions& server, const Listing& now);

  /// All that are kept for servers of this name, or of any if it is empty, with their files. Throws StoreError.
  std::vector<std::pair<std::string, StoredListing>> all(const std::string& server) const;
  /// Changes one. Throws StoreError, and what `change` throws; then nothing has changed.
  void change(const std::string& file, const std::function<void(StoredListing&)>& change);

 private:
  const std::string folder_;
};

}  // namespace toolwire::bridge::mcp
