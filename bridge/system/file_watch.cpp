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
  for (const std::string& path : paths) {
    std::error_code ignored;
    const bool whole = fs::is_directory(path, ignored);
    const fs::path file = fs::path(path);
    const fs::path folder = whole ? file : file.has_parent_path() ? file.parent_path() : fs::path(".");
    const int number = events_.watch(folder.string());
    if (number < 0) fail(folder.string());
    names_.emplace_back(number, whole ? "" : file.filename().string());
  }
  paths_ = paths;
  follow_links();
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
