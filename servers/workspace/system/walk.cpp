#include "workspace/system/walk.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <toolwire/error.hpp>
#include <utility>
#include <vector>

#include "workspace/names/ignore_rules.hpp"
#include "workspace/names/secrets.hpp"
#include "workspace/system/file_bytes.hpp"
#include "workspace/system/place.hpp"

namespace workspace {
namespace {

constexpr std::uint64_t max_rules_size = 1U << 20;

struct CloseStream {
  void operator()(DIR* stream) const { ::closedir(stream); }
};
using Stream = std::unique_ptr<DIR, CloseStream>;

// order_key(a) < order_key(b), without making either: a walk compares many.
bool comes_first(const Entry& a, const Entry& b) {
  const std::size_t shared = std::min(a.path.size(), b.path.size());
  if (const int order = a.path.compare(0, shared, b.path, 0, shared); order != 0) return order < 0;
  const auto next = [shared](const Entry& entry) {
    if (entry.path.size() > shared) return static_cast<int>(static_cast<unsigned char>(entry.path[shared]));
    return entry.kind == FileKind::directory ? static_cast<int>('/') : -1;
  };
  return next(a) < next(b);
}

// The rules in a file, or none if it cannot be read.
std::optional<IgnoreRules> rules_in(const Root& root, const std::string& folder, const std::string& file) {
  const Opened opened = root.try_open(file, O_RDONLY, LastLink::refuse);
  struct stat status {};
  if (!opened.descriptor.is_open() || ::fstat(opened.descriptor.get(), &status) != 0 || !S_ISREG(status.st_mode))
    return std::nullopt;
  try {
    return IgnoreRules{folder, all_bytes(opened.descriptor.get(), max_rules_size, {})};
  } catch (const toolwire::ToolError&) {
    return std::nullopt;
  }
}

FileKind kind_of(const dirent& found, int directory) {
  if (found.d_type != DT_UNKNOWN) return file_kind(static_cast<mode_t>(DTTOIF(static_cast<unsigned>(found.d_type))));
  struct stat status {};
  const bool known = ::fstatat(directory, found.d_name, &status, AT_SYMLINK_NOFOLLOW) == 0;
  return known ? file_kind(status.st_mode) : FileKind::unknown;
}

// The smallest `max_entries` entries offered. Memory is bounded however large the directory: the rest is dropped.
class SmallestEntries {
 public:
  explicit SmallestEntries(std::size_t max_entries) : max_entries_(std::max<std::size_t>(max_entries, 1)) {}

  void add(Entry entry) {
    entries_.push_back(std::move(entry));
    if (entries_.size() >= 2 * max_entries_) drop_rest();
  }

  std::vector<Entry> sorted() {
    if (entries_.size() > max_entries_) drop_rest();
    std::sort(entries_.begin(), entries_.end(), comes_first);
    return std::move(entries_);
  }

  bool has_dropped() const { return dropped_; }

 private:
  void drop_rest() {
    const auto end = entries_.begin() + static_cast<std::ptrdiff_t>(max_entries_);
    std::nth_element(entries_.begin(), end, entries_.end(), comes_first);
    entries_.erase(end, entries_.end());
    dropped_ = true;
  }

  std::size_t max_entries_;
  std::vector<Entry> entries_;
  bool dropped_ = false;
};

// One walk. The depth of its recursion is bounded by WalkBounds::depth.
class Walk {
 public:
  Walk(const Root& root, const WalkBounds& bounds, const std::stop_token& stop,
       const std::function<Step(const Entry&)>& visit)
      : root_(root), bounds_(bounds), stop_(stop), visit_(visit) {}

  // The rules of all folders above the start, which hold below it too.
  void prepare(const std::string& start) {
    if (bounds_.ignored == Ignored::shown) return;
    add_rules("", ".git/info/exclude");
    if (start == ".") return;
    add_rules("", ".gitignore");
    for (std::size_t slash = start.find('/'); slash != std::string::npos; slash = start.find('/', slash + 1)) {
      const std::string folder = start.substr(0, slash + 1);
      add_rules(folder, folder + ".gitignore");
    }
  }

  Step list(FileDescriptor directory, const std::string& path, int depth) {
    const std::size_t rules_above = rules_.size();
    const Step result = list_entries(std::move(directory), path, depth);
    while (rules_.size() > rules_above) rules_.pop_back();
    return result;
  }

  const WalkReport& report() const { return report_; }

 private:
  void add_rules(const std::string& folder, const std::string& file) {
    if (std::optional<IgnoreRules> rules = rules_in(root_, folder, file)) rules_.push_back(*std::move(rules));
  }

  bool is_ignored(const Entry& entry) const {
    for (auto rules = rules_.rbegin(); rules != rules_.rend(); ++rules) {
      const Verdict verdict = rules->verdict(entry.path, entry.kind == FileKind::directory);
      if (verdict != Verdict::none) return verdict == Verdict::ignored;
    }
    return false;
  }

  bool is_left_out(const Entry& entry) {
    const bool leaves_out_secrets = root_.secrets() == Secrets::left_out && bounds_.secrets == Secrets::left_out;
    if (leaves_out_secrets && last_part_holds_secrets(entry.path)) {
      ++report_.secret;
      return true;
    }
    if (!is_ignored(entry)) return false;
    ++report_.ignored;
    return true;
  }

  Step list_entries(FileDescriptor directory, const std::string& path, int depth) {
    for (const Entry& entry : entries_of(std::move(directory), path, depth)) {
      if (step(entry) == Step::end) return Step::end;
    }
    return stop_.stop_requested() ? Step::end : Step::proceed;
  }

  std::vector<Entry> entries_of(FileDescriptor directory, const std::string& path, int depth) {
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
      if (name == ".gitignore" && bounds_.ignored == Ignored::left_out) add_rules(prefix, entry.path);
      if (!is_before_start(entry)) entries.add(std::move(entry));
    }
    std::vector<Entry> sorted = entries.sorted();
    if (entries.has_dropped()) ++report_.overfull;
    return sorted;
  }

  // For a directory: whether everything below it comes before the start, too.
  bool is_before_start(const Entry& entry) const {
    if (bounds_.from.empty()) return false;
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
    if (is_left_out(entry)) return Step::proceed;
    if (bounds_.from.empty() || order_key(entry) >= bounds_.from) {
      ++report_.entries;
      const Step next = visit_(entry);
      if (next != Step::proceed) return next == Step::end ? Step::end : Step::proceed;
    }
    return entry.kind == FileKind::directory ? enter(entry) : Step::proceed;
  }

  Step enter(const Entry& entry) {
    if (is_repository_folder(last_part(entry.path)) || entry.path == trash_folder) return Step::proceed;
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
  std::vector<IgnoreRules> rules_;  // of the folders above, the nearest last
};

}  // namespace

std::string order_key(const Entry& entry) { return entry.kind == FileKind::directory ? entry.path + '/' : entry.path; }

void add(WalkReport& sum, const WalkReport& more) {
  sum.entries += more.entries;
  sum.below_depth += more.below_depth;
  sum.unreadable += more.unreadable;
  sum.overfull += more.overfull;
  sum.ignored += more.ignored;
  sum.secret += more.secret;
  sum.ran_out = sum.ran_out || more.ran_out;
}

WalkReport walk(const Root& root, const std::string& start, const WalkBounds& bounds, const std::stop_token& stop,
                const std::function<Step(const Entry&)>& visit) {
  Walk walk{root, bounds, stop, visit};
  walk.prepare(start);
  walk.list(root.open_directory(start), start, 1);
  return walk.report();
}

}  // namespace workspace
