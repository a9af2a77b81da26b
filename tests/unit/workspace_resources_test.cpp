#include "workspace/tools/resources.hpp"

#define BOOST_TEST_MODULE workspace_resources_test
#include <boost/test/unit_test.hpp>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <set>
#include <string>
#include <toolwire/client.hpp>
#include <toolwire/error.hpp>
#include <toolwire/testing.hpp>

#include "scratch_folder.hpp"
#include "workspace/changes/writer.hpp"

using namespace std::chrono_literals;
using workspace::file_uri;
using workspace::Root;
using workspace::Roots;

namespace {

struct Session {
  toolwire_test::ScratchFolder folder{toolwire_test::ScratchFolder::in_memory()};
  Roots roots{Root::at(folder.text(), workspace::Secrets::left_out)};
  toolwire::Server server{{.name = "workspace", .version = "1"}};
  std::unique_ptr<workspace::FileWatch> watch = workspace::add_resources(server, roots);
  toolwire::testing::Client client{server};

  std::string uri(const std::string& name) const { return file_uri((folder / name).string()); }
  bool is_refused(const std::string& wanted) {
    try {
      read_resource(client, wanted);
    } catch (const toolwire::ProtocolError&) {
      return true;
    }
    return false;
  }
};

// Waits for the reports of a watch.
struct Told {
  std::mutex mutex;
  std::condition_variable changed;
  std::set<std::string> paths;
  int lists = 0;

  workspace::WatchEvents events() {
    return {[this](const std::string& path) {
              const std::lock_guard lock{mutex};
              paths.insert(path);
              changed.notify_all();
            },
            [this] {
              const std::lock_guard lock{mutex};
              ++lists;
              changed.notify_all();
            }};
  }
  template <class Test>
  bool wait(Test test) {
    std::unique_lock lock{mutex};
    return changed.wait_for(lock, 20s, [&] { return test(*this); });
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(names_are_escaped_in_uris) {
  BOOST_TEST(file_uri("/a b/c#?%.txt") == "file:///a%20b/c%23%3F%25.txt");
  BOOST_TEST(file_uri("/\u00e9") == "file:///%C3%A9");
}

BOOST_FIXTURE_TEST_CASE(files_are_listed_and_read_by_their_uris, Session) {
  folder.file("a b.txt", "caf\u00e9");
  folder.file("d/x.bin", std::string("\x7f\0\0\1", 4));
  folder.file(".env", "secret");
  folder.file(".git/config", "x");
  const auto listed = list_resources(client);
  BOOST_REQUIRE(listed.size() == 2U);
  BOOST_TEST(listed[0].uri == uri("a b.txt"));
  BOOST_TEST(listed[1].name == "d/x.bin");
  const auto text = read_resource(client, uri("a b.txt"));
  BOOST_TEST(text.at(0).contents == "caf\u00e9");
  BOOST_TEST(text.at(0).mime_type == "text/plain");
  BOOST_TEST(read_resource(client, uri("d/x.bin")).at(0).binary);
}

BOOST_FIXTURE_TEST_CASE(what_is_outside_missing_secret_or_no_file_is_not_found, Session) {
  folder.file(".env", "secret");
  folder.folder("d");
  folder.link("/etc/passwd", "out");
  for (const std::string& wanted :
       {uri("nothing"), uri(".env"), uri("d"), uri("out"), std::string("file:///etc/passwd"),
        uri("d/../../../etc/passwd"), uri("d") + "/%2e%2e/%2e%2e/x"})
    BOOST_TEST(is_refused(wanted), wanted);
}

BOOST_FIXTURE_TEST_CASE(more_files_than_a_page_holds_are_listed_once_each, Session) {
  for (int i = 0; i < 1203; ++i) folder.file("d" + std::to_string(i % 7) + "/f" + std::to_string(i));
  std::set<std::string> seen;
  for (const auto& one : list_resources(client)) BOOST_TEST(seen.insert(one.uri).second, one.uri);
  BOOST_TEST(seen.size() == 1203U);
}

BOOST_AUTO_TEST_CASE(changes_below_the_roots_are_told_and_those_in_git_and_trash_are_not) {
  const toolwire_test::ScratchFolder folder{toolwire_test::ScratchFolder::in_memory()};
  folder.file("d/f", "a");
  folder.file(".git/index", "a");
  const Roots roots{Root::at(folder.text())};
  Told told;
  workspace::FileWatch watch{roots, told.events()};
  watch.start();
  watch.wait_until_watching();
  folder.file(".git/index", "b");
  workspace::edit_file(roots.locate("d/f"), {.edits = {{"a", "b"}}}, {});
  const std::string f = (folder / "d/f").string();
  BOOST_TEST(told.wait([&](const Told& now) { return now.paths.contains(f) && now.lists > 0; }));
  BOOST_TEST(told.wait([&](const Told& now) { return now.paths == std::set<std::string>{f}; }));
}

BOOST_AUTO_TEST_CASE(directories_that_come_later_and_are_ignored_are_not_watched) {
  const toolwire_test::ScratchFolder folder{toolwire_test::ScratchFolder::in_memory()};
  const toolwire_test::ScratchFolder elsewhere{toolwire_test::ScratchFolder::in_memory()};
  folder.file(".gitignore", "node_modules\n");
  folder.file("sub/.gitignore", "/out/\n");
  folder.file("f", "a");
  elsewhere.file("new/f", "a");
  const Roots roots{Root::at(folder.text())};
  Told told;
  workspace::FileWatch watch{roots, told.events()};
  watch.start();
  watch.wait_until_watching();
  std::filesystem::create_directory(folder / "node_modules");
  std::filesystem::create_directory(folder / "sub/out");
  BOOST_TEST(told.wait([](const Told& now) { return now.lists > 0; }));
  // The watch takes events in order, so what it would watch of these two it does when it watches this one.
  std::filesystem::rename(elsewhere / "new", folder / "new");
  BOOST_TEST(told.wait([](const Told& now) { return now.lists > 1; }));
  folder.file("node_modules/f", "b");
  folder.file("sub/out/f", "b");
  folder.file("f", "b");
  const std::string f = (folder / "f").string();
  BOOST_TEST(told.wait([&](const Told& now) { return now.paths.contains(f); }));
  const std::lock_guard lock{told.mutex};
  BOOST_TEST(told.paths == std::set<std::string>{f}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(directories_that_come_later_are_watched_too) {
  const toolwire_test::ScratchFolder folder{toolwire_test::ScratchFolder::in_memory()};
  const toolwire_test::ScratchFolder elsewhere{toolwire_test::ScratchFolder::in_memory()};
  elsewhere.file("new/deep/f", "a");
  const Roots roots{Root::at(folder.text())};
  Told told;
  workspace::FileWatch watch{roots, told.events()};
  watch.start();
  watch.wait_until_watching();
  std::filesystem::rename(elsewhere / "new", folder / "new");
  BOOST_TEST(told.wait([](const Told& now) { return now.lists > 0; }));
  folder.file("new/deep/f", "b");
  BOOST_TEST(told.wait([&](const Told& now) { return now.paths.contains((folder / "new/deep/f").string()); }));
}
