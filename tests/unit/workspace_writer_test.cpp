#include "workspace/changes/writer.hpp"

#define BOOST_TEST_MODULE workspace_writer_test
#include <grp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <toolwire/error.hpp>
#include <vector>

#include "file_content.hpp"
#include "scratch_folder.hpp"

using namespace std::string_literals;
using workspace::Changed;
using workspace::EditRequest;
using workspace::Root;
using workspace::Secrets;
using workspace::WriteRequest;

namespace {

struct Tree {
  toolwire_test::ScratchFolder folder{toolwire_test::ScratchFolder::in_memory()};
  Root root = Root::at(folder.text(), Secrets::left_out);

  Changed write(const std::string& path, const WriteRequest& request) const {
    return workspace::write_file({&root, path, ""}, request, {});
  }
  Changed edit(const std::string& path, const EditRequest& request) const {
    return workspace::edit_file({&root, path, ""}, request, {});
  }

  std::string content(const std::string& path) const { return toolwire_test::content_of(folder / path); }

  // Why it was refused, or "done".
  template <class Act>
  static std::string refusal(Act act) {
    try {
      act();
    } catch (const toolwire::ToolError& error) {
      return error.what();
    }
    return "done";
  }

  // Names in a folder, temporary files and all.
  std::size_t entries(const std::string& path = "") const {
    const auto all = std::filesystem::directory_iterator(folder / path);
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }
};

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// While it lives this process writes no file larger than that.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

const std::vector<workspace::TextEdit> a_to_b{{"a", "b"}};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_file_is_not_made_under_the_path_of_a_directory, Tree) {
  for (const std::string path : {"a/", "new/a/", "a/.", "./"})
    BOOST_TEST(refusal([&] {
                 write(path, {.content = "x", .overwrite = true});
               }).ends_with(" ends as the path of a directory does; expected that of a file, such as notes/a.txt"),
               path);
  BOOST_TEST(!std::filesystem::exists(folder / "a"));
  BOOST_TEST(!std::filesystem::exists(folder / "new"));
}

BOOST_FIXTURE_TEST_CASE(a_new_file_is_made_with_the_folders_above_it, Tree) {
  const Changed made = write("x/y/z.txt", {.content = "hello\n"});
  BOOST_TEST(content("x/y/z.txt") == "hello\n");
  BOOST_TEST(made.created);
  BOOST_TEST(made.path == "x/y/z.txt");
  BOOST_TEST(!made.kept);
  BOOST_TEST(made.hash.value() == "sha256:5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03");
  BOOST_TEST(made.undo.value() == R"(delete {"path":"x/y/z.txt"})");
  BOOST_TEST(entries("x/y") == 1U);
}

BOOST_FIXTURE_TEST_CASE(a_file_that_is_there_is_replaced_only_when_that_is_said, Tree) {
  folder.file("f", "old");
  BOOST_TEST(says(refusal([&] { write("f", {.content = "new"}); }), "exists already"));
  BOOST_TEST(content("f") == "old");
  const Changed changed = write("f", {.content = "new", .overwrite = true});
  BOOST_TEST(content("f") == "new");
  BOOST_TEST(!changed.created);
  BOOST_TEST(content(changed.kept.value()) == "old");
  BOOST_TEST(content(".workspace-trash/.gitignore") == "*\n");
}

BOOST_FIXTURE_TEST_CASE(an_edit_keeps_the_mode_and_the_old_version, Tree) {
  folder.file("f", "a\n");
  std::filesystem::permissions(folder / "f", std::filesystem::perms{0751});
  const Changed changed = edit("f", {.edits = a_to_b});
  BOOST_TEST(content("f") == "b\n");
  struct stat status {};
  BOOST_REQUIRE(::stat((folder / "f").c_str(), &status) == 0);
  BOOST_TEST((status.st_mode & 07777U) == 0751U);
  BOOST_TEST(content(changed.kept.value()) == "a\n");
  BOOST_TEST(changed.diff.value() == "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n");
  BOOST_TEST(entries() == 2U);
}

BOOST_FIXTURE_TEST_CASE(versions_of_the_same_moment_do_not_meet_in_the_trash, Tree) {
  folder.file("f", "0");
  for (int i = 0; i < 50; ++i) edit("f", {.edits = {{std::to_string(i), std::to_string(i + 1)}}});
  BOOST_TEST(content("f") == "50");
  BOOST_TEST(entries(".workspace-trash") == 51U);
}

BOOST_FIXTURE_TEST_CASE(a_dry_run_shows_the_difference_and_changes_nothing, Tree) {
  folder.file("f", "a\n");
  const Changed edited = edit("f", {.edits = a_to_b, .dry_run = true});
  const Changed made = write("n/e/w", {.content = "x\n", .dry_run = true});
  BOOST_TEST(!edited.changed);
  BOOST_TEST(says(edited.diff.value(), "-a\n+b\n"));
  BOOST_TEST(says(made.diff.value(), "@@ -0,0 +1 @@\n+x\n"));
  BOOST_TEST(content("f") == "a\n");
  BOOST_TEST(entries() == 1U);
}

BOOST_FIXTURE_TEST_CASE(no_folder_is_made_that_a_path_leaves_again, Tree) {
  folder.folder("there");
  BOOST_TEST(says(refusal([&] { write("a/b/../../f", {.content = "x"}); }), "\"a/b/../../f\" does not exist"));
  BOOST_TEST(entries() == 1U);
  BOOST_TEST(refusal([&] { write("there/../new/f", {.content = "x"}); }) == "done");
}

BOOST_FIXTURE_TEST_CASE(a_dry_run_expects_what_the_change_expects, Tree) {
  for (const bool dry_run : {true, false}) {
    const WriteRequest request{.content = "x\n", .dry_run = dry_run, .expected = {"sha256:00", ""}};
    BOOST_TEST(refusal([&] { write("new", request); }) ==
               "path: new does not exist, though its content or time was expected");
  }
}

BOOST_FIXTURE_TEST_CASE(changes_that_follow_each_other_at_once_have_times_of_their_own, Tree) {
  folder.file("f", "a");
  std::string last;
  for (int i = 0; i < 50; ++i) {
    const std::string modified =
        edit("f", {.edits = {{i % 2 == 0 ? "a" : "b", i % 2 == 0 ? "b" : "a"}}}).modified.value();
    BOOST_TEST(modified != last);
    last = modified;
  }
}

BOOST_FIXTURE_TEST_CASE(a_precondition_that_does_not_hold_changes_nothing, Tree) {
  folder.file("f", "a");
  const Changed first = edit("f", {.edits = a_to_b});
  const std::string hash = first.hash.value(), modified = first.modified.value();
  BOOST_TEST(refusal([&] { edit("f", {.edits = {{"b", "c"}}, .expected = {hash, modified}}); }) == "done");
  BOOST_TEST(says(refusal([&] { edit("f", {.edits = {{"c", "d"}}, .expected = {hash, ""}}); }), "expectedHash"));
  BOOST_TEST(says(refusal([&] {
                    edit("f", {.edits = {{"c", "d"}}, .expected = {"", modified}});
                  }),
                  "expectedModified"));
  BOOST_TEST(says(refusal([&] { write("g", {.content = "", .expected = {hash, ""}}); }), "does not exist"));
  BOOST_TEST(content("f") == "c");
}

BOOST_FIXTURE_TEST_CASE(encodings_and_line_ends_are_kept, Tree) {
  folder.file("latin1", "caf\xE9 a\r\n");
  folder.file("utf16", "\xFF\xFE"s + "a\0\n\0"s);
  folder.file("mark", "\xEF\xBB\xBF"s + "a\n");
  for (const char* name : {"latin1", "utf16", "mark"})
    edit(name, {.edits = {{name[0] == 'l' ? "\u00e9 a\n" : "a", "b\u00fc\n"}}});
  BOOST_TEST(content("latin1") == "cafb\xFC\r\n");
  BOOST_TEST(content("utf16") == "\xFF\xFE"s + "b\0\xFC\0\n\0\n\0"s);
  BOOST_TEST(content("mark") == "\xEF\xBB\xBF"s + "b\u00fc\n\n");
  BOOST_TEST(says(refusal([&] { edit("latin1", {.edits = {{"b", "\u20ac"}}}); }), "cannot hold a character"));
  folder.file("binary", "a\0b\1"s);
  BOOST_TEST(says(refusal([&] { edit("binary", {.edits = a_to_b}); }), "is binary"));
  folder.file("unmarked", "a\0b\0c\0"s);
  BOOST_TEST(says(refusal([&] { edit("unmarked", {.edits = a_to_b}); }), "would not survive"));
}

BOOST_FIXTURE_TEST_CASE(links_special_files_directories_and_read_only_files_are_not_written_to, Tree) {
  folder.file("f", "a");
  folder.link("f", "link");
  folder.link("nowhere", "dangling");
  folder.folder("d");
  folder.file("fixed", "a");
  std::filesystem::permissions(folder / "fixed", std::filesystem::perms{0444});
  BOOST_REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  for (const auto& [name, why] : {std::pair{"link", "is a symbolic link to f"},
                                  {"dangling", "is a symbolic link to nowhere"},
                                  {"d", "is a directory"},
                                  {"pipe", "is a named pipe"},
                                  {"fixed", "is read-only"}}) {
    BOOST_TEST(says(refusal([&, path = name] { edit(path, {.edits = a_to_b}); }), why), name);
    BOOST_TEST(says(refusal([&, path = name] { write(path, {.content = "x", .overwrite = true}); }), why), name);
  }
  BOOST_TEST(says(refusal([&] { edit("nothing", {.edits = a_to_b}); }), "does not exist"));
  BOOST_TEST(content("f") == "a");
  BOOST_TEST(!std::filesystem::exists(folder / "nowhere"));
}

BOOST_FIXTURE_TEST_CASE(edits_at_once_never_overwrite_each_other, Tree) {
  // Between marks, so that the text of an old number is never part of the present one ("9" would be part of "19").
  const auto text_of = [](int number) { return "<" + std::to_string(number) + ">\n"; };
  folder.file("f", text_of(0));
  std::atomic<int> applied = 0;
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) {
        const std::string now = content("f");
        const std::string next = text_of(std::stoi(now.substr(1)) + 1);
        applied += refusal([&] { edit("f", {.edits = {{now, next}}}); }) == "done" ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(applied > 0);
  BOOST_TEST(content("f") == text_of(applied));
}

BOOST_FIXTURE_TEST_CASE(a_failed_write_leaves_no_folders, Tree) {
  folder.folder("there");
  BOOST_TEST(says(refusal([&] {
                    write("there/x/y/f", {.content = "", .expected = {"sha256:0", ""}});
                  }),
                  "does not exist"));
  BOOST_TEST(entries("there") == 0U);
  BOOST_TEST(refusal([&] { write("there/x/y/f", {.content = ""}); }) == "done");
  BOOST_TEST(entries("there/x/y") == 1U);
}

BOOST_FIXTURE_TEST_CASE(a_failed_edit_leaves_no_trace, Tree) {
  folder.file("f", "a a");
  BOOST_TEST(says(refusal([&] { edit("f", {.edits = a_to_b}); }), "2 times"));
  BOOST_TEST(entries() == 1U);
}

BOOST_FIXTURE_TEST_CASE(a_file_with_another_link_is_replaced_and_the_other_keeps_the_old_content, Tree) {
  folder.file("f", "a");
  std::filesystem::create_hard_link(folder / "f", folder / "other");
  BOOST_TEST(edit("f", {.edits = a_to_b}).other_names == 1U);
  BOOST_TEST(content("f") == "b");
  BOOST_TEST(content("other") == "a");
}

BOOST_FIXTURE_TEST_CASE(extended_attributes_are_kept, Tree) {
  const std::string path = folder.file("f", "a").string();
  if (::setxattr(path.c_str(), "user.note", "mine", 4, 0) != 0) {
    BOOST_TEST_MESSAGE("this file system has no extended attributes");
    return;
  }
  edit("f", {.edits = a_to_b});
  std::string value(16, '\0');
  const ssize_t size = ::getxattr(path.c_str(), "user.note", value.data(), value.size());
  BOOST_TEST(value.substr(0, size > 0 ? static_cast<std::size_t>(size) : 0) == "mine");
}

BOOST_FIXTURE_TEST_CASE(an_access_control_list_is_kept, Tree) {
  const std::string path = folder.file("f", "a").string();
  // As the kernel has it (linux/posix_acl_xattr.h): the owner, the user 1234, the group, the mask and others.
  const std::string list = "\2\0\0\0"s + "\1\0\6\0\377\377\377\377"s + "\2\0\4\0\322\4\0\0"s +
                           "\4\0\4\0\377\377\377\377"s + "\20\0\4\0\377\377\377\377"s + "\40\0\0\0\377\377\377\377"s;
  const char* const name = "system.posix_acl_access";
  if (::setxattr(path.c_str(), name, list.data(), list.size(), 0) != 0) {
    std::fprintf(stderr, "SKIPPED: this file system has no access control lists\n");
    return;
  }
  edit("f", {.edits = a_to_b});
  std::string kept(200, '\0');
  const ssize_t size = ::getxattr(path.c_str(), name, kept.data(), kept.size());
  kept.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  BOOST_TEST((kept == list));
  BOOST_TEST(content("f") == "b");
}

BOOST_FIXTURE_TEST_CASE(an_owner_is_kept_or_the_change_refused, Tree) {
  const std::string path = folder.file("f", "a").string();
  if (::chown(path.c_str(), 12345, 23456) != 0) {
    std::fprintf(stderr, "SKIPPED: only root gives files to others\n");
    return;
  }
  edit("f", {.edits = a_to_b});
  struct stat status {};
  BOOST_REQUIRE(::stat(path.c_str(), &status) == 0);
  BOOST_TEST(status.st_uid == 12345U);
  BOOST_TEST(status.st_gid == 23456U);
  std::filesystem::permissions(folder.path(), std::filesystem::perms{0777});
  std::filesystem::permissions(path, std::filesystem::perms{0666});
  std::filesystem::remove_all(folder / ".workspace-trash");
  // Somebody else, who may write to the file and to the folder.
  const pid_t other = ::fork();
  if (other == 0) {
    const bool is_other = ::setgroups(0, nullptr) == 0 && ::setgid(65534) == 0 && ::setuid(65534) == 0;
    const std::string why = refusal([&] { edit("f", {.edits = {{"b", "c"}}}); });
    ::_exit(is_other && says(why, "may not give files to") ? 0 : 1);
  }
  int end = 0;
  BOOST_REQUIRE(::waitpid(other, &end, 0) == other);
  BOOST_TEST((WIFEXITED(end) && WEXITSTATUS(end) == 0));
  BOOST_TEST(content("f") == "b");
  BOOST_TEST(entries() == 2U);
  BOOST_TEST(entries(".workspace-trash") == 1U);  // its rule
}

BOOST_FIXTURE_TEST_CASE(a_file_that_cannot_be_written_leaves_no_trash, Tree) {
  folder.file("f", "a");
  {
    const FileSizeLimit limit{3};
    BOOST_TEST(refusal([&] { edit("f", {.edits = {{"a", "long"}}}); }) != "done");
  }
  BOOST_TEST(content("f") == "a");
  std::size_t kept = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / ".workspace-trash"))
    kept += entry.path().filename() == ".gitignore" ? 0U : 1U;
  BOOST_TEST(kept == 0U);
}

BOOST_FIXTURE_TEST_CASE(of_several_files_all_are_rewritten_or_none, Tree) {
  for (const char* name : {"a", "b", "c"}) folder.file(name, "old\n");
  const std::vector<workspace::Located> files{{&root, "a", ""}, {&root, "b", ""}, {&root, "c", ""}};
  int seen = 0;
  const auto rewrite = [&](std::string_view, std::string_view) {
    // Somebody changes the last file after it was read, so that it cannot be written when its turn comes.
    if (++seen == 3) folder.file("c", "changed meanwhile\n");
    return "new\n"s;
  };
  BOOST_TEST(refusal([&] { workspace::rewrite_files(files, rewrite, false, {}); }) != "done");
  BOOST_TEST(content("a") == "old\n");
  BOOST_TEST(content("b") == "old\n");
  BOOST_TEST(content("c") == "changed meanwhile\n");
  BOOST_TEST(workspace::rewrite_files(files, rewrite, true, {}).size() == 3U);
  BOOST_TEST(content("a") == "old\n");
  const auto same = [](std::string_view text, std::string_view) {
    return text == "old\n" ? "new\n"s : std::string(text);
  };
  const std::vector<Changed> done = workspace::rewrite_files(files, same, false, {});
  BOOST_REQUIRE(done.size() == 2U);  // one stays as it is
  BOOST_TEST(done[1].path == "b");
  BOOST_TEST(content("b") == "new\n");
}
