#include "workspace/system/walk.hpp"

#include <utility>
#include <vector>

#include "workspace/system/folder_reader.hpp"

namespace workspace {
namespace {

// One walk. The depth of its recursion is bounded by WalkBounds::depth.
class Walk {
 public:
  Walk(const Root& root, const WalkBounds& bounds, const std::stop_token& stop,
       const std::function<Step(const Entry&)>& visit)
      : reader_(root, bounds, stop), bounds_(bounds), stop_(stop), visit_(visit) {}

  Folder start(const std::string& path) const { return reader_.start(path); }

  Step list(FileDescriptor directory, Folder folder) {
    const std::vector<Entry> entries = reader_.entries(directory.get(), folder, report_);
    directory.reset();
    for (const Entry& entry : entries) {
      if (step(folder, entry) == Step::end) return Step::end;
    }
    return stop_.stop_requested() ? Step::end : Step::proceed;
  }

  const WalkReport& report() const { return report_; }

 private:
  Step step(const Folder& folder, const Entry& entry) {
    if (stop_.stop_requested()) return Step::end;
    if (report_.entries == bounds_.entries) {
      report_.ran_out = true;
      return Step::end;
    }
    if (bounds_.from.empty() || order_key(entry) >= bounds_.from) {
      ++report_.entries;
      const Step next = visit_(entry);
      if (next != Step::proceed) return next == Step::end ? Step::end : Step::proceed;
    }
    return entry.kind == FileKind::directory ? enter(folder, entry) : Step::proceed;
  }

  Step enter(const Folder& folder, const Entry& entry) {
    if (!reader_.enters(entry, report_)) return Step::proceed;
    Folder below{entry.path, entry.depth + 1, folder.rules};
    FileDescriptor directory = reader_.open(below, report_);
    return directory.is_open() ? list(std::move(directory), std::move(below)) : Step::proceed;
  }

  const FolderReader reader_;
  const WalkBounds& bounds_;
  const std::stop_token& stop_;
  const std::function<Step(const Entry&)>& visit_;
  WalkReport report_;
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
  walk.list(root.open_directory(start), walk.start(start));
  return walk.report();
}

}  // namespace workspace
