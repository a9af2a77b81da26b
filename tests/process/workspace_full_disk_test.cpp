// Changes on a file system that is really full, of bytes or of files: one in memory, mounted for this process alone,
// with a little more room each time, from none at all to enough. Whatever fails has changed nothing and leaves nothing
// behind.
#include <sched.h>
#include <sys/mount.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <toolwire/error.hpp>

#include "workspace/changes/mover.hpp"
#include "workspace/changes/writer.hpp"

#define BOOST_TEST_MODULE workspace_full_disk_test
#include <boost/test/unit_test.hpp>

#include "file_content.hpp"
#include "scratch_folder.hpp"

namespace {

namespace fs = std::filesystem;
using workspace::Located;
using workspace::Root;

constexpr unsigned page = 4096;
const std::string old_text = "START\n" + std::string(4 * page, 'a');  // five pages
const std::string new_text = "BEGIN\n" + std::string(4 * page, 'a');

std::string mount_problem() {
  static const std::string problem = [] {
    const bool is_own = ::unshare(CLONE_NEWNS) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
    return is_own ? std::string() : std::string("no file system can be mounted: ") + std::strerror(errno);
  }();
  return problem;
}

/// Loud where it is not: a full disk was not tried then.
boost::test_tools::assertion_result mounts(boost::unit_test::test_unit_id /*unit*/) {
  boost::test_tools::assertion_result result(mount_problem().empty());
  result.message() << mount_problem();
  if (!result) std::fprintf(stderr, "SKIPPED, as %s (root can)\n", mount_problem().c_str());
  return result;
}

/// With the files f and g, and room for so many pages and files more.
struct SmallDisk {
  SmallDisk(unsigned pages, unsigned files) {
    const std::string options =
        "size=" + std::to_string((10 + pages) * page) + ",nr_inodes=" + std::to_string(3 + files);
    BOOST_REQUIRE(::mount("none", folder.text().c_str(), "tmpfs", 0, options.c_str()) == 0);
    folder.file("f", old_text);
    folder.file("g", old_text);
    root = Root::at(folder.text());
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    root = Root::unavailable("");
    ::umount2(folder.text().c_str(), MNT_DETACH);
  }

  Located at(const char* path) const { return {&root, path, ""}; }

  /// All that is there but the trash itself and its rule.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(folder.path())) {
      const std::string path = entry.path().lexically_relative(folder.path()).string();
      all[path] = entry.is_directory() ? "a folder" : toolwire_test::content_of(entry.path());
    }
    all.erase(".workspace-trash");
    if (all.contains(rule)) BOOST_TEST(all[rule] == "*\n");
    all.erase(rule);
    return all;
  }

  static constexpr const char* rule = ".workspace-trash/.gitignore";
  toolwire_test::ScratchFolder folder;
  Root root = Root::unavailable("");
};

const std::map<std::string, std::string> before{{"f", old_text}, {"g", old_text}};

/// A change, and whether all of it was made.
struct Change {
  const char* name;
  std::function<void(const SmallDisk&)> make;
  std::function<bool(std::map<std::string, std::string>)> is_made;
};

/// Whether a file is in the trash.
bool keeps_old(const std::map<std::string, std::string>& files) {
  for (const auto& [path, content] : files) {
    if (path.starts_with(".workspace-trash/") && content == old_text) return true;
  }
  return false;
}

const Change changes[] = {
    {"edit",
     [](const SmallDisk& disk) {
       workspace::edit_file(disk.at("f"), {.edits = {{"START", "BEGIN"}}}, {});
     },
     [](auto files) { return files["f"] == new_text && files["g"] == old_text && keeps_old(files); }},
    {"overwrite",
     [](const SmallDisk& disk) { workspace::write_file(disk.at("f"), {.content = new_text, .overwrite = true}, {}); },
     [](auto files) { return files["f"] == new_text && files["g"] == old_text && keeps_old(files); }},
    {"write", [](const SmallDisk& disk) { workspace::write_file(disk.at("x/y/new"), {.content = new_text}, {}); },
     [](auto files) { return files["f"] == old_text && files["x/y/new"] == new_text; }},
    {"replace in two files",
     [](const SmallDisk& disk) {
       workspace::rewrite_files({disk.at("f"), disk.at("g")}, [](auto, auto) { return new_text; }, false, {});
     },
     [](auto files) { return files["f"] == new_text && files["g"] == new_text && keeps_old(files); }},
    {"move over a file", [](const SmallDisk& disk) { workspace::move_path(disk.at("f"), disk.at("g"), true); },
     [](auto files) { return !files.contains("f") && files["g"] == old_text && keeps_old(files); }},
    {"delete", [](const SmallDisk& disk) { workspace::delete_path(disk.at("f")); },
     [](auto files) { return !files.contains("f") && files["g"] == old_text && keeps_old(files); }}};

/// Whether it was made.
bool try_change(const Change& change, unsigned pages, unsigned files) {
  const SmallDisk disk{pages, files};
  bool is_refused = false;
  try {
    change.make(disk);
  } catch (const toolwire::ToolError&) {
    is_refused = true;
  }
  const auto after = disk.files();
  BOOST_TEST_CONTEXT(change.name << " with " << pages << " pages and " << files << " files more") {
    if (is_refused)
      BOOST_TEST((after == before));
    else
      BOOST_TEST(change.is_made(after));
  }
  return !is_refused;
}

/// From no room to enough: there is one point from which on it is made, and it is not at the beginning.
void try_with_more_and_more(const std::function<bool(const Change&, unsigned)>& attempt) {
  constexpr unsigned enough = 24;
  for (const Change& change : changes) {
    BOOST_TEST(!attempt(change, 0), change.name);
    for (unsigned room = 1; room < enough; ++room) attempt(change, room);
    BOOST_TEST(attempt(change, enough), change.name);
  }
}

}  // namespace

BOOST_TEST_DECORATOR(*boost::unit_test::precondition(mounts))
BOOST_AUTO_TEST_CASE(without_room_for_its_bytes_a_change_is_made_or_leaves_nothing) {
  try_with_more_and_more([](const Change& change, unsigned room) { return try_change(change, room, 100); });
}

BOOST_TEST_DECORATOR(*boost::unit_test::precondition(mounts))
BOOST_AUTO_TEST_CASE(without_room_for_its_files_a_change_is_made_or_leaves_nothing) {
  try_with_more_and_more([](const Change& change, unsigned room) { return try_change(change, 100, room); });
}
