#include "config_file.hpp"

#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <toolwire/system/file_text.hpp>
#include <toolwire/system/new_file.hpp>
#include <toolwire/system/private_file.hpp>

namespace toolwire::install {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t max_bytes = std::uintmax_t{64} << 20U;
constexpr int max_links = 40;

/// The path that a chain of symbolic links leads to, which need not exist.
fs::path links_followed(fs::path path) {
  std::error_code error;
  for (int i = 0; fs::is_symlink(path, error); ++i) {
    if (i == max_links) throw std::runtime_error(path.string() + ": too many symbolic links");
    const fs::path target = fs::read_symlink(path);
    path = target.is_absolute() ? target : path.parent_path() / target;
  }
  return path;
}

/// Whoever writes a file in place empties it first, and what is taken for empty then would be lost: an empty one is
/// looked at for a while.
std::string settled_text(const std::string& path) {
  constexpr int looks = 10;
  constexpr std::chrono::milliseconds pause{10};
  std::string text = system::text_of_file(path);
  for (int i = 0; i < looks && text.empty(); ++i) {
    std::this_thread::sleep_for(pause);
    text = system::text_of_file(path);
  }
  return text;
}

[[noreturn]] void refuse_as_changed(const ConfigFile& before) {
  throw ChangedMeanwhile(before.path + ": somebody else has changed it meanwhile; nothing was written, try again");
}

void refuse_if_changed(const ConfigFile& before) {
  if (read_config_file(before.path).text != before.text) refuse_as_changed(before);
}

/// In a folder that may be changed, it could be replaced all the same.
void refuse_if_protected(const ConfigFile& before) {
  constexpr fs::perms any = fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
  std::error_code ignored;
  if (before.text && (fs::status(before.path, ignored).permissions() & any) == fs::perms::none)
    throw std::runtime_error(before.path + ": is write-protected; make it writable (chmod u+w) if it may be changed");
}

}  // namespace

ConfigFile read_config_file(const std::string& path) {
  ConfigFile file{.path = links_followed(path).string()};
  std::error_code error;
  const fs::file_status status = fs::status(file.path, error);
  if (status.type() == fs::file_type::not_found && error != std::errc::not_a_directory) return file;
  if (error) throw std::runtime_error(file.path + ": cannot be read: " + error.message());
  if (!fs::is_regular_file(status)) throw std::runtime_error(file.path + ": expected a regular file");
  if (fs::file_size(file.path, error) > max_bytes || error)
    throw std::runtime_error(file.path + ": expected at most 64 MiB");
  file.text = settled_text(file.path);
  return file;
}

void write_config_file(const ConfigFile& before, std::string_view text, bool is_private, const Backups& backups) {
  constexpr unsigned for_user = 0600, for_all = 0644;
  refuse_if_protected(before);
  try {
    const fs::path folder = fs::path(before.path).parent_path();
    if (is_private) system::make_private_folders(folder.string());
    fs::create_directories(folder);  // or says why not
    system::remove_old_drafts(folder.string());
    system::NewFile file(before.path, before.text || is_private ? for_user : for_all);
    file.write(text);
    if (before.text) file.take_after(before.path);
    file.keep_content();
    file.close();
    const system::PrivateFile alone = backups.alone();
    refuse_if_changed(before);
    if (!before.text) return file.put_at_free_name();
    backups.keep(before.path, *before.text);
    refuse_if_changed(before);
    if (!file.replace_expected(*before.text)) refuse_as_changed(before);  // a host waits for nobody
  } catch (const std::system_error& error) {
    throw std::runtime_error(before.path + ": cannot be written: " + error.code().message());
  }
}

void remove_config_file(const ConfigFile& before, const Backups& backups) {
  refuse_if_protected(before);
  try {
    const system::PrivateFile alone = backups.alone();
    refuse_if_changed(before);
    if (before.text) backups.keep(before.path, *before.text);
    refuse_if_changed(before);
    if (before.text && !system::remove_expected(before.path, *before.text)) refuse_as_changed(before);
  } catch (const std::system_error& error) {
    throw std::runtime_error(before.path + ": cannot be removed: " + error.code().message());
  }
}

}  // namespace toolwire::install
