// A log that begins anew when it has grown too long, and keeps the two before it.
#define BOOST_TEST_MODULE bridge_rotated_log_test
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include <string>
#include <system_error>
#include <toolwire/system/file_descriptor.hpp>

#include "file_content.hpp"
#include "scratch_folder.hpp"
#include "system/rotated_log.hpp"

using toolwire::bridge::RotatedLog;
using namespace toolwire_test;

namespace {

/// Standard error is the test's own again in the end.
struct LogFixture {
  ScratchFolder folder;
  const std::string path = (folder / "log").string();
  const toolwire::system::FileDescriptor before{::dup(STDERR_FILENO)};

  ~LogFixture() { ::dup2(before.get(), STDERR_FILENO); }
  std::string log(const std::string& ending = "") const { return content_of(path + ending); }
};

void say(const std::string& text) {
  BOOST_TEST(::write(STDERR_FILENO, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(what_is_written_is_added_to_the_file_until_it_is_too_long, LogFixture) {
  folder.file("log", "old ");
  BOOST_REQUIRE(::chmod(path.c_str(), S_IRUSR | S_IWUSR) == 0);
  RotatedLog rotated(path, 10);
  say("12345");
  rotated.look();
  BOOST_TEST(log() == "old 12345");
  say("6");
  rotated.look();
  say("new");
  BOOST_TEST(log(".1") == "old 123456");
  BOOST_TEST(log() == "new");
}

BOOST_FIXTURE_TEST_CASE(three_files_are_kept_at_most, LogFixture) {
  RotatedLog rotated(path, 1);
  for (const char* const text : {"first", "second", "third", "fourth"}) {
    say(text);
    rotated.look();
  }
  say("fifth");
  BOOST_TEST(log() == "fifth");
  BOOST_TEST(log(".1") == "fourth");
  BOOST_TEST(log(".2") == "third");
  BOOST_TEST(::access((path + ".3").c_str(), F_OK) != 0);
}

BOOST_FIXTURE_TEST_CASE(one_that_is_too_long_at_the_start_is_put_aside_at_once, LogFixture) {
  folder.file("log", "0123456789");
  BOOST_REQUIRE(::chmod(path.c_str(), S_IRUSR | S_IWUSR) == 0);
  const RotatedLog rotated(path, 10);
  say("new");
  BOOST_TEST(log(".1") == "0123456789");
  BOOST_TEST(log() == "new");
}

BOOST_FIXTURE_TEST_CASE(one_that_was_moved_away_or_removed_is_made_anew, LogFixture) {
  RotatedLog rotated(path, 10);
  say("first");
  BOOST_REQUIRE(::rename(path.c_str(), (path + "-old").c_str()) == 0);
  rotated.look();
  say("second");
  BOOST_TEST(log("-old") == "first");
  BOOST_TEST(log() == "second");
  BOOST_REQUIRE(::unlink(path.c_str()) == 0);
  rotated.look();
  say("third");
  BOOST_TEST(log() == "third");
}

BOOST_FIXTURE_TEST_CASE(nothing_is_put_aside_for_a_file_that_cannot_be_made, LogFixture) {
  RotatedLog rotated(path, 1);
  say("first");
  rotated.look();
  say("second");
  folder.folder("log.next");
  for (int i = 0; i < 3; ++i) rotated.look();
  say("goes on");
  BOOST_TEST(log() == "secondgoes on");
  BOOST_TEST(log(".1") == "first");
}

BOOST_FIXTURE_TEST_CASE(a_fifo_that_nobody_reads_is_refused_and_not_waited_for, LogFixture) {
  BOOST_REQUIRE(::mkfifo(path.c_str(), S_IRUSR | S_IWUSR) == 0);
  BOOST_CHECK_EXCEPTION(RotatedLog{path}, std::system_error, [&](const std::system_error& error) {
    return std::string(error.what()).find("expected a file of yours") != std::string::npos;
  });
}

BOOST_FIXTURE_TEST_CASE(a_file_that_others_may_read_or_that_is_a_link_is_not_used, LogFixture) {
  folder.file("log", "");
  BOOST_REQUIRE(::chmod(path.c_str(), S_IRUSR | S_IWUSR | S_IRGRP) == 0);
  BOOST_CHECK_THROW(RotatedLog{path}, std::system_error);
  BOOST_REQUIRE(::symlink(path.c_str(), (path + "-link").c_str()) == 0);
  BOOST_CHECK_THROW(RotatedLog{path + "-link"}, std::system_error);
}
