#include "activities/mcp/stored_listing.hpp"

#define BOOST_TEST_MODULE bridge_stored_listing_test
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "activities/mcp/listing_store.hpp"
#include "scratch_folder.hpp"

using namespace toolwire;
using namespace toolwire::bridge::mcp;
using toolwire_test::ScratchFolder;

namespace {

Listing listing(const std::string& tools) { return listing_from(parse_json("{\"tools\":" + tools + "}")); }

const Listing before = listing(R"([{"name":"a","description":"one\ntwo\nthree","inputSchema":{"type":"object"}},
  {"name":"b","inputSchema":{}}, {"name":"same","inputSchema":{"x":1.5}}])");
const Listing after = listing(R"([{"name":"a","description":"one\n2\nthree","inputSchema":{"type":"object","extra":1}},
  {"name":"same","inputSchema":{"x":1.5}}, {"name":"c","inputSchema":{}}])");

StoredListing changed() {
  StoredListing stored{.server = "s", .command = {"p", "q"}, .directory = "/d", .pinned = before};
  take_listing(stored, after, false);
  return stored;
}

std::vector<std::string> names(const Listing& listing) {
  std::vector<std::string> names;
  for (const Json& tool : listing.tools) names.push_back(name_of(tool));
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_written_is_read_again) {
  for (const StoredListing& stored : {changed(), StoredListing{.server = "t", .pinned = before}}) {
    const Json json = to_json(stored);
    BOOST_TEST(to_json(stored_listing_from(parse_json(to_json_text(json)))) == json);
  }
}

BOOST_AUTO_TEST_CASE(changes_are_named_and_shown_line_by_line) {
  const StoredListing stored = changed();
  BOOST_TEST(pending_changes(stored) == (Names{"a", "c", "b"}), boost::test_tools::per_element());
  const std::string a = changes_of(stored, "a");
  BOOST_TEST(a.find("  description:\n  - two\n  + 2\n") != std::string::npos, a);
  BOOST_TEST(a.find("+   \"extra\": 1") != std::string::npos, a);
  BOOST_TEST(a.find("three") == std::string::npos);
  BOOST_TEST(changes_of(stored, "b") == "- b is gone\n");
  BOOST_TEST(changes_of(stored, "c").starts_with("+ c is new\n"));
  BOOST_TEST(changes_of(stored, "nothing").empty());
}

BOOST_AUTO_TEST_CASE(changes_are_accepted_one_by_one_or_all) {
  StoredListing one = changed();
  BOOST_TEST(accept(one, {"a"}) == Names{"a"}, boost::test_tools::per_element());
  BOOST_TEST(pending_changes(one) == (Names{"c", "b"}), boost::test_tools::per_element());
  BOOST_TEST(one.latest.has_value());
  StoredListing all = changed();
  accept(all, {});
  BOOST_TEST(!all.latest.has_value());
  BOOST_TEST(names(all.pinned) == (Names{"a", "same", "c"}), boost::test_tools::per_element());
  BOOST_CHECK_THROW(accept(all, {"a"}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(what_is_followed_has_no_changes) {
  StoredListing stored{.pinned = before};
  take_listing(stored, after, true);
  BOOST_TEST(pending_changes(stored).empty());
  BOOST_TEST(names(stored.pinned) == names(after), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_killed_writers_have_left_is_removed_with_the_next_start) {
  const ScratchFolder folder;
  for (const char* const name : {".toolwire-1.tmp", ".toolwire-2.tmp", "mine.tmp"}) folder.file(name, "{");
  for (const char* const old : {".toolwire-1.tmp", "mine.tmp"})
    std::filesystem::last_write_time(folder / old,
                                     std::filesystem::file_time_type::clock::now() - std::chrono::minutes(2));
  ListingStore(folder.text()).keep({.name = "s", .command = {"p"}}, before);
  BOOST_TEST(!std::filesystem::exists(folder / ".toolwire-1.tmp"));
  BOOST_TEST(std::filesystem::exists(folder / ".toolwire-2.tmp"));
  BOOST_TEST(std::filesystem::exists(folder / "mine.tmp"));
}

/// Kills the process that keeps a listing at each of its system calls in turn: what is stored then is the old listing
/// or the new one, and the next bridge can keep its own.
BOOST_AUTO_TEST_CASE(whoever_is_killed_while_it_writes_leaves_a_whole_file) {
  const BackEndOptions server{.name = "s", .command = {"p"}};
  bool finished = false;
  int stops = 0;
  for (; !finished && stops < 10'000; ++stops) {
    const ScratchFolder folder(ScratchFolder::in_memory());
    ListingStore store(folder.text());
    store.keep(server, before);
    const pid_t child = ::fork();
    BOOST_REQUIRE(child >= 0);
    if (child == 0) {
      ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
      ::raise(SIGSTOP);
      store.keep(server, after);
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (!WIFSTOPPED(status)) {
      BOOST_TEST_MESSAGE("processes cannot be traced here");
      return;
    }
    for (int stop = 0; stop < stops && !finished; ++stop) {
      ::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
      ::waitpid(child, &status, 0);
      finished = WIFEXITED(status);
    }
    if (!finished) {
      ::kill(child, SIGKILL);
      ::waitpid(child, &status, 0);
    }
    const auto stored = store.load(server);
    BOOST_REQUIRE(stored.has_value());
    BOOST_TEST(names(stored->pinned) == names(before), boost::test_tools::per_element());
    const bool is_old = !stored->latest;
    BOOST_TEST((is_old || names(*stored->latest) == names(after)));
    if (finished) BOOST_TEST(!is_old);
    store.keep(server, after);
    BOOST_TEST(store.load(server)->latest.has_value());
  }
  BOOST_TEST(finished);
  BOOST_TEST(stops > 20);
}
