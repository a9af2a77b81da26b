#include <toolwire/system/private_file.hpp>

#define BOOST_TEST_MODULE private_file_test
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>

#include "file_content.hpp"
#include "scratch_folder.hpp"

using namespace toolwire::system;
using namespace std::chrono_literals;
using Access = PrivateFile::Access;
namespace fs = std::filesystem;

namespace {

constexpr auto for_its_user = fs::perms::owner_read | fs::perms::owner_write;

bool opens(const fs::path& path, Access access = Access::read) { return PrivateFile(path.string(), access).is_open(); }

}  // namespace

BOOST_AUTO_TEST_CASE(folders_are_made_for_their_user_alone) {
  const toolwire_test::ScratchFolder folder;
  make_private_folders((folder / "a/b/c").string());
  BOOST_TEST(fs::is_directory(folder / "a/b/c"));
  for (const char* const made : {"a", "a/b", "a/b/c"})
    BOOST_TEST((fs::status(folder / made).permissions() == fs::perms::owner_all), made);
  make_private_folders((folder / "a/b/c").string());  // that they are there is no fault
}

BOOST_AUTO_TEST_CASE(a_file_is_made_for_its_user_alone_and_one_that_is_there_stays) {
  const toolwire_test::ScratchFolder folder;
  make_private_file((folder / "new").string());
  BOOST_TEST((fs::status(folder / "new").permissions() == for_its_user));
  const fs::path old = folder.file("old", "text");
  make_private_file(old.string());
  BOOST_TEST(toolwire_test::content_of(old) == "text");
}

BOOST_AUTO_TEST_CASE(only_a_regular_file_of_this_user_alone_is_opened) {
  const toolwire_test::ScratchFolder folder;
  BOOST_TEST(!opens(folder / "none"));
  BOOST_TEST(opens(folder / "made", Access::read_and_write));
  BOOST_TEST((fs::status(folder / "made").permissions() == for_its_user));
  BOOST_TEST(opens(folder / "made"));
  folder.link("made", "link");
  BOOST_TEST(!opens(folder / "link"));
  BOOST_TEST(!opens(folder.folder("folder")));
  for (const fs::perms others : {fs::perms::group_read, fs::perms::others_write}) {
    fs::permissions(folder / "made", for_its_user | others);
    BOOST_TEST(!opens(folder / "made"));
    BOOST_TEST(!opens(folder / "made", Access::read_and_write));
  }
}

BOOST_AUTO_TEST_CASE(it_is_read_written_and_cut) {
  const toolwire_test::ScratchFolder folder;
  const std::string path = (folder / "file").string();
  const PrivateFile file(path, Access::read_and_write);
  BOOST_TEST(file.read_all(100).value() == "");
  BOOST_TEST(file.write("one two", 0));
  BOOST_TEST(file.write("2", 4));
  BOOST_TEST(file.keep());
  BOOST_TEST(file.read_all(7).value() == "one 2wo");
  BOOST_TEST(!file.read_all(6).has_value());
  BOOST_TEST(file.cut(3));
  BOOST_TEST(toolwire_test::content_of(path) == "one");
  BOOST_TEST(!PrivateFile(path, Access::read).write("x", 0));
}

BOOST_AUTO_TEST_CASE(one_of_several_has_the_lock_until_it_lets_go) {
  const toolwire_test::ScratchFolder folder;
  const std::string path = (folder / "file").string();
  const PrivateFile waiting(path, Access::read_and_write);
  {
    const PrivateFile first(path, Access::read_and_write);
    BOOST_TEST(first.lock(0ms));
    BOOST_TEST(!waiting.lock(10ms));
  }
  BOOST_TEST(waiting.lock(0ms));
}
