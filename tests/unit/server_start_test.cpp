// How the program `toolwire` starts servers to look at them.
#define BOOST_TEST_MODULE server_start_test
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <filesystem>
#include <string>

#include "file_content.hpp"
#include "install/server_start.hpp"
#include "scratch_folder.hpp"

using namespace toolwire::install;
using namespace toolwire_test;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

struct Fixture {
  ScratchFolder folder;

  /// What is said of a server in sh, which has so long.
  std::string failure_of(const std::string& text, std::chrono::milliseconds limit) const {
    const fs::path file =
        folder.file("server", "#!/bin/sh\necho started >> '" + (folder / "starts").string() + "'\n" + text);
    fs::permissions(file, fs::perms::owner_all);
    try {
      start_server({.program = file.string()}, folder.path().string(), limit);
      return "";
    } catch (const ServerFailure& failure) {
      return failure.what();
    }
  }
};

}  // namespace

// Else whoever waits for it waits twice as long as is said.
BOOST_FIXTURE_TEST_CASE(a_server_that_is_silent_is_started_once_and_what_it_wrote_is_told, Fixture) {
  const std::string failure = failure_of("echo waiting for a database >&2; echo '<html>'\nexec sleep 1000\n", 300ms);
  BOOST_TEST(
      failure ==
      "it has not answered in time; the last it wrote to standard error:\nwaiting for a database\nit wrote to its "
      "standard output what is no message: <html>");
  BOOST_TEST(content_of(folder / "starts") == "started\n");
}

BOOST_FIXTURE_TEST_CASE(one_that_lists_without_end_is_silent_too, Fixture) {
  const std::string failure = failure_of(
      "n=0\nwhile read -r line; do id=$(printf '%s' \"$line\" | sed -n 's/.*\"id\":\\([^,}]*\\).*/\\1/p')\ncase $line "
      "in\n"
      "*'\"initialize\"'*) r='\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
      "\"serverInfo\":{\"name\":\"x\",\"version\":\"1\"}';;\n"
      "*'\"tools/list\"'*) n=$((n+1)); r='\"tools\":[],\"nextCursor\":\"'$n'\"';;\n*) continue;;\nesac\n"
      "echo '{\"jsonrpc\":\"2.0\",\"id\":'$id',\"result\":{'$r'}}'\ndone\n",
      500ms);
  BOOST_TEST(failure == "it has not answered in time");
}

BOOST_FIXTURE_TEST_CASE(one_that_ends_is_tried_with_all_variables, Fixture) {
  const std::string failure = failure_of("exit 3\n", 60s);
  BOOST_TEST(failure.ends_with("exited with status 3"), failure);
  BOOST_TEST(content_of(folder / "starts") == "started\nstarted\n");
}
