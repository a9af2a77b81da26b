#include "workspace/system/file_watch.hpp"

#include <fcntl.h>
#include <poll.h>

#include <cstdio>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <toolwire/error.hpp>
#include <toolwire/system/folder_events.hpp>
#include <toolwire/system/wake_event.hpp>
#include <utility>

#include "workspace/names/secrets.hpp"
#include "workspace/system/folder_reader.hpp"
#include "workspace/system/place.hpp"
#include "workspace/system/walk.hpp"

namespace workspace {
namespace {

using toolwire::system::FolderEvent;
using toolwire::system::FolderEvents;

constexpr toolwire::system::FolderWatch watched_how{
    .attributes = false, .follows_links = false, .unlinked_files = false};
constexpr int pause_ms = 200;  // between two notifications about the list, in which changes are collected

// The server's own unfinished files are not reported.
bool is_temporary(std::string_view name) { return name.starts_with(".toolwire-") && name.ends_with(".tmp"); }

// What is watched and what it means. One thread.
class Watched {
 public:
  Watched(const WatchEvents& events, FolderEvents& folders) : events_(events), folders_(folders) {}

  // The directory itself and all below it; directories removed meanwhile are skipped.
  void add(const Root& root, const std::string& directory) {
    add_one(root, directory);
    try {
      walk(root, directory, {.ignored = Ignored::left_out}, {}, [&](const Entry& entry) {
        if (entry.kind == FileKind::directory && !is_passed_over(entry.path)) add_one(root, entry.path);
        return watches_.size() < FileWatch::max_directories ? Step::proceed : Step::end;
      });
    } catch (const toolwire::ToolError&) {
      return;
    }
  }

  // Returns whether the list of files has changed.
  bool handle(const FolderEvent& event) {
    if (event.lost_some) return true;
    const auto found = watches_.find(event.folder);
    if (found == watches_.end()) return false;
    if (event.is_last) {
      watches_.erase(found);
      return false;
    }
    const Place place = found->second;
    const std::string name(event.name);
    if (name.empty() || is_temporary(name) || name == ".git" || name == trash_folder) return false;
    const std::string path = place.directory == "." ? name : place.directory + '/' + name;
    if (place.root->secrets() == Secrets::left_out && holds_secrets(path)) return false;
    if (event.is_folder) {
      handle_directory(*place.root, path, event);
    } else {
      events_.changed(place.root->path() + '/' + path);
    }
    return event.comes || event.goes;
  }

 private:
  struct Place {
    const Root* root = nullptr;
    std::string directory;
  };

  static bool is_passed_over(const std::string& path) {
    return path == ".git" || path.ends_with("/.git") || path == trash_folder;
  }

  // By the descriptor that was opened below the root: the path itself may by now lead out of it.
  void add_one(const Root& root, const std::string& directory) {
    if (watches_.size() >= FileWatch::max_directories) return say_full();
    const Opened opened = root.try_open(directory, O_PATH | O_DIRECTORY, LastLink::refuse);
    if (opened.error != 0) return;
    const std::string link = "/proc/self/fd/" + std::to_string(opened.descriptor.get()) + "/.";
    const int watch = folders_.watch(link, watched_how);
    if (watch >= 0) watches_[watch] = {&root, directory};
  }

  void say_full() {
    if (std::exchange(said_full_, true)) return;
    std::fprintf(stderr, "workspace: only the first %zu directories are watched for changes\n",
                 FileWatch::max_directories);
  }

  void handle_directory(const Root& root, const std::string& path, const FolderEvent& event) {
    if (event.goes && event.is_moved) forget(root, path);
    if (event.comes && !is_ignored(root, path)) add(root, path);
  }

  // As a walk passes over it: a build or an installation makes more folders than can be watched.
  static bool is_ignored(const Root& root, const std::string& path) {
    const WalkBounds bounds{.ignored = Ignored::left_out};
    return FolderReader{root, bounds, {}}.is_ignored({path, FileKind::directory});
  }

  void forget(const Root& root, const std::string& path) {
    for (auto watch = watches_.begin(); watch != watches_.end();) {
      const bool is_below = watch->second.root == &root &&
                            (watch->second.directory == path || watch->second.directory.starts_with(path + '/'));
      if (is_below) folders_.unwatch(watch->first);
      watch = is_below ? watches_.erase(watch) : std::next(watch);
    }
  }

  const WatchEvents& events_;
  FolderEvents& folders_;
  std::map<int, Place> watches_;
  bool said_full_ = false;
};

}  // namespace

struct FileWatch::State {
  State(const Roots& watched, WatchEvents told) : roots(watched), events(std::move(told)) {}

  void run() {
    Watched watched{events, source->folders};
    for (const Root* root : roots.all()) {
      if (root->problem().empty()) watched.add(*root, ".");
    }
    watching.set_value();
    bool must_tell = false;
    while (wait(must_tell)) {
      if (must_tell) events.list_changed();
      must_tell = read_events(watched);
    }
  }

  // False when it is time to end. If the list has changed, waits a while for more changes of it.
  bool wait(bool gathers) const {
    pollfd waited[2] = {{source->stop.descriptor(), POLLIN, 0}, {source->folders.descriptor(), POLLIN, 0}};
    ::poll(waited, gathers ? 1 : 2, gathers ? pause_ms : -1);
    return waited[0].revents == 0;
  }

  bool read_events(Watched& watched) {
    bool has_list_changed = false;
    source->folders.take(
        [&](const FolderEvent& event) { has_list_changed = watched.handle(event) || has_list_changed; });
    return has_list_changed;
  }

  const Roots& roots;
  WatchEvents events;
  struct Source {
    FolderEvents folders;
    toolwire::system::WakeEvent stop;
  };
  std::optional<Source> source;  // set by `start`
  std::promise<void> watching;
  std::once_flag started;
  std::thread thread;
};

FileWatch::FileWatch(const Roots& roots, WatchEvents events)
    : state_(std::make_unique<State>(roots, std::move(events))) {}

FileWatch::~FileWatch() {
  if (state_->source) state_->source->stop.set();
  if (state_->thread.joinable()) state_->thread.join();
}

void FileWatch::start() {
  std::call_once(state_->started, [this] {
    try {
      state_->source.emplace();
      state_->thread = std::thread([this] { state_->run(); });
    } catch (const std::system_error&) {
      std::fprintf(stderr, "workspace: changes of files cannot be told (no inotify)\n");
      state_->watching.set_value();
    }
  });
}

void FileWatch::wait_until_watching() { state_->watching.get_future().wait(); }

}  // namespace workspace
