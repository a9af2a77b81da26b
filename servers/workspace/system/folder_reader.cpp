#include "workspace/system/folder_reader.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <toolwire/error.hpp>
#include <utility>

#include "workspace/names/secrets.hpp"
#include "workspace/system/directory.hpp"
#include "workspace/system/file_bytes.hpp"
#include "workspace/system/place.hpp"

namespace workspace {
namespace {

constexpr std::uint64_t max_rules_size = 1U << 20;

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

bool is_ignored_in(const Folder& folder, const Entry& entry) {
  for (const RulesAbove* rules = folder.rules.get(); rules != nullptr; rules = rules->above.get()) {
    const Verdict verdict = rules->rules.verdict(entry.path, entry.kind == FileKind::directory);
    if (verdict != Verdict::none) return verdict == Verdict::ignored;
  }
  return false;
}

}  // namespace

Folder FolderReader::start(const std::string& path) const {
  Folder folder{path};
  if (bounds_.ignored == Ignored::shown) return folder;
  add_rules(folder, "", ".git/info/exclude");
  if (path == ".") return folder;
  add_rules(folder, "", ".gitignore");
  for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    const std::string base = path.substr(0, slash + 1);
    if (root_.try_look_at(base + ".git").error == 0) begin_repository(folder, base);
    add_rules(folder, base, base + ".gitignore");
  }
  return folder;
}

bool FolderReader::is_ignored(const Entry& entry) const { return is_ignored_in(start(entry.path), entry); }

std::vector<Entry> FolderReader::entries(int directory, Folder& folder, WalkReport& report) const {
  SmallestEntries entries{bounds_.entries_per_directory};
  const std::string prefix = folder.path == "." ? std::string() : folder.path + '/';
  bool is_repository = false, has_rules = false;
  const bool could_be_read = read_names(directory, [&](std::string_view name, FileKind kind) {
    if (kind == FileKind::unknown) kind = kind_in(directory, std::string(name).c_str());
    Entry entry{prefix, kind, folder.depth};
    entry.path += name;
    is_repository = is_repository || name == ".git";
    has_rules = has_rules || name == ".gitignore";
    if (!is_before_start(entry)) entries.add(std::move(entry));
    return !stop_.stop_requested();
  });
  if (!could_be_read) ++report.unreadable;
  if (stop_.stop_requested()) return {};
  if (bounds_.ignored == Ignored::left_out) {
    if (is_repository && !prefix.empty()) begin_repository(folder, prefix);
    if (has_rules) add_rules(folder, prefix, prefix + ".gitignore");
  }
  std::vector<Entry> sorted = entries.sorted();
  if (entries.has_dropped()) ++report.overfull;
  std::erase_if(sorted, [&](const Entry& entry) { return is_left_out(folder, entry, report); });
  return sorted;
}

bool FolderReader::enters(const Entry& entry, WalkReport& report) const {
  if (is_repository_folder(last_part(entry.path)) || entry.path == trash_folder) return false;
  if (entry.depth < bounds_.depth) return true;
  ++report.below_depth;
  return false;
}

FileDescriptor FolderReader::open(const Folder& folder, WalkReport& report) const {
  Opened opened = root_.try_open(folder.path, O_RDONLY | O_DIRECTORY, LastLink::refuse);
  if (!opened.descriptor.is_open()) ++report.unreadable;
  return std::move(opened.descriptor);
}

bool FolderReader::is_before_start(const Entry& entry) const {
  if (bounds_.from.empty()) return false;
  const std::string key = order_key(entry);
  const bool start_is_inside = entry.kind == FileKind::directory && bounds_.from.starts_with(key);
  return key < bounds_.from && !start_is_inside;
}

void FolderReader::add_rules(Folder& folder, const std::string& base, const std::string& file) const {
  if (std::optional<IgnoreRules> rules = rules_in(root_, base, file))
    folder.rules = std::make_shared<RulesAbove>(RulesAbove{*std::move(rules), std::move(folder.rules)});
}

void FolderReader::begin_repository(Folder& folder, const std::string& base) const {
  folder.rules.reset();
  add_rules(folder, base, base + ".git/info/exclude");
}

bool FolderReader::is_left_out(const Folder& folder, const Entry& entry, WalkReport& report) const {
  const bool leaves_out_secrets = root_.secrets() == Secrets::left_out && bounds_.secrets == Secrets::left_out;
  if (leaves_out_secrets && last_part_holds_secrets(entry.path)) {
    ++report.secret;
    return true;
  }
  if (!is_ignored_in(folder, entry)) return false;
  ++report.ignored;
  return true;
}

}  // namespace workspace
