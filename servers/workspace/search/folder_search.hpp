// Searches the files of a tree by folders, in the order of a walk: a task is a folder, or some files of one.
// Independent of how matches are shown.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "workspace/names/name_filter.hpp"
#include "workspace/search/file_finder.hpp"
#include "workspace/search/ordered_tasks.hpp"
#include "workspace/system/folder_reader.hpp"
#include "workspace/system/roots.hpp"

namespace workspace {

/// A file of which there is something to say.
struct SearchedFile {
  std::string path;  // relative to the root
  bool is_unreadable = false;
  FileFindings findings = {};
  std::uint64_t silent_before = 0;  // files of which there is not, behind the one before
};

/// Files that follow each other in the order, and what the walk left out where they are.
struct SearchedFiles {
  const Located* place = nullptr;
  WalkReport walk = {};
  std::vector<SearchedFile> files = {};
  std::uint64_t silent = 0;  // behind the last of these
};

/// A folder to read, or, if it has files, those of them to search.
struct SearchTask {
  const Located* place = nullptr;
  Folder folder = {};
  std::shared_ptr<const FileDescriptor> directory = {};  // open already; of files: none if the request names them
  std::vector<Entry> files = {};
};

using SearchTasks = OrderedTasks<SearchTask, SearchedFiles>;

/// What holds for a whole search. Immutable but for `gave_up`.
struct SearchPlan {
  const NameFilter& names;
  const WalkBounds& bounds;
  std::uint64_t after = 0;  // in the file of `bounds.from`, lines up to this are passed over
  const std::stop_token& stop;
  unsigned threads = 0;
  std::atomic<bool> gave_up = false;

  bool ends() const { return gave_up.load(std::memory_order_relaxed) || stop.stop_requested(); }
};

/// What one thread does. What it is made of must live longer.
class FolderSearch {
 public:
  FolderSearch(const SearchPlan& plan, SearchTasks& tasks, const LinePattern& pattern, FindOptions options)
      : plan_(plan), tasks_(tasks), finder_(pattern, options) {}

  SearchTasks::Outcome run(const std::string& key, SearchTask& task);

 private:
  using Tasks = SearchTasks::Tasks;

  SearchTasks::Outcome search_folder(const std::string& key, SearchTask& task);
  Tasks tasks_in(SearchTask& task, std::vector<Entry> entries, WalkReport& report);
  void add_files(const SearchTask& task, std::vector<Entry>& files, Tasks& tasks) const;
  std::size_t files_in_task(std::size_t files) const;
  SearchTasks::Outcome search_files(const std::string& key, SearchTask& task);
  SearchedFile search_file(const SearchTask& task, const Entry& file);
  SearchedFile search_by_path(const SearchTask& task, const Entry& file, std::uint64_t after);

  const SearchPlan& plan_;
  SearchTasks& tasks_;
  FileFinder finder_;
};

}  // namespace workspace
