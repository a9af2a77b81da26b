#include "activities/mcp/listing_store.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>

#include <toolwire/system/new_file.hpp>
#include <toolwire/system/private_file.hpp>

#include "activities/mcp/text_hash.hpp"
#include "activities/mcp/tool_names.hpp"
#include "system/state_folder.hpp"

namespace toolwire::bridge::mcp {
namespace {

namespace fs = std::filesystem;
using system::PrivateFile;

constexpr std::size_t max_file = std::size_t{64} << 20;
constexpr unsigned for_its_user = 0600;
constexpr std::size_t mark_bytes = 16;
constexpr std::chrono::seconds patience{10};
constexpr std::string_view ending = ".listing.json";

/// For people: what it is, without what an address may hold of secrets.
std::vector<std::string> shown_command(const BackEndOptions& server) {
  if (!server.reached_at.empty()) return {server.reached_at};
  return server.remote ? std::vector{http_origin_of(server.remote->url).value_or("")} : server.command;
}

/// Of its command and directory, or its address, in few characters.
std::string mark_of(const BackEndOptions& server) {
  std::string text = server.name;
  for (const std::string& word : server.command) text += '\0' + word;
  text += '\0' + (server.remote ? server.remote->url : server.directory);
  if (!server.reached_at.empty()) text += '\0' + server.reached_at;
  return text_hash(text, mark_bytes);
}

StoredListing read(const std::string& path) {
  const PrivateFile file(path, PrivateFile::Access::read);
  const auto text = file.is_open() ? file.read_all(max_file) : std::nullopt;
  if (!text)
    throw StoreError(path +
                     ": expected a file that only its user can read and write (chmod 600), or none, to "
                     "accept what the server has now");
  try {
    return stored_listing_from(parse_json(*text));
  } catch (const std::exception& error) {
    throw StoreError(path + ": " + error.what() + ". Remove the file to accept what the server has now.");
  }
}

void write(const std::string& path, const StoredListing& stored) {
  try {
    system::NewFile file(path, for_its_user);
    file.write(to_json_text(to_json(stored)));
    file.keep_content();
    file.close();
    file.replace();
  } catch (const std::system_error& error) {
    throw StoreError(error.what());
  }
}

bool is_there(const std::string& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

/// Keeps other processes from writing until it is destroyed.
class Lock {
 public:
  explicit Lock(const std::string& folder) : file_(folder + "/lock", PrivateFile::Access::read_and_write) {
    if (!file_.is_open()) throw StoreError(folder + "/lock: expected a file that can be written");
    if (!file_.lock(patience)) throw StoreError(folder + "/lock: another process has held it for too long");
  }

 private:
  PrivateFile file_;
};

}  // namespace

std::string ListingStore::usual_folder() { return state_folder("servers"); }

void ListingStore::make_folder() const { system::make_private_folders(folder_); }

std::string ListingStore::path_of(const BackEndOptions& server) const {
  return folder_ + "/" + mapped_name(server.name) + "-" + mark_of(server) + std::string(ending);
}

std::optional<StoredListing> ListingStore::load(const BackEndOptions& server) const {
  if (folder_.empty()) return std::nullopt;
  const std::string path = path_of(server);
  return is_there(path) ? std::optional(read(path)) : std::nullopt;
}

StoredListing ListingStore::keep(const BackEndOptions& server, const Listing& now) {
  StoredListing first{
      .server = server.name, .command = shown_command(server), .directory = server.directory, .pinned = now};
  if (folder_.empty()) return first;
  if (const std::string problem = system::make_private_folders(folder_); !problem.empty()) throw StoreError(problem);
  const Lock lock(folder_);
  system::remove_old_drafts(folder_);
  const std::string path = path_of(server);
  if (!is_there(path)) {
    write(path, first);
    return first;
  }
  StoredListing stored = read(path);
  const Json before = to_json(stored);
  stored.server = server.name;
  stored.command = shown_command(server);
  stored.directory = server.directory;
  take_listing(stored, now, server.on_change == OnChange::accept);
  if (to_json(stored) != before) write(path, stored);
  return stored;
}

std::vector<std::pair<std::string, StoredListing>> ListingStore::all(const std::string& server) const {
  std::vector<std::string> paths;
  std::error_code error;
  for (fs::directory_iterator entry(folder_, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->path().string().ends_with(ending)) paths.push_back(entry->path().string());
  }
  std::ranges::sort(paths);
  std::vector<std::pair<std::string, StoredListing>> found;
  for (const std::string& path : paths) {
    StoredListing stored = read(path);
    if (server.empty() || stored.server == server) found.emplace_back(path, std::move(stored));
  }
  return found;
}

void ListingStore::change(const std::string& file, const std::function<void(StoredListing&)>& change) {
  const Lock lock(folder_);
  StoredListing stored = read(file);
  change(stored);
  write(file, stored);
}

}  // namespace toolwire::bridge::mcp
