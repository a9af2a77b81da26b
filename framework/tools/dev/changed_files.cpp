#include "changed_files.hpp"

#include <chrono>
#include <system_error>
#include <utility>

namespace toolwire::dev {
namespace {

constexpr std::chrono::milliseconds until_files_are_looked_for{250};

}  // namespace

ChangedFiles::ChangedFiles(const std::vector<std::filesystem::path>& files, std::function<void()> changed)
    : changed_(std::move(changed)), engine_({.threads = 1}) {
  for (const std::filesystem::path& file : files) names_[file.parent_path().string()].insert(file.filename().string());
  {
    MutexLock lock(mutex_);
    watch_folders();
    watch_ = engine_.watch(events_.descriptor(), Engine::readable, [this](unsigned) { take(); });
  }
}

/// A folder that is watched already stays so. Returns whether all files are there.
bool ChangedFiles::watch_folders() {
  bool are_all_there = true;
  for (const auto& [folder, names] : names_) {
    const int number = events_.watch(folder);
    if (number >= 0) watched_[number] = folder;
    for (const std::string& name : names) {
      std::error_code error;
      are_all_there = are_all_there && std::filesystem::exists(std::filesystem::path(folder) / name, error);
    }
  }
  return are_all_there;
}

/// A folder that is removed tells so only when nobody uses a file of it any more: whether there is another in its place
/// has to be looked at.
void ChangedFiles::look_for_files() {
  {
    MutexLock lock(mutex_);
    if (!watch_folders()) {
      engine_.after(until_files_are_looked_for, [this] { look_for_files(); });
      return;
    }
    is_looking_ = false;
  }
  changed_();
}

void ChangedFiles::take() {
  bool is_changed = false;
  {
    MutexLock lock(mutex_);
    bool is_gone = false;
    events_.take([&](const system::FolderEvent& event) TOOLWIRE_REQUIRES(mutex_) {
      if (event.lost_some) is_changed = true;
      const auto folder = watched_.find(event.folder);
      if (folder == watched_.end()) return;
      if (event.is_last) {
        is_gone = true;
      } else if (names_.at(folder->second).contains(std::string(event.name))) {
        (event.goes ? is_gone : is_changed) = true;
      }
      if (event.is_last) watched_.erase(folder);
    });
    if (is_gone && !std::exchange(is_looking_, true))
      engine_.after(until_files_are_looked_for, [this] { look_for_files(); });
  }
  if (is_changed) changed_();
}

}  // namespace toolwire::dev
