#include <toolwire/system/file_text.hpp>

#define BOOST_TEST_MODULE file_text_test
#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <system_error>
#include <thread>

#include <toolwire/system/file_descriptor.hpp>

#include "scratch_folder.hpp"

using toolwire::system::beginning_of_file;
using toolwire::system::text_of_file;
using toolwire_test::ScratchFolder;

namespace {

/// What is wrong with reading it.
std::string trouble_with(const std::string& path, std::size_t most = 100) {
  try {
    text_of_file(path, most);
    return "";
  } catch (const std::system_error& error) {
    return error.what();
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_file_is_read_whole_whatever_it_holds) {
  const ScratchFolder folder;
  const std::string text = std::string("a\0\r\n", 4) + std::string(200'000, 'b');
  BOOST_TEST((text_of_file(folder.file("some", text).string()) == text));
  BOOST_TEST(text_of_file(folder.file("none", "").string()) == "");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_read_is_named_with_the_reason) {
  const ScratchFolder folder;
  const std::string missing = (folder / "missing").string();
  BOOST_TEST(trouble_with(missing) == missing + ": cannot be read: No such file or directory");
  const std::string itself = (folder / ".").string();
  BOOST_TEST(trouble_with(itself) == itself + ": cannot be read: Is a directory");
}

BOOST_AUTO_TEST_CASE(of_a_file_no_more_is_read_than_wanted) {
  const ScratchFolder folder;
  const std::string file = folder.file("ten", "0123456789").string();
  BOOST_TEST(beginning_of_file(file, 4) == "0123");
  BOOST_TEST(beginning_of_file(file, 11) == "0123456789");
}

BOOST_AUTO_TEST_CASE(a_pipe_is_read_to_its_end_and_nobody_waits_for_one_without_a_writer) {
  const ScratchFolder folder;
  const std::string pipe = (folder / "pipe").string();
  BOOST_REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  BOOST_TEST(text_of_file(pipe) == "");
  toolwire::system::FileDescriptor writer(::open(pipe.c_str(), O_RDWR | O_CLOEXEC));
  BOOST_REQUIRE(::write(writer.get(), "some", 4) == 4);
  std::thread closing([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (::write(writer.get(), " text", 5) != 5) std::abort();
    writer.reset();
  });
  BOOST_TEST(text_of_file(pipe) == "some text");
  closing.join();
}

BOOST_AUTO_TEST_CASE(a_writer_that_is_silent_is_not_waited_for_without_end) {
  const ScratchFolder folder;
  const std::string pipe = (folder / "pipe").string();
  BOOST_REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const toolwire::system::FileDescriptor writer(::open(pipe.c_str(), O_RDWR | O_CLOEXEC));
  BOOST_TEST(trouble_with(pipe) == pipe + ": cannot be read: Connection timed out");
}

BOOST_AUTO_TEST_CASE(a_file_of_more_bytes_than_wanted_is_refused) {
  const ScratchFolder folder;
  const std::string file = folder.file("ten", "0123456789").string();
  BOOST_TEST(trouble_with(file, 10) == "");
  BOOST_TEST(trouble_with(file, 9) == file + ": cannot be read: File too large");
}
