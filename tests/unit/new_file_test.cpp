#include <toolwire/system/new_file.hpp>

#define BOOST_TEST_MODULE new_file_test
#include <fcntl.h>
#include <sys/xattr.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <toolwire/system/file_descriptor.hpp>

#include "scratch_folder.hpp"

using toolwire::system::FileDescriptor;
using toolwire::system::NewFile;
using toolwire::system::remove_expected;
using toolwire::system::replace_file;

namespace {

std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

struct Folder {
  toolwire_test::ScratchFolder folder;
  std::string file = (folder / "file").string();

  auto entries() const { return std::distance(std::filesystem::directory_iterator(folder.path()), {}); }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_file_is_made_and_replaced_and_nothing_else_is_left, Folder) {
  replace_file(file, "one");
  replace_file(file, "the other");
  BOOST_TEST(content_of(file) == "the other");
  BOOST_TEST(entries() == 1);
}

BOOST_FIXTURE_TEST_CASE(a_new_file_takes_the_rights_of_the_old_one, Folder) {
  const std::filesystem::perms odd = static_cast<std::filesystem::perms>(0626);  // more than a umask leaves
  std::filesystem::permissions(folder.file("file", "one"), odd);
  NewFile next(file, 0600);
  next.take_after(file);
  next.replace();
  BOOST_TEST((std::filesystem::status(file).permissions() == odd));
  NewFile other(file, 0600);
  BOOST_CHECK_THROW(other.take_after((folder / "missing").string()), std::system_error);
}

/// In the form of the kernel: this user, user 65534, the group, the most that these have, others.
std::string access_list_with(char of_user, char of_group, char most) {
  using namespace std::string_literals;
  const auto entry = [](char tag, char rights, const char* id) { return std::string{tag, 0, rights, 0}.append(id, 4); };
  constexpr const char* nobody_named = "\xff\xff\xff\xff";
  return "\x02\0\0\0"s + entry(1, 6, nobody_named) + entry(2, of_user, "\xfe\xff\0\0") +
         entry(4, of_group, nobody_named) + entry(16, most, nobody_named) + entry(32, 0, nobody_named);
}

std::string access_list_of(const std::string& file, const char* name = "system.posix_acl_access") {
  std::string list(1000, '\0');
  list.resize(static_cast<std::size_t>(std::max<ssize_t>(0, ::getxattr(file.c_str(), name, list.data(), list.size()))));
  return list;
}

BOOST_FIXTURE_TEST_CASE(a_new_file_takes_the_access_control_list_of_the_old_one_and_no_other, Folder) {
  const auto set = [](const std::string& path, const char* name, const std::string& list) {
    return ::setxattr(path.c_str(), name, list.data(), list.size(), 0) == 0;
  };
  const auto made_anew = [this] {
    NewFile next(file, 0600);
    next.take_after(file);
    next.replace();
  };
  folder.file("file", "one");
  const std::string list = access_list_with(4, 0, 4);
  if (!set(file, "system.posix_acl_access", list)) {
    BOOST_TEST_MESSAGE("no access control lists here: left out");
    return;
  }
  made_anew();
  BOOST_TEST((access_list_of(file) == list));
  BOOST_REQUIRE(::removexattr(file.c_str(), "system.posix_acl_access") == 0);
  std::filesystem::permissions(file, std::filesystem::perms(0640));
  BOOST_REQUIRE(set(folder.text(), "system.posix_acl_default", access_list_with(6, 6, 6)));
  made_anew();
  BOOST_TEST(access_list_of(file).empty());
  BOOST_TEST((std::filesystem::status(file).permissions() == std::filesystem::perms(0640)));
}

BOOST_FIXTURE_TEST_CASE(what_killed_processes_left_long_ago_is_removed_and_nothing_else, Folder) {
  const auto made_at = [&](const std::string& name, std::chrono::seconds ago) {
    folder.file(name);
    std::filesystem::last_write_time(folder / name, std::filesystem::file_time_type::clock::now() - ago);
  };
  made_at(".toolwire-123.tmp", std::chrono::seconds(120));
  made_at(".toolwire-456.tmp", std::chrono::seconds(10));
  for (const char* name :
       {".toolwire-.tmp", ".toolwire-12a.tmp", ".toolwire-12.tmp.bak", "toolwire-12.tmp", ".toolwire-12"})
    made_at(name, std::chrono::hours(1));
  std::filesystem::create_directory(folder / ".toolwire-789.tmp");
  folder.link("nowhere", ".toolwire-321.tmp");
  const auto before = entries();
  replace_file(file, "content");
  BOOST_TEST(!std::filesystem::exists(folder / ".toolwire-123.tmp"));
  BOOST_TEST(entries() == before);  // one gone, one made
}

BOOST_FIXTURE_TEST_CASE(until_it_is_put_in_place_the_old_content_stands, Folder) {
  replace_file(file, "old");
  {
    NewFile draft(file, 0600);
    draft.write("new");
    BOOST_TEST(content_of(file) == "old");
    BOOST_TEST(entries() == 2);
  }
  BOOST_TEST(content_of(file) == "old");
  BOOST_TEST(entries() == 1);
}

BOOST_FIXTURE_TEST_CASE(what_is_there_is_not_replaced_where_the_name_must_be_free, Folder) {
  const FileDescriptor opened{::open(folder.text().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
  NewFile first(opened.get(), "file", 0600);
  first.write("first");
  first.put_at_free_name();
  NewFile second(opened.get(), "file", 0600);
  BOOST_CHECK_EXCEPTION(second.put_at_free_name(), std::system_error,
                        [](const std::system_error& error) { return error.code().value() == EEXIST; });
  BOOST_TEST(content_of(file) == "first");
}

BOOST_FIXTURE_TEST_CASE(what_somebody_else_has_written_meanwhile_stays, Folder) {
  const auto replaces = [&](std::string_view expected) {
    NewFile mine(file, 0600);
    mine.write("mine");
    mine.close();
    return mine.replace_expected(expected);
  };
  replace_file(file, "theirs");
  BOOST_TEST(!replaces(""));
  BOOST_TEST(!replaces("their"));
  BOOST_TEST(!replaces("theirs, longer"));
  BOOST_TEST(content_of(file) == "theirs");
  BOOST_TEST(replaces("theirs"));
  BOOST_TEST(content_of(file) == "mine");
  BOOST_TEST(entries() == 1);
  BOOST_TEST(!remove_expected(file, "theirs"));
  BOOST_TEST(content_of(file) == "mine");
  BOOST_TEST(remove_expected(file, "mine"));
  BOOST_TEST(!replaces("mine"));
  BOOST_TEST(!remove_expected(file, "mine"));
  BOOST_TEST(entries() == 0);
}

BOOST_FIXTURE_TEST_CASE(what_somebody_is_about_to_write_in_place_stays, Folder) {
  replace_file(file, "old");
  std::ofstream theirs(file, std::ios::in | std::ios::out);
  NewFile mine(file, 0600);
  mine.write("mine");
  mine.close();
  BOOST_TEST(!mine.replace_expected("old"));
  theirs << "theirs" << std::flush;
  BOOST_TEST(content_of(file) == "theirs");
}

BOOST_FIXTURE_TEST_CASE(an_error_names_the_file, Folder) {
  const std::string elsewhere = (folder / "missing/file").string();
  BOOST_CHECK_EXCEPTION(replace_file(elsewhere, ""), std::system_error, [&](const std::system_error& error) {
    return error.code().value() == ENOENT && std::string(error.what()).find(elsewhere) != std::string::npos;
  });
}
