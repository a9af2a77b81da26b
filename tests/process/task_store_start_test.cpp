// A server whose task store cannot be used says so in one line and ends before any handshake; the file stays as it is.
#include <toolwire/child_process.hpp>

#define BOOST_TEST_MODULE task_store_start_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <string>

#include "file_content.hpp"
#include "program_run.hpp"
#include "scratch_folder.hpp"

using namespace toolwire_test;

namespace {

const std::string initialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",)"
    R"("capabilities":{},"clientInfo":{"name":"t","version":"1"}}})"
    "\n";

ProgramRun started_with(const std::string& prefix, const std::filesystem::path& store) {
  const std::string command = prefix + "exec " TOOLWIRE_BIN_DIR "/everything --task-store \"$1\"";
  return run_program(
      {.command = {"sh", "-c", command, "sh", store.string()}, .errors = toolwire::Program::Errors::keep_tail},
      initialize);
}

void check_refused(const ProgramRun& run, const std::filesystem::path& store) {
  BOOST_TEST_INFO(store << ": " << run.errors);
  BOOST_TEST(run.status == 2);
  BOOST_TEST(run.out == "");
  BOOST_TEST(run.errors.find(store.string()) != std::string::npos);
  BOOST_TEST(std::count(run.errors.begin(), run.errors.end(), '\n') <= 1);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_store_that_cannot_be_used_ends_the_server_before_the_handshake) {
  const ScratchFolder folder;
  const auto whole = folder / "whole";
  BOOST_TEST(started_with("", whole).status == 0);
  const std::string bytes = content_of(whole);
  for (const auto& [name, content] :
       {std::pair{"half", bytes.substr(0, bytes.size() / 2)}, {"byte", bytes.substr(0, 1)}}) {
    const auto cut = folder.file(name, content);
    check_refused(started_with("", cut), cut);
    BOOST_TEST((content_of(cut) == content));
  }
  check_refused(started_with("", folder.path()), folder.path());
  check_refused(started_with("", "/dev/null"), "/dev/null");
  const auto journal = folder.file("lost-wal", "what a killed process has written");
  check_refused(started_with("", folder / "lost"), folder / "lost");
  BOOST_TEST((content_of(journal) == "what a killed process has written"));
  // No room for a single byte more.
  check_refused(started_with("trap '' XFSZ; ulimit -f 0; ", whole), whole);
  BOOST_TEST((content_of(whole) == bytes));
}
