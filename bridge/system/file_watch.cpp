#include "system/file_watch.hpp"

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>

#include <toolwire/system/ready_set.hpp>

namespace toolwire::bridge {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& what) { throw std::system_error(errno, std::generic_category(), what); }

}  // namespace

FileWatch::FileWatch(const std::vector<std::string>& paths, std::function<void()> changed,
                     std::chrono::milliseconds quiet, std::shared_ptr<Engine> engine)
    : changed_(std::move(changed)), quiet_(quiet), loop_(std::move(engine)) {
  watch(paths);
  loop_.post([this] {
    loop_.watch(events_.descriptor(), system::ready::to_read, [this](std::uint32_t) {
      if (take_events()) wait_for_quiet();
    });
  });
}

void FileWatch::watch(const std::vector<std::string>& paths) {
  paths_ = paths;
  for (const std::string& path : paths_) {
    const std::string refused = add(path, names_);
    if (!refused.empty()) fail(refused);
  }
  follow_links();
}

/// Adds by what the path is watched. A folder is also watched from above, where it is replaced by another. Returns the
/// folder that cannot be watched, if there is one.
std::string FileWatch::add(const std::string& path, Names& names) {
  std::error_code ignored;
  fs::path file = fs::absolute(path, ignored);
  if (!file.has_filename()) file = file.parent_path();
  const bool whole = fs::is_directory(path, ignored);
  if (whole) {
    const int number = events_.watch(path);
    if (number < 0) return path;
    names.emplace_back(number, "");
  }
  const int above = file.has_filename() ? events_.watch(file.parent_path().string()) : -1;
  if (above >= 0) names.emplace_back(above, file.filename().string());
  return above < 0 && !whole ? file.parent_path().string() : std::string();
}

/// Folders that have been replaced by others of their names are watched from now on. A path that cannot be watched now
/// stays watched as it was.
void FileWatch::follow_folders() {
  Names names;
  for (const std::string& path : paths_) {
    if (!add(path, names).empty()) return;
  }
  names_ = std::move(names);
}

/// A folder that no link leads to any more stays watched, for nothing.
void FileWatch::follow_links() {
  targets_.clear();
  for (const std::string& path : paths_) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored) || !fs::is_symlink(path, ignored)) continue;
    const fs::path target = fs::weakly_canonical(path, ignored);
    const int folder = events_.watch(target.parent_path().string());
    if (folder >= 0) targets_.emplace_back(folder, target.filename().string());
  }
}

void FileWatch::wait_for_quiet() {
  if (told_at_) loop_.cancel(*told_at_);
  told_at_ = loop_.at(EventLoop::Clock::now() + quiet_, [this] {
    told_at_.reset();
    follow_folders();
    follow_links();
    changed_();
  });
}

/// Whether one of the files has changed. Lost events count as a change.
bool FileWatch::take_events() {
  bool ours = false;
  events_.take([&](const system::FolderEvent& event) {
    for (const Names* const names : {&names_, &targets_}) {
      for (const auto& [number, watched] : *names)
        ours = ours || (event.folder == number && (watched.empty() || watched == event.name));
    }
    ours = ours || event.lost_some;
  });
  return ours;
}

}  // namespace toolwire::bridge
