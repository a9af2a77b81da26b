#include "trial.hpp"

#include <sodium.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include "bundle.hpp"
#include "npm.hpp"
#include "tar.hpp"
#include "zip.hpp"

namespace toolwire::pack {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds limit{30};
constexpr std::string_view advice = "name those that each user has to give with --secret NAME=TEXT";

constexpr std::string_view folder_start = "toolwire-pack-";
constexpr const char* lock_name = "lock";

bool is_folder_name(std::string_view name) {
  if (!name.starts_with(folder_start)) return false;
  name.remove_prefix(folder_start.size());
  return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
}

/// A folder of this user's processes, as its lock shows, and of one that has ended: nobody holds that, and it is old
/// enough not to be in the making.
bool is_left_behind(const fs::path& folder) {
  constexpr std::chrono::minutes age{10};
  std::error_code error;
  const auto written = fs::last_write_time(folder, error);
  if (error || fs::file_time_type::clock::now() - written < age) return false;
  const system::PrivateFile lock((folder / lock_name).string(), system::PrivateFile::Access::existing);
  return lock.is_open() && lock.lock(std::chrono::milliseconds(0));
}

/// What processes that were killed have left, of this user only; what cannot be removed stays.
void remove_leftovers(const fs::path& place) {
  std::error_code error;
  for (fs::directory_iterator entry(place, error), end; !error && entry != end; entry.increment(error)) {
    const fs::path& folder = entry->path();
    std::error_code ignored;
    const bool is_folder = fs::is_directory(entry->symlink_status(ignored));
    if (is_folder && is_folder_name(folder.filename().string()) && is_left_behind(folder))
      fs::remove_all(folder, ignored);
  }
}

/// A new folder, which nobody else can have prepared.
fs::path new_folder() {
  std::error_code error;
  const fs::path place = fs::temp_directory_path(error);
  if (error) throw std::runtime_error("the folder for temporary files (TMPDIR): " + error.message());
  remove_leftovers(place);
  fs::path folder = place / (std::string(folder_start) + std::to_string(::randombytes_random()) +
                             std::to_string(::randombytes_random()));
  if (!fs::create_directory(folder))
    throw std::runtime_error(folder.string() + ": there is such a file or folder already");
  fs::permissions(folder, fs::perms::owner_all);
  return folder;
}

void unpack(const std::vector<PackedFile>& files, const fs::path& folder) {
  for (const PackedFile& file : files) {
    const fs::path place = folder / file.name;
    fs::create_directories(place.parent_path());
    std::ofstream stream(place, std::ios::binary);
    stream << file.content;
    stream.close();
    if (!stream) throw std::runtime_error(place.string() + ": cannot be written");
    fs::permissions(place, static_cast<fs::perms>(file.mode));
  }
}

/// The files of a package of npm, without the folder that all of them stand in.
std::vector<PackedFile> npm_files(std::string_view tarball) {
  constexpr std::string_view start = "package/";
  std::vector<PackedFile> files = files_of_tar_gz(tarball);
  for (PackedFile& file : files) {
    if (!file.name.starts_with(start)) throw std::runtime_error("expected all files below package/");
    file.name.erase(0, start.size());
  }
  return files;
}

std::vector<std::string> sorted_names(const std::vector<install::ToolReport>& tools) {
  std::vector<std::string> names(tools.size());
  std::ranges::transform(tools, names.begin(), &install::ToolReport::name);
  std::ranges::sort(names);
  return names;
}

}  // namespace

Trial::Trial(const Arguments& arguments, const std::map<std::string, std::string>& secrets)
    : folder_(new_folder()),
      lock_((folder_ / lock_name).string(), system::PrivateFile::Access::read_and_write),
      secrets_(secrets) {
  static_cast<void>(lock_.lock(std::chrono::milliseconds(0)));  // where files cannot be locked, no folder is removed
  for (const auto& [name, value] : secrets) chosen_[name] = {value};
  fs::create_directory(folder_ / "elsewhere");
  for (const UserFolder& folder : arguments.folders) {
    for (const char* const number : {"1", "2"}) {
      if (!folder.several && !chosen_[folder.key].empty()) break;
      const fs::path place = folder_ / "folders" / (folder.key + number);
      fs::create_directories(place);
      chosen_[folder.key].push_back(place.string());
    }
  }
}

Trial::~Trial() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

install::ServerReport Trial::unpacked(const std::string& program, const Arguments& arguments,
                                      const std::string& folder) const {
  try {
    return install::start_server({.program = program, .arguments = filled(arguments, chosen_), .environment = secrets_},
                                 folder, limit, advice);
  } catch (const install::ServerFailure& error) {
    throw std::runtime_error("the server does not answer, before it is packed: " + std::string(error.what()));
  }
}

install::ServerReport Trial::bundle(std::string_view zip, const Package& package) const {
  const std::vector<PackedFile> files = files_of_zip(zip);
  const fs::path folder = folder_ / "bundle";
  unpack(files, folder);
  const auto manifest = std::ranges::find(files, "manifest.json", &PackedFile::name);
  if (manifest == files.end()) throw std::runtime_error("the bundle has no manifest.json");
  return started("bundle", server_in_bundle(parse_json(manifest->content), folder.string(), chosen_), package);
}

install::ServerReport Trial::npm(std::string_view main, std::string_view platform, const Package& package,
                                 const std::optional<std::string>& node) const {
  const fs::path modules = folder_ / "npm" / "node_modules";
  const fs::path of_main = modules / package.npm_name, of_platform = modules / platform_package_name(package);
  unpack(npm_files(main), of_main);
  unpack(npm_files(platform), of_platform);
  hosts::Server server{.program = (of_platform / "bin" / package.short_name).string()};
  if (node) server = {.program = *node, .arguments = {(of_main / npm_script_name(package)).string()}};
  server.environment = secrets_;
  for (std::string& word : filled(package.arguments, chosen_)) server.arguments.push_back(std::move(word));
  return started("package of npm", server, package);
}

install::ServerReport Trial::started(const char* what, const hosts::Server& server, const Package& package) const {
  const std::string beginning = std::string("the ") + what + " was unpacked, and its server ";
  install::ServerReport report;
  try {
    report = install::start_server(server, (folder_ / "elsewhere").string(), limit, advice);
  } catch (const install::ServerFailure& error) {
    throw std::runtime_error(beginning + "does not answer: " + error.what());
  }
  if (sorted_names(report.tools) != sorted_names(package.tools))
    throw std::runtime_error(beginning + "has other tools than before it was packed");
  return report;
}

}  // namespace toolwire::pack
