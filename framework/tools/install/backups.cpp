#include "backups.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <toolwire/system/file_text.hpp>
#include <toolwire/system/new_file.hpp>
#include <toolwire/system/private_file.hpp>

#include "hosts/url_text.hpp"

namespace toolwire::install {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_kept = 20;
constexpr std::uintmax_t most_bytes_kept = std::uintmax_t{64} << 20;  // of all that is kept of a file
constexpr std::size_t longest_name = 150;

/// What the names of all backups of a file begin with.
std::string beginning_for(const std::string& path) {
  std::string name = hosts::percent_encoded(path);
  if (name.size() > longest_name) {
    const std::size_t hash = std::hash<std::string>()(path);
    name = name.substr(name.size() - longest_name) + "-" + std::to_string(hash);
  }
  return name + ".";
}

/// The backups of a file, the oldest first.
std::vector<fs::path> files_of(const std::string& folder, const std::string& path) {
  const std::string beginning = beginning_for(path);
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const bool is_one = name.starts_with(beginning) && name.size() > beginning.size() &&
                        name.find_first_not_of("0123456789", beginning.size()) == std::string::npos;
    if (is_one) files.push_back(entry->path());
  }
  const auto by_number = [](const fs::path& one, const fs::path& other) {
    const std::string &first = one.native(), &second = other.native();
    return first.size() != second.size() ? first.size() < second.size() : first < second;
  };
  std::ranges::sort(files, by_number);
  return files;
}

std::uintmax_t size_of(const fs::path& file) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  return error ? 0 : size;
}

/// Takes away all but the newest, as many as fit beside what was kept now and what the file held at first: those two
/// stay whatever their size.
void take_away_old(const std::vector<fs::path>& files, std::uintmax_t kept_now) {
  if (files.empty()) return;
  std::size_t count = 2;
  std::uintmax_t bytes = kept_now + size_of(files.front());
  std::error_code ignored;
  for (std::size_t i = files.size() - 1; i > 0; --i) {
    bytes += size_of(files[i]);
    if (++count > most_kept || bytes > most_bytes_kept) fs::remove(files[i], ignored);
  }
}

std::string name_after(const std::vector<fs::path>& files, const std::string& beginning) {
  unsigned long number = 0;
  if (!files.empty()) number = std::stoul(files.back().filename().string().substr(beginning.size())) + 1;
  char digits[24];
  std::snprintf(digits, sizeof digits, "%06lu", number);
  return beginning + digits;
}

bool was_put_at_free_name(const std::string& path, std::string_view text) {
  constexpr unsigned for_user = 0600;
  system::NewFile file(path, for_user);
  file.write(text);
  file.keep_content();
  file.close();
  try {
    file.put_at_free_name();
    return true;
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::file_exists) return false;
    throw;
  }
}

}  // namespace

void Backups::keep(const std::string& path, std::string_view text) const {
  try {
    system::make_private_folders(folder_);
    system::remove_old_drafts(folder_);
    std::vector<fs::path> files;
    do {  // others may keep something at the same time
      files = files_of(folder_, path);
    } while (!was_put_at_free_name(folder_ + "/" + name_after(files, beginning_for(path)), text));
    take_away_old(files, text.size());
  } catch (const std::system_error& error) {
    throw std::runtime_error(path + ": nothing was changed, because what it holds cannot be kept in " + folder_ + ": " +
                             error.code().message());
  }
}

system::PrivateFile Backups::alone() const {
  const std::string path = folder_ + ".lock";
  system::make_private_folders(fs::path(path).parent_path().string());
  system::PrivateFile file(path, system::PrivateFile::Access::read_and_write);
  [[maybe_unused]] const bool is_alone = file.is_open() && file.lock(std::chrono::minutes(1));
  return file;
}

std::vector<std::string> Backups::of(const std::string& path) const {
  std::vector<std::string> texts;
  for (const fs::path& file : files_of(folder_, path)) {
    try {
      texts.push_back(system::text_of_file(file.string()));
    } catch (const std::system_error&) {  // it was removed meanwhile, or is nobody's to read
      continue;
    }
  }
  std::ranges::reverse(texts);
  return texts;
}

}  // namespace toolwire::install
