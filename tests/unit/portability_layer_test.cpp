// Holds the headers of POSIX and Linux to the rooms made for them, so that another operating system is a second set of
// those files. The conformance suite drives servers, and plays one, without the framework on purpose: its rooms are
// driver/ and play/.
#define BOOST_TEST_MODULE portability_layer_test
#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "source_files.hpp"

namespace {

namespace fs = std::filesystem;
using namespace toolwire::test;

constexpr std::array parts{"framework", "bridge", "conformance", "servers"};

constexpr std::array rooms{"framework/include/toolwire/system/",
                           "framework/src/system/",
                           "framework/src/transport/",
                           "framework/src/process/",
                           "framework/http/transport/",
                           "bridge/system/",
                           "bridge/attach/",
                           "bridge/process/",
                           "bridge/streams/system/",
                           "conformance/driver/",
                           "conformance/play/",
                           "servers/workspace/system/"};

constexpr std::array folders_of_the_system{"arpa/", "asm/", "linux/", "net/", "netinet/", "sys/"};

constexpr std::array headers_of_the_system{
    "aio.h",    "csignal",   "dirent.h",   "dlfcn.h",   "elf.h",       "fcntl.h",  "fnmatch.h",
    "ftw.h",    "glob.h",    "grp.h",      "ifaddrs.h", "langinfo.h",  "mqueue.h", "netdb.h",
    "poll.h",   "pthread.h", "pwd.h",      "sched.h",   "semaphore.h", "signal.h", "spawn.h",
    "syslog.h", "termios.h", "ucontext.h", "unistd.h",  "utime.h",     "wordexp.h"};

/// A file outside, and why that is right.
struct Exception {
  const char* file;
  const char* reason;
};

constexpr std::array exceptions{
    Exception{"conformance/bench/child.cpp", "measures a server by the system's own calls: more would be measured too"},
    Exception{"conformance/bench/child.hpp", "as its source"},
    Exception{"conformance/bench/connection.cpp", "the pipes of the same, read and written without anything between"},
    Exception{"framework/examples/pump_poll.cpp", "shows how a loop of poll(2) watches a pump"},
    Exception{"framework/http/examples/plain_sockets.cpp", "shows what an adapter does, with nothing in between"},
    Exception{"servers/everything/process_tools.cpp",
              "shows clients what careless tools do to their process, by the calls that careless tools make"}};

bool is_of_the_system(const std::string& header) {
  const auto is_below = [&](std::string_view folder) { return header.starts_with(folder); };
  return std::ranges::find(headers_of_the_system, header) != headers_of_the_system.end() ||
         std::ranges::any_of(folders_of_the_system, is_below);
}

bool has_room_for_them(const std::string& file) {
  return std::ranges::any_of(rooms, [&](std::string_view room) { return file.starts_with(room); });
}

/// The files outside the rooms that include such headers.
std::set<std::string> found_outside(const std::vector<Source>& sources) {
  std::set<std::string> found;
  for (const Source& source : sources) {
    const std::string file = source.path.string();
    if (!has_room_for_them(file) && std::ranges::any_of(includes_of(source), is_of_the_system)) found.insert(file);
  }
  return found;
}

std::vector<Source> sources_of_the_parts() {
  const fs::path repository{TOOLWIRE_SOURCE_DIR};
  std::vector<Source> all;
  for (const char* const part : parts) {
    for (Source& source : sources_below(repository / part)) {
      source.path = part / source.path;
      all.push_back(std::move(source));
    }
  }
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_header_of_the_system_is_told_from_one_of_the_language) {
  for (const char* const header : {"unistd.h", "csignal", "sys/stat.h", "linux/landlock.h", "netinet/in.h"})
    BOOST_TEST(is_of_the_system(header), header);
  for (const char* const header :
       {"cerrno", "thread", "stdio.h", "toolwire/system/landlock.hpp", "system/file_watch.hpp"})
    BOOST_TEST(!is_of_the_system(header), header);
}

BOOST_AUTO_TEST_CASE(a_file_outside_the_rooms_is_found_and_one_inside_is_not) {
  const std::vector<std::string> lines{"#include <string>", "#include <fcntl.h>"};
  const auto found = found_outside({{"bridge/http/new.cpp", lines}, {"bridge/system/new.cpp", lines}});
  BOOST_TEST(found == std::set<std::string>{"bridge/http/new.cpp"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(headers_of_the_system_are_included_in_their_rooms_only) {
  std::set<std::string> known;
  for (const Exception& exception : exceptions) known.insert(exception.file);
  const std::set<std::string> found = found_outside(sources_of_the_parts());
  for (const std::string& file : found)
    BOOST_TEST(known.contains(file), file << " includes headers of the system; toolwire/system/ has what it needs");
  for (const Exception& exception : exceptions) {
    const bool is_there = fs::exists(fs::path(TOOLWIRE_SOURCE_DIR) / exception.file);  // a part can be deleted
    BOOST_TEST((found.contains(exception.file) || !is_there), exception.file << " is clean: take it off the list");
  }
}
