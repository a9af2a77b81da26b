#include "workspace/system/root.hpp"

#define BOOST_TEST_MODULE workspace_root_test
#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <toolwire/error.hpp>

#include "scratch_folder.hpp"

using toolwire::system::FileDescriptor;
using workspace::FileKind;
using workspace::LastLink;
using workspace::Root;

namespace {

// A root "top" with a file inside; beside it what must never be reached.
struct Tree {
  toolwire_test::ScratchFolder folder;
  Root root = (folder.file("top/inside.txt", "inside"), folder.file("top/a/b/deep.txt", "deep"),
               folder.file("secret.txt", "secret"), folder.file("top_evil/secret.txt", "secret"),
               Root::at((folder / "top").string()));

  std::string read(std::string_view path) const {
    const FileDescriptor file = root.open_file(path);
    std::array<char, 64> bytes{};
    const ssize_t count = ::read(file.get(), bytes.data(), bytes.size());
    return {bytes.data(), static_cast<std::size_t>(count)};
  }

  // Why the path was refused, or what was read in quotes.
  std::string refusal(std::string_view path) const {
    try {
      return '"' + read(path) + '"';
    } catch (const toolwire::ToolError& error) {
      return error.what();
    }
  }

  void link(const std::filesystem::path& target, const std::string& name) const { folder.link(target, "top/" + name); }
};

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_FIXTURE_TEST_CASE(paths_inside_are_read_however_they_are_spelled, Tree) {
  const std::string absolute = (folder / "top").string();
  for (const std::string& path :
       {std::string("inside.txt"), std::string("./inside.txt"), std::string(".//./inside.txt"),
        std::string("a/../inside.txt"), absolute + "/inside.txt", "/" + absolute + "//inside.txt"}) {
    BOOST_TEST(read(path) == "inside", path);
  }
  BOOST_TEST(read("a/b/deep.txt") == "deep");
}

BOOST_FIXTURE_TEST_CASE(an_absolute_path_is_accepted_below_either_spelling_of_the_root, Tree) {
  folder.link(folder / "top", "by_link");
  const Root linked = Root::at((folder / "by_link").string());
  BOOST_TEST(linked.relative((folder / "by_link/inside.txt").string()) == "inside.txt");
  BOOST_TEST(linked.relative((folder / "top/inside.txt").string()) == "inside.txt");
  BOOST_TEST(linked.relative((folder / "top").string()) == ".");
}

BOOST_FIXTURE_TEST_CASE(going_up_is_refused_at_every_depth, Tree) {
  std::string up;
  for (int depth = 1; depth <= 40; ++depth) {
    up += "../";
    BOOST_TEST(says(refusal(up + "secret.txt"), "leads outside"), up);
    BOOST_TEST(says(refusal("a/b/" + up + "../../secret.txt"), "leads outside"), up);
    BOOST_TEST(says(refusal(up + "etc/passwd"), "leads outside"), up);
  }
}

BOOST_FIXTURE_TEST_CASE(going_out_and_in_again_is_refused, Tree) {
  BOOST_TEST(says(refusal("../top/inside.txt"), "leads outside"));
  BOOST_TEST(says(refusal((folder / "top").string() + "/../secret.txt"), "leads outside"));
}

BOOST_FIXTURE_TEST_CASE(absolute_paths_elsewhere_and_prefix_siblings_are_refused_naming_the_root, Tree) {
  const std::string top = (folder / "top").string();
  for (const std::string& path : {std::string("/etc/passwd"), std::string("/"), top + "_evil/secret.txt", folder.text(),
                                  std::string("/proc/self/root/etc/passwd"), std::string("/dev/fd/0")}) {
    BOOST_TEST(says(refusal(path), "outside the workspace"), path);
    BOOST_TEST(says(refusal(path), top), path);
  }
  BOOST_TEST(says(refusal("../top_evil/secret.txt"), "leads outside"));
}

BOOST_FIXTURE_TEST_CASE(encoded_dots_are_ordinary_names, Tree) {
  // NOLINTBEGIN(misc-misleading-bidirectional): their subject
  for (const char* path :
       {"%2e%2e/secret.txt", "..%2fsecret.txt", "\xC0\xAE\xC0\xAE/secret.txt", "..\\secret.txt",
        "\u2024\u2024/secret.txt", "..\u200B/secret.txt", "\u202E../secret.txt", "file:///etc/passwd"}) {
    // NOLINTEND(misc-misleading-bidirectional)
    BOOST_TEST(says(refusal(path), "does not exist"), path);
  }
}

BOOST_FIXTURE_TEST_CASE(links_that_stay_inside_are_followed, Tree) {
  link("inside.txt", "plain");
  link("a", "middle");
  link("plain", "chain");
  BOOST_TEST(read("plain") == "inside");
  BOOST_TEST(read("chain") == "inside");
  BOOST_TEST(read("middle/b/deep.txt") == "deep");
}

BOOST_FIXTURE_TEST_CASE(links_that_lead_out_are_refused, Tree) {
  link("../secret.txt", "out");
  link(folder / "secret.txt", "absolute");
  link("..", "up");
  link("out", "chain");
  link("/proc/self/root", "proc");
  link("/dev/zero", "zero");
  link("/dev/fd/0", "standard_input");
  for (const char* path : {"out", "absolute", "up/secret.txt", "up/top/up/secret.txt", "chain", "proc/etc/passwd",
                           "zero", "standard_input"}) {
    BOOST_TEST(says(refusal(path), "leads outside"), path);
  }
}

BOOST_FIXTURE_TEST_CASE(an_absolute_link_to_the_inside_is_refused_too, Tree) {
  link(folder / "top/inside.txt", "absolute");
  BOOST_TEST(says(refusal("absolute"), "leads outside"));
}

BOOST_FIXTURE_TEST_CASE(loops_and_dangling_links_are_told_apart, Tree) {
  link("second", "first");
  link("first", "second");
  link("self", "self");
  link("nowhere", "dangling");
  BOOST_TEST(says(refusal("first"), "cannot be followed"));
  BOOST_TEST(says(refusal("self"), "cannot be followed"));
  BOOST_TEST(says(refusal("dangling"), "does not exist"));
  BOOST_TEST(!std::filesystem::exists(folder / "top/nowhere"));
}

BOOST_AUTO_TEST_CASE(links_of_proc_are_refused_even_when_everything_is_the_root) {
  const Root everything = Root::at("/");
  BOOST_TEST(everything.problem() == "");
  BOOST_TEST(everything.relative("/etc/passwd") == "etc/passwd");
  for (const char* path : {"proc/self/root/etc/passwd", "/proc/self/fd/0", "proc/self/cwd", "proc/self/exe"}) {
    BOOST_CHECK_EXCEPTION(everything.open_file(path), toolwire::ToolError,
                          [](const auto& error) { return says(error.what(), "cannot be followed"); });
  }
}

BOOST_AUTO_TEST_CASE(devices_are_refused_by_kind) {
  const Root devices = Root::at("/dev");
  for (const char* path : {"zero", "null", "random"}) {
    BOOST_CHECK_EXCEPTION(devices.open_file(path), toolwire::ToolError,
                          [](const auto& error) { return says(error.what(), "is a device"); });
  }
}

BOOST_FIXTURE_TEST_CASE(named_pipes_are_refused_without_waiting_for_a_writer, Tree) {
  BOOST_REQUIRE(::mkfifo((folder / "top/pipe").c_str(), 0600) == 0);
  BOOST_TEST(says(refusal("pipe"), "is a named pipe; expected a regular file"));
}

BOOST_FIXTURE_TEST_CASE(what_is_not_a_regular_file_is_not_opened_for_a_moment, Tree) {
  BOOST_REQUIRE(::mkfifo((folder / "top/pipe").c_str(), 0600) == 0);
  const FileDescriptor events{::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)};
  BOOST_REQUIRE(::inotify_add_watch(events.get(), (folder / "top").c_str(), IN_OPEN) >= 0);
  std::array<char, 4096> event{};
  refusal("pipe");
  BOOST_TEST(::read(events.get(), event.data(), event.size()) == -1);
  read("inside.txt");
  BOOST_TEST(::read(events.get(), event.data(), event.size()) > 0);
}

BOOST_FIXTURE_TEST_CASE(no_open_waits, Tree) {
  const FileDescriptor file = root.open_file("inside.txt");
  BOOST_TEST((::fcntl(file.get(), F_GETFL) & O_NONBLOCK) != 0);
  BOOST_REQUIRE(::mkfifo((folder / "top/pipe").c_str(), 0600) == 0);
  BOOST_TEST(root.try_open("pipe", O_RDONLY, LastLink::refuse).error == 0);
}

BOOST_FIXTURE_TEST_CASE(sockets_are_refused, Tree) {
  const FileDescriptor socket{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = (folder / "top/socket").string();
  BOOST_REQUIRE(path.size() < sizeof address.sun_path);
  path.copy(address.sun_path, path.size());
  BOOST_REQUIRE(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  BOOST_TEST(says(refusal("socket"), "is a socket"));
}

BOOST_FIXTURE_TEST_CASE(a_directory_is_not_read_as_a_file, Tree) {
  BOOST_TEST(says(refusal("a"), "is a directory; expected a file (list_files"));
  BOOST_TEST(says(refusal("."), "is a directory"));
  BOOST_TEST(says(refusal("inside.txt/x"), "not a directory"));
}

BOOST_FIXTURE_TEST_CASE(paths_that_no_file_can_have_are_refused_by_name, Tree) {
  BOOST_TEST(says(refusal(""), "is empty; expected"));
  BOOST_TEST(says(refusal(std::string("inside.txt\0.png", 15)), "NUL"));
  BOOST_TEST(says(refusal(std::string(256, 'x')), "longer than 255"));
  BOOST_TEST(says(refusal(std::string(5000, '/') + "x"), "longer than 4095"));
  BOOST_TEST(says(refusal("a/" + std::string(100000, 'x')), "longer than 4095"));
  BOOST_TEST(refusal(std::string(100000, 'x')).size() < 600U);
}

BOOST_FIXTURE_TEST_CASE(odd_names_are_read_and_shown_escaped_in_errors, Tree) {
  folder.file("top/new\nline.txt", "odd");
  folder.file("top/\u202Ebidi\u200B", "odd");  // NOLINT(misc-misleading-bidirectional): its subject
  BOOST_TEST(read("new\nline.txt") == "odd");
  BOOST_TEST(read("\u202Ebidi\u200B") == "odd");  // NOLINT(misc-misleading-bidirectional): its subject
  BOOST_TEST(says(refusal("no\nsuch"), R"("no\u{A}such" does not exist)"));
  BOOST_TEST(refusal("no\nsuch").find('\n') == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(the_root_stays_the_directory_that_was_opened, Tree) {
  std::filesystem::rename(folder / "top", folder / "moved");
  folder.link("top_evil", "top");
  BOOST_TEST(read("inside.txt") == "inside");
  BOOST_TEST(says(refusal("secret.txt"), "does not exist"));
  std::filesystem::remove_all(folder / "moved");
  BOOST_TEST(says(refusal("inside.txt"), "was removed"));
}

BOOST_FIXTURE_TEST_CASE(a_directory_moved_out_of_the_root_is_out_of_reach, Tree) {
  const FileDescriptor held = root.open_directory("a");
  std::filesystem::rename(folder / "top/a", folder / "a");
  BOOST_TEST(says(refusal("a/b/deep.txt"), "does not exist"));
}

BOOST_FIXTURE_TEST_CASE(a_last_link_can_be_refused, Tree) {
  link("inside.txt", "plain");
  BOOST_TEST(root.try_open("plain", O_RDONLY, LastLink::refuse).error == ELOOP);
  BOOST_TEST(root.try_open("plain", O_RDONLY, LastLink::follow).error == 0);
}

BOOST_FIXTURE_TEST_CASE(descriptors_are_not_inherited, Tree) {
  const FileDescriptor file = root.open_file("inside.txt");
  const FileDescriptor directory = root.open_directory(".");
  BOOST_TEST((::fcntl(file.get(), F_GETFD) & FD_CLOEXEC) != 0);
  BOOST_TEST((::fcntl(directory.get(), F_GETFD) & FD_CLOEXEC) != 0);
}

BOOST_FIXTURE_TEST_CASE(kinds_are_told, Tree) {
  BOOST_TEST((root.kind_of(".") == FileKind::directory));
  BOOST_TEST((root.kind_of("inside.txt") == FileKind::regular));
  BOOST_CHECK_THROW(root.kind_of("nothing"), toolwire::ToolError);
}

BOOST_FIXTURE_TEST_CASE(a_root_that_is_not_there_answers_each_use_with_the_reason, Tree) {
  for (const std::string& path : {(folder / "nowhere").string(), (folder / "secret.txt").string(), std::string()}) {
    const Root broken = Root::at(path);
    BOOST_TEST(says(broken.problem(), "--root DIR"), path);
    BOOST_CHECK_EXCEPTION(broken.open_file("x"), toolwire::ToolError,
                          [&](const auto& error) { return error.what() == broken.problem(); });
    BOOST_CHECK_THROW(broken.open_directory("."), toolwire::ToolError);
    BOOST_CHECK_THROW(broken.kind_of("."), toolwire::ToolError);
  }
}

BOOST_FIXTURE_TEST_CASE(the_working_directory_is_a_root_unless_it_is_slash_or_gone, Tree) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder / "top");
  BOOST_TEST(Root::working_directory().problem() == "");
  BOOST_TEST(Root::working_directory().relative((folder / "top/inside.txt").string()) == "inside.txt");
  std::filesystem::current_path("/");
  BOOST_TEST(says(Root::working_directory().problem(), "started in /"));
  const std::filesystem::path gone = folder.folder("gone");
  std::filesystem::current_path(gone);
  std::filesystem::remove(gone);
  BOOST_TEST(says(Root::working_directory().problem(), "no usable working directory"));
  std::filesystem::current_path(before);
}
