#include <toolwire/system/appended_file.hpp>

#define BOOST_TEST_MODULE appended_file_test
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <string>
#include <utility>

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

namespace {

constexpr uid_t somebody_else = 65534;

/// A folder where everybody may make files, as /tmp is.
struct Everybodys {
  toolwire_test::ScratchFolder scratch;
  fs::path folder = scratch / "tmp";
  std::string log = (folder / "log").string();

  Everybodys() {
    fs::create_directory(folder);
    fs::permissions(folder, fs::perms::all | fs::perms::sticky_bit);
  }

  void link(const fs::path& target, const fs::path& at, uid_t owner) const {
    fs::create_symlink(target, at);
    BOOST_TEST(::lchown(at.c_str(), owner, owner) == 0);
  }
  static bool is_refused(const std::string& path) { return !open_to_append(path).is_open() && errno == ELOOP; }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(what_others_have_planted_in_a_folder_of_everybodys_is_not_written_to, Everybodys) {
  if (::geteuid() != 0) return;  // who may give files away
  const fs::path target = scratch.file("target", "");
  link(target, log, somebody_else);
  BOOST_TEST(is_refused(log));
  fs::create_directory(scratch / "inner");
  link(scratch / "inner", folder / "inner", somebody_else);
  BOOST_TEST(is_refused((folder / "inner/log").string()));
  link(log, scratch / "behind", 0);
  BOOST_TEST(is_refused((scratch / "behind").string()));
  const fs::path foreign = scratch.file("tmp/foreign", "");
  BOOST_REQUIRE(::chown(foreign.c_str(), somebody_else, somebody_else) == 0);
  BOOST_TEST(is_refused(foreign.string()));
  fs::create_hard_link(target, folder / "named");
  BOOST_TEST(is_refused((folder / "named").string()));
  BOOST_TEST(fs::is_empty(scratch / "inner"));
  BOOST_TEST(appending().message(ELOOP).find("another user") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(links_of_ones_own_are_followed_wherever_they_are, Everybodys) {
  const fs::path target = scratch.file("target", "");
  fs::create_symlink("../target", log);
  fs::create_directory_symlink(folder, scratch / "way");
  for (const std::string& path : {log, (scratch / "way/log").string(), (scratch / "way/../way//./log").string()}) {
    const FileDescriptor file = open_to_append(path);
    BOOST_TEST(stands_at(file, target.string()), path << ": " << appending().message(errno));
  }
  fs::create_symlink("made", folder / "to_make");
  BOOST_TEST(open_to_append((folder / "to_make").string()).is_open());
  BOOST_TEST(fs::exists(folder / "made"));
  fs::create_symlink("circle", folder / "circle");
  BOOST_TEST(is_refused((folder / "circle").string()));
}

BOOST_AUTO_TEST_CASE(links_of_others_are_followed_where_not_everybody_can_make_them) {
  const toolwire_test::ScratchFolder folder;
  const fs::path target = folder.file("target", "");
  fs::create_symlink(target, folder / "log");
  if (::geteuid() == 0) BOOST_TEST(::lchown((folder / "log").c_str(), 65534, 65534) == 0);
  BOOST_TEST(stands_at(open_to_append((folder / "log").string()), target.string()));
}

BOOST_AUTO_TEST_CASE(a_stream_of_the_program_is_opened_under_its_name) {
  const toolwire_test::ScratchFolder folder;
  const FileDescriptor file = open_to_append((folder / "log").string());
  const std::string stream = "/proc/self/fd/" + std::to_string(file.get());
  fs::rename(folder / "log", folder / "moved");
  fs::create_symlink(stream, folder / "stream");
  BOOST_TEST(stands_at(open_to_append(stream), (folder / "moved").string()));
  BOOST_TEST(stands_at(open_to_append((folder / "stream").string()), (folder / "moved").string()));
}

BOOST_AUTO_TEST_CASE(a_path_that_is_that_of_a_folder_is_refused) {
  const toolwire_test::ScratchFolder folder;
  folder.file("log", "");
  for (const std::string& path : {folder.text(), folder.text() + "/"}) {
    BOOST_TEST(!open_to_append(path).is_open(), path);
    BOOST_TEST(errno == EISDIR, path);
  }
  for (const std::string& path : {folder.text() + "/log/", folder.text() + "/no/", std::string()})
    BOOST_TEST(!open_to_append(path).is_open(), path);
}

BOOST_AUTO_TEST_CASE(a_line_that_one_writer_could_not_finish_spoils_none_of_anothers) {
  const toolwire_test::ScratchFolder folder;
  const std::string path = (folder / "log").string();
  AppendedLines one(path), other(path);
  BOOST_REQUIRE((one.open() && other.open()));
  BOOST_TEST(other.append("1"));
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit usual{};
  BOOST_REQUIRE(::getrlimit(RLIMIT_FSIZE, &usual) == 0);
  const rlimit full{4, usual.rlim_max};
  BOOST_REQUIRE(::setrlimit(RLIMIT_FSIZE, &full) == 0);
  BOOST_TEST(!one.append("lost"));
  ::setrlimit(RLIMIT_FSIZE, &usual);
  BOOST_TEST(other.append("2"));
  BOOST_TEST(one.append("3"));
  BOOST_TEST(toolwire_test::content_of(path) == "1\nlo\n2\n3\n");
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
