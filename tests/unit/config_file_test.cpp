#include "install/config_file.hpp"

#define BOOST_TEST_MODULE config_file_test
#include <sys/stat.h>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "file_content.hpp"
#include "scratch_folder.hpp"

using namespace toolwire::install;
using toolwire_test::content_of;
using toolwire_test::ScratchFolder;
namespace fs = std::filesystem;

namespace {

struct Fixture {
  ScratchFolder folder;
  Backups backups{(folder / "state/kept").string()};

  /// Only the file that was there is there: no draft was left.
  bool is_clean() const {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder.path())) count += entry.is_regular_file() ? 1U : 0U;
    return count == 1;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(what_a_file_held_is_kept_the_newest_first, Fixture) {
  const std::string path = folder.file("f", "one").string();
  write_config_file(read_config_file(path), "two", true, backups);
  write_config_file(read_config_file(path), "three", true, backups);
  BOOST_TEST(content_of(path) == "three");
  BOOST_TEST((backups.of(path) == std::vector<std::string>{"two", "one"}));
  BOOST_TEST(backups.of(path + "2").empty());
  BOOST_TEST(is_clean());
}

BOOST_FIXTURE_TEST_CASE(what_several_keep_at_the_same_time_is_all_kept, Fixture) {
  const std::string path = folder.file("f", "").string();
  constexpr int writers = 4, texts = 4;  // fewer than are kept of a file
  std::vector<std::string> failures(writers);
  std::vector<std::thread> threads;
  for (int i = 0; i < writers; ++i)
    threads.emplace_back([&, i] {
      try {
        for (int j = 0; j < texts; ++j) backups.keep(path, std::to_string(i) + "." + std::to_string(j));
      } catch (const std::runtime_error& error) {
        failures[static_cast<std::size_t>(i)] = error.what();
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& failure : failures) BOOST_TEST(failure == "");
  const auto kept = backups.of(path);
  BOOST_TEST((std::set<std::string>(kept.begin(), kept.end()).size() == writers * texts));
}

BOOST_FIXTURE_TEST_CASE(of_a_file_the_first_and_the_newest_are_kept_within_bounds, Fixture) {
  const std::string path = folder.file("f", "").string();
  for (int i = 0; i < 30; ++i) backups.keep(path, "text " + std::to_string(i));
  const std::vector<std::string> many = backups.of(path);
  BOOST_TEST(many.size() == 20U);
  BOOST_TEST(many.front() == "text 29");
  BOOST_TEST(many.at(18) == "text 11");
  BOOST_TEST(many.back() == "text 0");
  const auto large = [](char letter) { return std::string(std::size_t{20} << 20, letter); };
  for (const char letter : {'a', 'b', 'c', 'd'}) backups.keep(path, large(letter));
  BOOST_TEST((backups.of(path) == std::vector<std::string>{large('d'), large('c'), large('b'), "text 0"}));
  backups.keep(path, std::string(std::size_t{70} << 20, 'e'));
  const std::vector<std::string> last = backups.of(path);
  BOOST_REQUIRE(last.size() == 2U);
  BOOST_TEST(last.front().size() == std::size_t{70} << 20);
  BOOST_TEST(last.back() == "text 0");
}

BOOST_FIXTURE_TEST_CASE(a_file_that_somebody_else_has_changed_is_left_alone, Fixture) {
  const std::string path = folder.file("f", "one").string();
  const ConfigFile before = read_config_file(path);
  folder.file("f", "theirs");
  BOOST_CHECK_THROW(write_config_file(before, "two", true, backups), std::runtime_error);
  BOOST_CHECK_THROW(remove_config_file(before, backups), std::runtime_error);
  BOOST_TEST(content_of(path) == "theirs");
  const ConfigFile missing = read_config_file((folder / "new").string());
  folder.file("new", "theirs");
  BOOST_CHECK_THROW(write_config_file(missing, "two", true, backups), std::runtime_error);
  BOOST_TEST(content_of(folder / "new") == "theirs");
  fs::remove(folder / "new");
  BOOST_TEST(is_clean());
}

BOOST_FIXTURE_TEST_CASE(what_several_add_at_the_same_time_is_all_there, Fixture) {
  const std::string path = folder.file("f", "").string();
  constexpr std::size_t writers = 4, letters = 8;
  std::vector<std::thread> threads;
  threads.reserve(writers);
  for (std::size_t i = 0; i < writers; ++i)
    threads.emplace_back([&] {
      for (std::size_t added = 0; added < letters;) {
        try {
          const ConfigFile before = read_config_file(path);
          write_config_file(before, before.text.value() + "x", true, backups);
          ++added;
        } catch (const ChangedMeanwhile&) {
          continue;
        }
      }
    });
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(content_of(path).size() == writers * letters);
}

BOOST_FIXTURE_TEST_CASE(what_a_host_writes_at_the_last_moment_is_not_lost, Fixture) {
  const std::string path = folder.file("f", "1\n").string();
  std::atomic<bool> done{false};
  std::thread installer([&] {
    while (!done) {
      try {
        const ConfigFile before = read_config_file(path);
        write_config_file(before, before.text.value_or("") + "x", true, backups);
      } catch (const ChangedMeanwhile&) {
        continue;
      }
    }
  });
  const auto is_there = [&](const std::string& line) {
    for (int looks = 0; looks < 20; ++looks) {
      if (content_of(path).starts_with(line)) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  };
  int lost = 0;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(3);
  for (int number = 2; std::chrono::steady_clock::now() < until; ++number) {
    const std::string line = std::to_string(number) + "\n";
    fs::rename(folder.file("theirs", line), path);
    if (!is_there(line)) ++lost;
    std::this_thread::sleep_for(std::chrono::microseconds(500 + number * 7919 % 1500));  // as long as a change takes
  }
  done = true;
  installer.join();
  BOOST_TEST(lost == 0);
}

BOOST_FIXTURE_TEST_CASE(a_write_protected_file_is_left_alone, Fixture) {
  const std::string path = folder.file("f", "one").string();
  fs::permissions(path, fs::perms::owner_read);
  const ConfigFile before = read_config_file(path);
  BOOST_CHECK_THROW(write_config_file(before, "two", true, backups), std::runtime_error);
  BOOST_CHECK_THROW(remove_config_file(before, backups), std::runtime_error);
  BOOST_TEST(content_of(path) == "one");
  BOOST_TEST(is_clean());
}

/// Whoever could write to them could put a program of theirs into the place of a server.
BOOST_FIXTURE_TEST_CASE(folders_that_are_made_for_a_private_file_are_private_whatever_the_umask_is, Fixture) {
  const mode_t before = ::umask(0);
  write_config_file(read_config_file((folder / "new/deep/f").string()), "one", true, backups);
  ::umask(before);
  for (const char* const made : {"new", "new/deep"})
    BOOST_TEST((fs::status(folder / made).permissions() == fs::perms::owner_all), made);
  BOOST_TEST((fs::status(folder / "new/deep/f").permissions() == (fs::perms::owner_read | fs::perms::owner_write)));
}

BOOST_FIXTURE_TEST_CASE(a_file_that_is_being_written_in_place_is_not_taken_for_empty, Fixture) {
  const std::string path = folder.file("f", "").string();
  std::thread host([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    folder.file("f", "{\"all\": \"of it\"}");
  });
  const ConfigFile read = read_config_file(path);
  host.join();
  BOOST_TEST(read.text.value_or("none") == "{\"all\": \"of it\"}");
  const std::string empty = folder.file("empty", "").string();
  BOOST_TEST(read_config_file(empty).text.value_or("none").empty());
}

BOOST_FIXTURE_TEST_CASE(only_what_is_not_there_counts_as_missing, Fixture) {
  BOOST_TEST(!read_config_file((folder / "none/at/all").string()).text.has_value());
  folder.file("plain", "a file");
  BOOST_CHECK_THROW(read_config_file((folder / "plain/mcp.json").string()), std::runtime_error);
  fs::create_symlink("loop", folder / "loop");
  BOOST_CHECK_THROW(read_config_file((folder / "loop").string()), std::runtime_error);
}

BOOST_FIXTURE_TEST_CASE(what_killed_processes_have_left_is_removed, Fixture) {
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::minutes(2);
  for (const char* const draft : {".toolwire-1.tmp", "state/kept/.toolwire-2.tmp"})
    fs::last_write_time(folder.file(draft), long_ago);
  const std::string path = folder.file("f", "one").string();
  write_config_file(read_config_file(path), "two", true, backups);
  BOOST_TEST(is_clean());
  BOOST_TEST(!fs::exists(folder / "state/kept/.toolwire-2.tmp"));
}

BOOST_FIXTURE_TEST_CASE(paths_of_any_length_have_backups_of_their_own, Fixture) {
  const std::string long_name = "/" + std::string(300, 'a'), other = "/b" + std::string(299, 'a');
  backups.keep(long_name, "one");
  backups.keep(other, "other");
  BOOST_TEST((backups.of(long_name) == std::vector<std::string>{"one"}));
  BOOST_TEST((backups.of(other) == std::vector<std::string>{"other"}));
}

BOOST_FIXTURE_TEST_CASE(links_that_lead_in_a_circle_are_refused, Fixture) {
  folder.link("b", "a");
  folder.link("a", "b");
  BOOST_CHECK_THROW(read_config_file((folder / "a").string()), std::runtime_error);
}
