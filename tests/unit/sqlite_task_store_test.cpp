#include "toolwire/sqlite_task_store.hpp"

#define BOOST_TEST_MODULE sqlite_task_store_test
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "file_content.hpp"
#include "scratch_folder.hpp"
#include "task_store_cases.hpp"

using namespace toolwire_test;
using toolwire::sqlite_task_store;
using toolwire::TaskStatus;

namespace {

/// Stores whose files are removed with the test program.
std::shared_ptr<toolwire::LocalTaskStore> fresh_store() {
  static const ScratchFolder folder;
  static int count = 0;
  return sqlite_task_store(folder.path() / ("tasks-" + std::to_string(++count)));
}

const bool registered = [] {
  add_task_store_cases("sqlite", fresh_store);
  return true;
}();

std::string refusal_of(const std::filesystem::path& file) {
  try {
    sqlite_task_store(file);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

/// What is in a file, and in the journal beside it.
struct Contents {
  std::string of_file, of_journal;
  explicit Contents(const std::filesystem::path& file)
      : of_file(toolwire_test::content_of(file)), of_journal(toolwire_test::content_of(file.string() + "-wal")) {}
  friend bool operator==(const Contents&, const Contents&) = default;
};

/// The store of a process that was killed: what it has written last is in the journal only. `sql` is run last.
std::filesystem::path store_of_a_killed_process(const ScratchFolder& folder, const char* sql) {
  const auto used = folder / "used";
  auto left = folder / "left";
  sqlite_task_store(used)->insert(task_of("a"), 10, at(0));
  sqlite3* open = nullptr;
  BOOST_REQUIRE(sqlite3_open(used.c_str(), &open) == SQLITE_OK);
  BOOST_REQUIRE(sqlite3_exec(open, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
  for (const char* suffix : {"", "-wal"}) std::filesystem::copy_file(used.string() + suffix, left.string() + suffix);
  sqlite3_close(open);
  return left;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_cases_of_all_stores_are_registered) { BOOST_TEST(registered); }

BOOST_AUTO_TEST_CASE(tasks_are_there_again_after_the_store_was_closed) {
  const ScratchFolder folder;
  const auto file = folder.path() / "tasks";
  {
    auto store = sqlite_task_store(file);
    store->insert(task_of("a"), 10, at(0));
    store->insert(task_of("b"), 10, at(0));
    store->change("a", over(TaskStatus::completed));
  }
  auto store = sqlite_task_store(file);
  BOOST_TEST((store->find("a", at(0))->state.status == TaskStatus::completed));
  BOOST_TEST((store->find("b", at(0))->state.status == TaskStatus::working));
  BOOST_TEST(store->insert(task_of("c"), 10, at(0)));
  BOOST_TEST(store->find("c", at(0))->serial > store->find("b", at(0))->serial);
}

BOOST_AUTO_TEST_CASE(two_stores_on_one_file_see_each_others_tasks) {
  const ScratchFolder folder;
  auto one = sqlite_task_store(folder.path() / "tasks");
  auto other = sqlite_task_store(folder.path() / "tasks");
  one->insert(task_of("a"), 10, at(0));
  BOOST_TEST(other->find("a", at(0)).has_value());
  BOOST_TEST(other->change("a", over(TaskStatus::cancelled)));
  BOOST_TEST(!one->change("a", over(TaskStatus::completed)));
}

BOOST_AUTO_TEST_CASE(stores_on_one_file_write_at_once_without_failing) {
  const ScratchFolder folder;
  const auto file = folder.path() / "tasks";
  constexpr int each = 25;
  std::atomic<int> kept{0};
  std::vector<std::thread> threads;
  for (char name : {'a', 'b', 'c'}) {
    threads.emplace_back([&, name] {
      auto store = sqlite_task_store(file);
      for (int i = 0; i < each; ++i) {
        const std::string id = name + std::to_string(i);
        if (store->insert(task_of(id), 1000, at(0)) && store->change(id, over(TaskStatus::completed))) ++kept;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(kept.load() == 3 * each);
  BOOST_TEST(sqlite_task_store(file)->list(0, 1000, at(0)).size() == 3u * each);
}

BOOST_AUTO_TEST_CASE(a_file_is_made_opened_and_closed_by_several_at_once_without_failing) {
  const ScratchFolder folder;
  constexpr int rounds = 20;
  constexpr int openers = 6;
  std::atomic<int> opened{0};
  for (int round = 0; round < rounds; ++round) {
    const auto file = folder.path() / std::to_string(round);
    std::barrier together(openers);
    std::vector<std::thread> threads;
    threads.reserve(openers);
    for (int i = 0; i < openers; ++i) {
      threads.emplace_back([&] {
        together.arrive_and_wait();
        if (refusal_of(file).empty()) ++opened;
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  BOOST_TEST(opened.load() == rounds * openers);
}

BOOST_AUTO_TEST_CASE(the_file_and_its_folders_are_private) {
  const ScratchFolder folder;
  const auto file = folder.path() / "deep" / "er" / "tasks";
  auto store = sqlite_task_store(file);
  store->insert(task_of("a"), 10, at(0));
  struct stat about {};
  for (const char* suffix : {"", "-wal", "-shm"}) {
    BOOST_TEST_REQUIRE(stat((file.string() + suffix).c_str(), &about) == 0);
    BOOST_TEST((about.st_mode & 077u) == 0u);
  }
  BOOST_TEST_REQUIRE(stat(file.parent_path().c_str(), &about) == 0);
  BOOST_TEST((about.st_mode & 077u) == 0u);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_used_is_named_with_the_reason) {
  const ScratchFolder folder;
  const auto text = folder.path() / "text";
  std::ofstream(text) << "This is not a database, and is long enough to be sure of it." << std::string(200, '.');
  BOOST_TEST(refusal_of(text).find("not a database") != std::string::npos);
  const std::string nowhere = refusal_of("/proc/nowhere/tasks");
  BOOST_TEST(nowhere.find("/proc/nowhere/tasks: it cannot be made: No such file or directory") != std::string::npos,
             nowhere);
}

BOOST_AUTO_TEST_CASE(a_file_that_was_cut_is_refused_and_left_alone) {
  const ScratchFolder folder;
  const auto file = folder.path() / "tasks";
  auto store = sqlite_task_store(file);
  for (int i = 0; i < 200; ++i) store->insert(task_of("task-" + std::to_string(i)), 1000, at(0));
  store.reset();
  const auto whole = toolwire_test::content_of(file);
  BOOST_REQUIRE(whole.size() > 16384U);
  for (const std::size_t size : {std::size_t{1}, std::size_t{99}, std::size_t{100}, std::size_t{4096}, whole.size() / 2,
                                 whole.size() - 4096, whole.size() - 1}) {
    std::ofstream(file, std::ios::binary) << whole.substr(0, size);
    const std::string reason = refusal_of(file);
    BOOST_TEST(reason.find(file.string()) != std::string::npos, size);
    BOOST_TEST((toolwire_test::content_of(file) == whole.substr(0, size)), size << ": " << reason);
  }
}

BOOST_AUTO_TEST_CASE(the_journal_of_a_file_that_is_refused_stays_as_it_is) {
  const ScratchFolder later, cut;
  const auto of_later = store_of_a_killed_process(later, "PRAGMA user_version=99");
  const auto of_cut = store_of_a_killed_process(cut, "UPDATE tasks SET message = 'x'");
  std::filesystem::resize_file(of_cut, 5000);
  for (const auto& file : {of_later, of_cut}) {
    const Contents before(file);
    BOOST_REQUIRE(!before.of_journal.empty());
    const std::string reason = refusal_of(file);
    BOOST_TEST(reason.find(file.string()) != std::string::npos, reason);
    BOOST_TEST((Contents(file) == before), reason);
  }
}

BOOST_AUTO_TEST_CASE(what_a_killed_process_has_written_is_there) {
  const ScratchFolder folder;
  const auto file = store_of_a_killed_process(folder, "UPDATE tasks SET message = 'x'");
  BOOST_TEST(sqlite_task_store(file)->find("a", at(0))->state.message == "x");
}

// SQLite itself takes the journal of a file without a byte for one that is left over, and removes it.
BOOST_AUTO_TEST_CASE(a_journal_without_its_file_is_refused_and_left_alone) {
  const ScratchFolder folder;
  const auto file = store_of_a_killed_process(folder, "UPDATE tasks SET message = 'x'");
  const std::string journal = toolwire_test::content_of(file.string() + "-wal");
  std::filesystem::resize_file(file, 0);
  BOOST_TEST(refusal_of(file).find(file.string() + "-wal") != std::string::npos);
  std::filesystem::remove(file);
  BOOST_TEST(refusal_of(file).find(file.string() + "-wal") != std::string::npos);
  BOOST_TEST(!std::filesystem::exists(file));
  BOOST_TEST((toolwire_test::content_of(file.string() + "-wal") == journal));
}

BOOST_AUTO_TEST_CASE(what_is_no_file_is_refused) {
  const ScratchFolder folder;
  const auto pipe = folder / "pipe";
  BOOST_REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  for (const auto& path : {folder.path(), pipe, std::filesystem::path("/dev/null")}) {
    const std::string reason = refusal_of(path);
    BOOST_TEST(reason.find(path.string() + ": it is no file; expected") != std::string::npos, reason);
  }
}

// SQLite itself keeps what has such a name in memory, and the tasks would be gone with the process.
BOOST_AUTO_TEST_CASE(every_name_is_that_of_a_file) {
  const ScratchFolder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  sqlite_task_store(":memory:")->insert(task_of("a"), 10, at(0));
  BOOST_TEST(sqlite_task_store(":memory:")->find("a", at(0)).has_value());
  std::filesystem::current_path(before);
  BOOST_TEST(refusal_of("").find("expected the name of a file") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_database_of_another_program_is_left_alone) {
  const ScratchFolder folder;
  const auto file = folder.path() / "other";
  sqlite3* other = nullptr;
  BOOST_REQUIRE(sqlite3_open(file.c_str(), &other) == SQLITE_OK);
  BOOST_REQUIRE(sqlite3_exec(other, "CREATE TABLE tasks (a)", nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(other);
  const std::string before = toolwire_test::content_of(file);
  BOOST_TEST(refusal_of(file).find("another program") != std::string::npos);
  BOOST_TEST((toolwire_test::content_of(file) == before));
}

BOOST_AUTO_TEST_CASE(a_file_that_can_only_be_read_is_refused) {
  const ScratchFolder folder;
  const auto file = folder.path() / "deep" / "tasks";
  sqlite_task_store(file);
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  std::filesystem::permissions(file.parent_path(), std::filesystem::perms(0555));
  std::filesystem::permissions(file, std::filesystem::perms(0444));
  const bool is_root = geteuid() == 0;
  if (is_root) BOOST_REQUIRE(seteuid(65534) == 0);
  const std::string reason = refusal_of(file), of_new = refusal_of(file.parent_path() / "new");
  if (is_root) BOOST_REQUIRE(seteuid(0) == 0);
  std::filesystem::permissions(file.parent_path(), std::filesystem::perms(0755));
  BOOST_TEST(reason.find(file.string()) != std::string::npos, reason);
  BOOST_TEST(reason.find('\n') == std::string::npos, reason);
  BOOST_TEST(of_new.find("cannot be made: Permission denied") != std::string::npos, of_new);
}

BOOST_AUTO_TEST_CASE(a_file_that_was_removed_or_replaced_takes_nothing_more) {
  const ScratchFolder folder;
  const auto file = folder.path() / "tasks";
  auto store = sqlite_task_store(file);
  BOOST_TEST(store->insert(task_of("a"), 10, at(0)));
  std::filesystem::rename(file, folder.path() / "away");
  const auto refused = [&](const std::function<void()>& act) {
    BOOST_CHECK_EXCEPTION(act(), std::runtime_error, [&](const std::runtime_error& error) {
      return std::string_view(error.what()).find(file.string() + " was moved away") != std::string_view::npos;
    });
  };
  refused([&] { store->insert(task_of("b"), 10, at(0)); });
  refused([&] { store->change("a", over(TaskStatus::completed)); });
  BOOST_TEST(store->find("a", at(0)).has_value());
  std::filesystem::copy_file(folder.path() / "away", file);
  refused([&] { store->insert(task_of("b"), 10, at(0)); });
  std::filesystem::rename(folder.path() / "away", file);
  BOOST_TEST(store->insert(task_of("b"), 10, at(0)));
}

// A bound on the size of files is as good as a full disk.
BOOST_AUTO_TEST_CASE(a_full_disk_is_noticed_at_the_start) {
  const ScratchFolder folder;
  const auto file = folder.path() / "tasks";
  sqlite_task_store(file);
  const std::string before = toolwire_test::content_of(file);
  rlimit usual{};
  BOOST_REQUIRE(getrlimit(RLIMIT_FSIZE, &usual) == 0);
  const auto old_action = signal(SIGXFSZ, SIG_IGN);
  const rlimit full{0, usual.rlim_max};
  BOOST_REQUIRE(setrlimit(RLIMIT_FSIZE, &full) == 0);
  const std::string of_old = refusal_of(file), of_new = refusal_of(folder.path() / "new");
  setrlimit(RLIMIT_FSIZE, &usual);
  signal(SIGXFSZ, old_action);
  BOOST_TEST(of_old.find(file.string()) != std::string::npos, of_old);
  BOOST_TEST(of_new.find("new") != std::string::npos, of_new);
  BOOST_TEST(of_old.find("File too large") != std::string::npos, of_old);
  BOOST_TEST((toolwire_test::content_of(file) == before));
  BOOST_TEST(refusal_of(file) == "");
}

BOOST_AUTO_TEST_CASE(a_file_of_a_later_version_is_left_alone) {
  const ScratchFolder folder;
  const auto file = folder.path() / "tasks";
  sqlite_task_store(file);
  {
    // user_version is at byte 60 of the file, big-endian (SQLite file format, 1.3).
    std::fstream raw(file, std::ios::in | std::ios::out | std::ios::binary);
    raw.seekp(60);
    raw.write("\0\0\0\x63", 4);
  }
  BOOST_TEST(refusal_of(file).find("later version (format 99)") != std::string::npos);
}
