// What a login starts: the desktop's program for web pages, with one page, whatever the addresses are that a server
// gives (CVE-2025-6514 was a command in one of them).
#include "system/open_browser.hpp"

#define BOOST_TEST_MODULE bridge_browser_test
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <sstream>
#include <string>
#include <vector>

#include "login_server.hpp"
#include "process_bench.hpp"
#include "serve_bench.hpp"

namespace fs = std::filesystem;
using namespace toolwire_test;
using toolwire::bridge::open_in_browser;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A desktop that writes down what it is to show: a file for each start, in it the arguments.
class Desktop {
 public:
  Desktop() {
    const fs::path opener = folder_.file("bin/xdg-open",
                                         "#!/bin/sh\n"
                                         "printf '%s\\0' \"$@\" > \"$0.$$.part\"\n"
                                         "mv \"$0.$$.part\" \"$0.$$.shown\"\n");
    fs::permissions(opener, fs::perms::owner_all);
  }

  std::string path() const { return (folder_ / "bin").string() + ":/usr/bin:/bin"; }
  std::string state() const { return (folder_ / "state").string(); }
  /// What a command hidden in an address would make.
  std::string trace() const { return (folder_ / "executed").string(); }
  bool was_attacked() const { return fs::exists(trace()); }
  bool has_shown() const { return !files().empty(); }

  /// The arguments of the one start since this was asked last; waits for it.
  std::vector<std::string> shown() const {
    BOOST_TEST_REQUIRE(eventually([&] { return has_shown(); }));
    BOOST_TEST_REQUIRE(files().size() == 1U);
    const fs::path file = files().front();
    std::istringstream text(content_of(file.string()));
    std::vector<std::string> arguments;
    for (std::string one; std::getline(text, one, '\0');) arguments.push_back(one);
    fs::remove(file);
    return arguments;
  }

 private:
  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder_ / "bin")) {
      if (entry.path().extension() == ".shown") found.push_back(entry.path());
    }
    return found;
  }

  ScratchFolder folder_;
};

/// What a shell would carry out, split or take for something else.
std::vector<std::string> endings(const std::string& trace) {
  return {"$(touch${IFS}" + trace + ")",   "`touch${IFS}" + trace + "`", ";touch${IFS}" + trace,
          "|touch${IFS}" + trace,          "&touch${IFS}" + trace,       "'\";touch${IFS}" + trace + ";'\"",
          "%3B%24(touch%20" + trace + ")", "*?[a-z]{1,2}~!^<>",          "--help"};
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_address_is_one_argument_as_it_is) {
  const Desktop desktop;
  ::setenv("PATH", desktop.path().c_str(), 1);
  std::vector<std::string> addresses{"https://login.example/", "http://127.0.0.1:1/authorize"};
  for (const std::string& ending : endings(desktop.trace())) addresses.push_back("https://login.example/" + ending);
  for (const std::string blank : {" ", "\n", "\t", "\r\n"})
    addresses.push_back("https://login.example/" + blank + "-e" + blank + "touch" + blank + desktop.trace());
  for (const std::string& address : addresses) {
    BOOST_TEST(open_in_browser(address), address);
    BOOST_TEST(desktop.shown() == std::vector<std::string>{address}, boost::test_tools::per_element());
  }
  BOOST_TEST(!desktop.was_attacked());
}

BOOST_AUTO_TEST_CASE(what_is_no_page_starts_nothing) {
  const Desktop desktop;
  ::setenv("PATH", desktop.path().c_str(), 1);
  for (const std::string& other : std::vector<std::string>{
           "", "-", "--version", "-e touch " + desktop.trace(), " https://login.example/", "file:///etc/passwd",
           "javascript:alert(1)", "data:text/html,x", "vscode://open", "https:/login.example", "/usr/bin/env",
           "ssh://-oProxyCommand=touch${IFS}" + desktop.trace(), "smb://login.example/x",
           "xdg-open https://login.example"})
    BOOST_TEST(!open_in_browser(other), other);
  BOOST_TEST(open_in_browser("https://login.example/"));  // what was started before would have come first
  BOOST_TEST(desktop.shown().size() == 1U);
  BOOST_TEST(!desktop.was_attacked());
}

BOOST_AUTO_TEST_CASE(a_program_beside_the_user_is_not_taken_for_the_desktops) {
  const ScratchFolder here;
  const fs::path opener = here.file("xdg-open", "#!/bin/sh\ntouch \"$0.started\"\n");
  fs::permissions(opener, fs::perms::owner_all);
  const fs::path before = fs::current_path();
  fs::current_path(here.path());
  for (const char* const folders : {"", ".", ":", "./"}) {
    ::setenv("PATH", folders, 1);
    BOOST_TEST(!open_in_browser("https://login.example/"), folders);
  }
  fs::current_path(before);
  BOOST_TEST(!fs::exists(here / "xdg-open.started"));
}

/// The whole way: an authorization server whose page has such an address.
BOOST_AUTO_TEST_CASE(a_login_shows_the_page_of_the_server_and_starts_nothing_else) {
  const Desktop desktop;
  LoginServer server;
  const auto put_page_at = [&server](const std::string& page) {
    server.change([&](LoginServer::Ways& ways) {
      ways.issuer = [page](toolwire::JsonObject& json) { json["authorization_endpoint"] = page; };
    });
  };
  const auto log_in = [&] {
    toolwire::Program made{.command = {bridge_program, "login", server.url()}};
    made.environment["XDG_STATE_HOME"] = desktop.state();
    made.environment["PATH"] = desktop.path();
    return std::async(std::launch::async, [made] { return run_program(made); });
  };
  for (const std::string& ending : endings(desktop.trace())) {
    BOOST_TEST_CONTEXT(ending) {
      const std::string page = server.origin() + "/authorize?x=" + ending;
      put_page_at(page);
      auto running = log_in();
      const std::vector<std::string> arguments = desktop.shown();
      BOOST_TEST_REQUIRE(arguments.size() == 1U);
      BOOST_TEST(arguments.front().starts_with(page + "&response_type=code&"), arguments.front());
      browse(arguments.front());
      const ProgramRun run = running.get();
      BOOST_TEST(run.status == 0, run.errors);
    }
  }
  for (const std::string& other :
       {server.origin() + "/authorize?x=$(touch " + desktop.trace() + ")", server.origin() + "/authorize\n-e",
        server.origin() + "/authorize?x=\\\";touch${IFS}" + desktop.trace(), std::string("--help"),
        std::string("-https://login.example"), std::string("file:///usr/bin/env"), std::string("javascript:alert(1)"),
        std::string("http://login.example/authorize"), std::string("https://user:word@login.example/"),
        "https://$(touch${IFS}" + desktop.trace() + ")/"}) {
    put_page_at(other);
    const ProgramRun run = log_in().get();
    BOOST_TEST(run.status == 1, other);
    BOOST_TEST(has(run.errors, "expected \"authorization_endpoint\" to be"), run.errors);
    BOOST_TEST(!desktop.has_shown(), other);
  }
  BOOST_TEST(!desktop.was_attacked());
}
