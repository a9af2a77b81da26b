#include "system/file_watch.hpp"

#define BOOST_TEST_MODULE bridge_file_watch_test
#include <boost/test/unit_test.hpp>

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <string>

#include "scratch_folder.hpp"

using toolwire::bridge::FileWatch;
using toolwire_test::ScratchFolder;
using namespace std::chrono_literals;

namespace {

/// Counts the changes told.
struct Told {
  void operator()() {
    std::lock_guard lock(mutex);
    ++count;
    changed.notify_all();
  }
  int now() {
    std::lock_guard lock(mutex);
    return count;
  }
  bool reaches(int number) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, 20s, [&] { return count >= number; });
  }
  std::mutex mutex;
  std::condition_variable changed;
  int count = 0;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_file_that_is_written_renamed_over_removed_or_made_again_is_told) {
  const ScratchFolder folder;
  const auto file = folder.file("a.json", "1");
  Told told;
  FileWatch watch(
      {file.string()}, [&] { told(); }, 1ms);
  folder.file("a.json", "2");
  BOOST_TEST(told.reaches(1));
  std::filesystem::rename(folder.file("new", "3"), file);
  BOOST_TEST(told.reaches(2));
  std::filesystem::remove(file);
  BOOST_TEST(told.reaches(3));
  folder.file("a.json", "4");
  BOOST_TEST(told.reaches(4));
}

BOOST_AUTO_TEST_CASE(a_folder_is_watched_for_new_files_and_a_link_where_it_leads) {
  const ScratchFolder folder;
  const ScratchFolder elsewhere;
  const auto target = elsewhere.file("t.json", "1");
  folder.link(target, "l.json");
  folder.folder("tools");
  Told told;
  FileWatch watch(
      {(folder / "tools").string(), (folder / "l.json").string()}, [&] { told(); }, 1ms);
  folder.file("tools/b.json", "1");
  BOOST_TEST(told.reaches(1));
  elsewhere.file("t.json", "2");
  BOOST_TEST(told.reaches(2));
  const ScratchFolder further;
  further.link(further.file("u.json", "1"), "l.json");
  std::filesystem::rename(further / "l.json", folder / "l.json");
  BOOST_TEST(told.reaches(3));
  further.file("u.json", "2");
  BOOST_TEST(told.reaches(4));
}

BOOST_AUTO_TEST_CASE(a_folder_that_is_removed_or_renamed_and_made_again_is_watched_on) {
  const ScratchFolder folder;
  const std::filesystem::path tools = folder.folder("tools");
  Told told;
  FileWatch watch(
      {tools.string()}, [&] { told(); }, 1ms);
  // More often than by what happened to the folder itself, which may be told late.
  const auto is_watched = [&] {
    for (int i = 0; i < 5; ++i) {
      const int before = told.now();
      folder.file("tools/a.py", std::to_string(i));
      if (!told.reaches(before + 1)) return false;
    }
    return true;
  };
  std::filesystem::remove(tools);
  BOOST_TEST(told.reaches(1));
  folder.folder("tools");
  BOOST_TEST(is_watched());
  std::filesystem::rename(tools, folder / "before");
  folder.folder("tools");
  BOOST_TEST(is_watched());
}

BOOST_AUTO_TEST_CASE(other_files_beside_it_are_not_told) {
  const ScratchFolder folder;
  const auto file = folder.file("a.json", "1");
  Told told;
  FileWatch watch(
      {file.string()}, [&] { told(); }, 1ms);
  folder.file("b.json", "1");
  folder.file("c.json", "1");
  folder.file("a.json", "2");  // noticed after those
  BOOST_TEST(told.reaches(1));
  BOOST_TEST(told.count == 1);
}

BOOST_AUTO_TEST_CASE(a_folder_that_is_not_there_is_named) {
  BOOST_CHECK_EXCEPTION(FileWatch({"/nonexistent/a.json"}, [] {}), std::system_error, [](const auto& error) {
    return std::string(error.what()).find("/nonexistent") != std::string::npos;
  });
}
