#include <toolwire/system/new_file.hpp>

#define BOOST_TEST_MODULE new_file_test
#include <fcntl.h>

#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <toolwire/system/file_descriptor.hpp>

#include "scratch_folder.hpp"

using toolwire::system::FileDescriptor;
using toolwire::system::NewFile;
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

BOOST_FIXTURE_TEST_CASE(an_error_names_the_file, Folder) {
  const std::string elsewhere = (folder / "missing/file").string();
  BOOST_CHECK_EXCEPTION(replace_file(elsewhere, ""), std::system_error, [&](const std::system_error& error) {
    return error.code().value() == ENOENT && std::string(error.what()).find(elsewhere) != std::string::npos;
  });
}
