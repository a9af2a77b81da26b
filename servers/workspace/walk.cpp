#include "workspace/walk.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace workspace {
namespace {

struct CloseStream {
  void operator()(DIR* stream) const { ::closedir(stream); }
};
using Stream = std::unique_ptr<DIR, CloseStream>;

bool comes_first(const Entry& a, const Entry& b) { return order_key(a) < order_key(b); }

FileKind kind_of(const dirent& found, int directory) {
  if (found.d_type != DT_UNKNOWN) return file_kind(static_cast<mode_t>(DTTOIF(static_cast<unsigned>(found.d_type))));
  struct stat status {};
  const bool known = ::fstatat(directory, found.d_name, &status, AT_SYMLINK_NOFOLLOW) == 0;
  return known ? file_kind(status.st_mode) : FileKind::unknown;
}

// The smallest `most` entries offered. Memory is bounded whatever the directory holds: the rest is dropped on the way.
class SmallestEntries {
 public:
  explicit SmallestEntries(std::size_t most) : most_(std::max<std::size_t>(most, 1)) {}

  void add(Entry entry) {
    entries_.push_back(std::move(entry));
    if (entries_.size() >= 2 * most_) drop_rest();
  }

  std::vector<Entry> sorted() {
    if (entries_.size() > most_) drop_rest();
    std::sort(entries_.begin(), entries_.end(), comes_first);
    return std::move(entries_);
  }

  bool has_dropped() const { return dropped_; }

 private:
  void drop_rest() {
    const auto end = entries_.begin() + static_cast<std::ptrdiff_t>(most_);
    std::nth_element(entries_.begin(), end, entries_.end(), comes_first);
    entries_.erase(end, entries_.end());
    dropped_ = true;
  }

  std::size_t most_;
  std::vector<Entry> entries_;
  bool dropped_ = false;
};

// One walk. The depth of its recursion is bounded by WalkBounds::depth.
class Walk {
 public:
  Walk(const Root& root, const WalkBounds& bounds, const std::stop_token& stop,
       const std::function<Step(const Entry&)>& visit)
      : root_(root), bounds_(bounds), stop_(stop), visit_(visit) {}

  Step list(Descriptor directory, const std::string& path, int depth) {
    for (const Entry& entry : entries_of(std::move(directory), path, depth)) {
      if (step(entry) == Step::end) return Step::end;
    }
    return stop_.stop_requested() ? Step::end : Step::proceed;
  }

  const WalkReport& report() const { return report_; }

 private:
  std::vector<Entry> entries_of(Descriptor directory, const std::string& path, int depth) {
    Stream stream{::fdopendir(directory.get())};
    if (!stream) {
      ++report_.unreadable;
      return {};
    }
    const int number = directory.release();
    SmallestEntries entries{bounds_.entries_per_directory};
    const std::string prefix = path == "." ? std::string() : path + '/';
    while (const dirent* found = ::readdir(stream.get())) {
      if (stop_.stop_requested()) return {};
      const std::string_view name = found->d_name;
      if (name == "." || name == "..") continue;
      Entry entry{prefix + found->d_name, kind_of(*found, number), depth};
      if (!is_before_start(entry)) entries.add(std::move(entry));
    }
    std::vector<Entry> sorted = entries.sorted();
    if (entries.has_dropped()) ++report_.overfull;
    return sorted;
  }

  // Of a directory: that all below it comes before the start, too.
  bool is_before_start(const Entry& entry) const {
    const std::string key = order_key(entry);
    const bool start_is_inside = entry.kind == FileKind::directory && bounds_.from.starts_with(key);
    return key < bounds_.from && !start_is_inside;
  }

  Step step(const Entry& entry) {
    if (stop_.stop_requested()) return Step::end;
    if (report_.entries == bounds_.entries) {
      report_.ran_out = true;
      return Step::end;
    }
    if (order_key(entry) >= bounds_.from) {
      ++report_.entries;
      if (visit_(entry) == Step::end) return Step::end;
    }
    return entry.kind == FileKind::directory ? enter(entry) : Step::proceed;
  }

  Step enter(const Entry& entry) {
    if (entry.path == ".git" || entry.path.ends_with("/.git")) return Step::proceed;
    if (entry.depth >= bounds_.depth) {
      ++report_.below_depth;
      return Step::proceed;
    }
    // By its path from the root, not from the parent's descriptor: a parent moved out of the root meanwhile is not
    // followed.
    Opened opened = root_.try_open(entry.path, O_RDONLY | O_DIRECTORY, LastLink::refuse);
    if (!opened.descriptor.is_open()) {
      ++report_.unreadable;
      return Step::proceed;
    }
    return list(std::move(opened.descriptor), entry.path, entry.depth + 1);
  }

  const Root& root_;
  const WalkBounds& bounds_;
  const std::stop_token& stop_;
  const std::function<Step(const Entry&)>& visit_;
  WalkReport report_;
};

}  // namespace

std::string order_key(const Entry& entry) { return entry.kind == FileKind::directory ? entry.path + '/' : entry.path; }

WalkReport walk(const Root& root, const std::string& start, const WalkBounds& bounds, const std::stop_token& stop,
                const std::function<Step(const Entry&)>& visit) {
  Walk walk{root, bounds, stop, visit};
  walk.list(root.open_directory(start), start, 1);
  return walk.report();
}

}  // namespace workspace
