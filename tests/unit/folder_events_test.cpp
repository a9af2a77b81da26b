#include <toolwire/system/folder_events.hpp>

#define BOOST_TEST_MODULE folder_events_test
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <filesystem>
#include <string>
#include <vector>

#include "scratch_folder.hpp"

using toolwire::system::FolderEvent;
using toolwire::system::FolderEvents;

namespace {

struct Watched {
  toolwire_test::ScratchFolder folder;
  FolderEvents events;
  int number = events.watch(folder.text());

  /// "+a" where a file came, "-a" where it went, "=a" where it was written; '/' after the name of a folder.
  std::string happened() {
    std::string all;
    events.take([&](const FolderEvent& event) {
      BOOST_TEST(event.folder == number);
      all += (all.empty() ? "" : " ") +
             std::string(event.comes     ? "+"
                         : event.goes    ? "-"
                         : event.is_last ? "."
                                         : "=") +
             std::string(event.name) + (event.is_folder ? "/" : "");
    });
    return all;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(files_that_come_are_written_and_go_are_told_in_their_order, Watched) {
  folder.file("a", "1");
  std::filesystem::rename(folder / "a", folder / "b");
  std::filesystem::remove(folder / "b");
  BOOST_TEST(happened() == "+a =a -a +b -b");
}

BOOST_FIXTURE_TEST_CASE(a_folder_is_told_from_a_file, Watched) {
  std::filesystem::create_directory(folder / "below");
  BOOST_TEST(happened() == "+below/");
}

BOOST_FIXTURE_TEST_CASE(after_the_last_event_of_a_folder_there_is_none, Watched) {
  events.unwatch(number);
  folder.file("a");
  BOOST_TEST(happened() == ".");
}

BOOST_FIXTURE_TEST_CASE(a_link_is_followed_only_if_it_may_be_and_a_file_is_no_folder, Watched) {
  std::filesystem::create_directory_symlink(folder.path(), folder / "link");
  BOOST_TEST(events.watch((folder / "link").string()) == number);
  BOOST_TEST(events.watch((folder / "link").string(), {.follows_links = false}) == -1);
  BOOST_TEST(events.watch(folder.file("file").string()) == -1);
}
