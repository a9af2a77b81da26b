#include <toolwire/system/appended_file.hpp>

#define BOOST_TEST_MODULE appended_file_test
#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <filesystem>
#include <string>

#include "file_content.hpp"
#include "scratch_folder.hpp"

using namespace toolwire::system;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

BOOST_AUTO_TEST_CASE(what_is_there_stays_and_what_comes_stands_behind_it) {
  const toolwire_test::ScratchFolder folder;
  const std::string path = folder.file("log", "old\n").string();
  const FileDescriptor one = open_to_append(path);
  const FileDescriptor other = open_to_append(path);
  BOOST_TEST(append_whole(one, "one\n"));
  BOOST_TEST(append_whole(other, "two\n"));
  BOOST_TEST(append_some(one, "three\n") == 6);
  BOOST_TEST(toolwire_test::content_of(path) == "old\none\ntwo\nthree\n");
}

BOOST_AUTO_TEST_CASE(a_file_that_is_made_is_its_users_alone) {
  const toolwire_test::ScratchFolder folder;
  const std::string path = (folder / "log").string();
  const FileDescriptor file = open_to_append(path);
  BOOST_TEST(file.is_open());
  BOOST_TEST(is_regular_file(file));
  BOOST_TEST((fs::status(path).permissions() == (fs::perms::owner_read | fs::perms::owner_write)));
  BOOST_TEST(!open_to_append((folder / "no/such/folder").string()).is_open());
  BOOST_TEST(errno == ENOENT);
}

BOOST_AUTO_TEST_CASE(a_fifo_that_nobody_reads_is_an_error_and_not_a_wait) {
  const toolwire_test::ScratchFolder folder;
  const std::string path = (folder / "pipe").string();
  BOOST_REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  BOOST_TEST(!open_to_append(path).is_open());
  BOOST_TEST(errno == ENXIO);
}

BOOST_AUTO_TEST_CASE(room_in_something_that_is_full_is_waited_for) {
  const FileDescriptor full = open_to_append("/dev/full");
  BOOST_REQUIRE(full.is_open());
  BOOST_TEST(!is_regular_file(full));
  BOOST_TEST(!append_whole(full, "text"));
  BOOST_TEST(errno == ENOSPC);
  BOOST_TEST(append_some(full, "text") == -1);
  const FileDescriptor none = open_to_append("/dev/null");
  BOOST_TEST(wait_for_room(none, 0ms));
}

BOOST_AUTO_TEST_CASE(the_beginning_of_a_line_is_told_from_a_whole_one) {
  const toolwire_test::ScratchFolder folder;
  BOOST_TEST(ends_in_mid_line(folder.file("cut", "one\ntw").string()));
  BOOST_TEST(!ends_in_mid_line(folder.file("whole", "one\ntwo\n").string()));
  BOOST_TEST(!ends_in_mid_line(folder.file("empty", "").string()));
  BOOST_TEST(!ends_in_mid_line((folder / "none").string()));
}

BOOST_AUTO_TEST_CASE(a_file_that_was_moved_away_is_noticed) {
  const toolwire_test::ScratchFolder folder;
  const std::string path = (folder / "log").string();
  const FileDescriptor file = open_to_append(path);
  BOOST_TEST(stands_at(file, path));
  fs::rename(path, folder / "log.1");
  BOOST_TEST(!stands_at(file, path));
  const FileDescriptor another = open_to_append(path);
  BOOST_TEST(!stands_at(file, path));
  BOOST_TEST(stands_at(another, path));
  BOOST_TEST(!stands_at(FileDescriptor(), path));
}

BOOST_AUTO_TEST_CASE(one_of_several_has_the_lock_of_a_regular_file) {
  const toolwire_test::ScratchFolder folder;
  const std::string path = (folder / "log").string();
  FileDescriptor first = open_to_append(path);
  const FileDescriptor second = open_to_append(path);
  BOOST_TEST(take_lock(first));
  BOOST_TEST(!take_lock(second));
  first.reset();
  BOOST_TEST(take_lock(second));
  const FileDescriptor none = open_to_append("/dev/null");
  const FileDescriptor none_either = open_to_append("/dev/null");
  BOOST_TEST(take_lock(none));
  BOOST_TEST(take_lock(none_either));
}
