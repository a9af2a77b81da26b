#include "workspace/search/folder_search.hpp"

#include <algorithm>
#include <optional>

#include "workspace/system/directory.hpp"
#include "workspace/system/file_state.hpp"

namespace workspace {
namespace {

constexpr std::size_t most_files_in_task = 32;
constexpr std::size_t tasks_for_each_thread = 4;

const char* name_in(const Entry& entry) { return entry.path.c_str() + (entry.path.rfind('/') + 1); }

bool is_silent(const SearchedFile& file) {
  const FileSearch& how = file.findings.how;
  return !file.is_unreadable && file.findings.matches == 0 && !file.findings.has_more && how.error == 0 &&
         !how.is_binary && !how.was_cut && !how.has_split_line;
}

bool shows_something(const FileFindings& findings) { return findings.matches > 0 || findings.has_more; }

// Whether what was read stands at this path below the root now: its folder may have been moved out since it was opened.
bool stands_at(const Root& root, const std::string& path, int descriptor) {
  const Opened opened = root.try_look_at(path);
  const auto here = opened.descriptor.is_open() ? state_of(opened.descriptor.get()) : std::nullopt;
  const auto read = state_of(descriptor);
  return here && read && here->device == read->device && here->number == read->number;
}

}  // namespace

SearchTasks::Outcome FolderSearch::run(const std::string& key, SearchTask& task) {
  if (plan_.ends()) return {};
  return task.files.empty() ? search_folder(key, task) : search_files(key, task);
}

// Its folders and all but its first files are left to whoever has time.
SearchTasks::Outcome FolderSearch::search_folder(const std::string& key, SearchTask& task) {
  SearchedFiles found{task.place};
  const FolderReader reader{*task.place->root, plan_.bounds, plan_.stop};
  if (task.directory == nullptr)
    task.directory = std::make_shared<FileDescriptor>(reader.open(task.folder, found.walk));
  SearchTasks::Outcome outcome;
  if (task.directory->is_open()) {
    std::vector<Entry> entries = reader.entries(task.directory->get(), task.folder, found.walk);
    Tasks below = tasks_in(task, std::move(entries), found.walk);
    std::optional<SearchTasks::Keyed> own;
    if (!below.empty() && !below.front().second.files.empty()) {
      own = std::move(below.front());
      below.erase(below.begin());
    }
    tasks_.add(std::move(below));
    if (own) outcome = search_files(own->first, own->second);
  }
  outcome.results.emplace_back(key, std::move(found));
  return outcome;
}

FolderSearch::Tasks FolderSearch::tasks_in(SearchTask& task, std::vector<Entry> entries, WalkReport& report) {
  const FolderReader reader{*task.place->root, plan_.bounds, plan_.stop};
  Tasks tasks;
  std::vector<Entry> files;  // between two folders
  for (Entry& entry : entries) {
    ++report.entries;
    if (entry.kind == FileKind::regular && plan_.names.takes(entry.path, false)) files.push_back(std::move(entry));
    if (entry.kind != FileKind::directory || plan_.names.passes_by(entry.path) || !reader.enters(entry, report))
      continue;
    add_files(task, files, tasks);
    tasks.emplace_back(order_key(entry),
                       SearchTask{task.place, {entry.path, entry.depth + 1, task.folder.rules}, nullptr, {}});
  }
  add_files(task, files, tasks);
  return tasks;
}

void FolderSearch::add_files(const SearchTask& task, std::vector<Entry>& files, Tasks& tasks) const {
  const std::size_t most = files_in_task(files.size());
  for (std::size_t begin = 0; begin < files.size(); begin += most) {
    const auto first = files.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto end = files.begin() + static_cast<std::ptrdiff_t>(std::min(begin + most, files.size()));
    std::string key = first->path;
    tasks.emplace_back(
        std::move(key),
        SearchTask{task.place, {}, task.directory, {std::make_move_iterator(first), std::make_move_iterator(end)}});
  }
  files.clear();
}

std::size_t FolderSearch::files_in_task(std::size_t files) const {
  if (!tasks_.is_short_of_tasks()) return most_files_in_task;
  return std::clamp<std::size_t>(files / (tasks_for_each_thread * (plan_.threads + 1)), 1, most_files_in_task);
}

SearchTasks::Outcome FolderSearch::search_files(const std::string& key, SearchTask& task) {
  SearchedFiles found{task.place};
  SearchTasks::Outcome outcome;
  for (const Entry& entry : task.files) {
    if (plan_.ends()) break;
    SearchedFile file = search_file(task, entry);
    if (is_silent(file)) {
      ++found.silent;
      continue;
    }
    file.silent_before = std::exchange(found.silent, 0);
    outcome.weight += 1 + file.findings.lines.size();
    found.files.push_back(std::move(file));
  }
  outcome.results.emplace_back(key, std::move(found));
  return outcome;
}

// By its name in the open folder, which is quicker than by its path. Only where something would be shown is it made
// sure that the file stands in the root, not where somebody has moved the folder to.
SearchedFile FolderSearch::search_file(const SearchTask& task, const Entry& file) {
  const std::uint64_t after = file.path == plan_.bounds.from ? plan_.after : 0;
  if (task.directory == nullptr) return search_by_path(task, file, after);
  const FileDescriptor opened = open_in(task.directory->get(), name_in(file));
  if (!opened.is_open()) return {file.path, true};
  SearchedFile searched{file.path, false, finder_.run(opened.get(), after, plan_.stop)};
  searched.is_unreadable = searched.findings.how.is_special;
  if (!shows_something(searched.findings) || stands_at(*task.place->root, file.path, opened.get())) return searched;
  return search_by_path(task, file, after);
}

SearchedFile FolderSearch::search_by_path(const SearchTask& task, const Entry& file, std::uint64_t after) {
  const LastLink last = task.directory == nullptr ? LastLink::follow : LastLink::refuse;
  const Opened opened = task.place->root->try_read(file.path, last);
  if (!opened.descriptor.is_open()) return {file.path, true};
  SearchedFile searched{file.path, false, finder_.run(opened.descriptor.get(), after, plan_.stop)};
  searched.is_unreadable = searched.findings.how.is_special;
  return searched;
}

}  // namespace workspace
