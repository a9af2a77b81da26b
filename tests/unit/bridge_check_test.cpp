#include "commands/check.hpp"

#define BOOST_TEST_MODULE bridge_check_test
#include <boost/test/unit_test.hpp>
#include <sstream>

#include "manifest_document.hpp"
#include "scratch_folder.hpp"

using namespace toolwire::bridge;
using namespace toolwire_test;

namespace {

struct Checked {
  int status;
  std::string text;
};

Checked check(const std::vector<std::string>& files, bool with_hints = true) {
  std::ostringstream out;
  const int status = check_files(files, {.with_hints = with_hints}, out);
  BOOST_TEST_MESSAGE(out.str());
  return {status, out.str()};
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_manifest_of_the_document_has_no_problems) {
  const Checked checked = check({seed_path}, false);
  BOOST_TEST(checked.status == 0);
  BOOST_TEST(checked.text == seed_path + ": 1 tool, no problems\n");
}

BOOST_AUTO_TEST_CASE(every_problem_of_every_file_is_a_line) {
  const ScratchFolder folder;
  const std::string one = folder.file("one.json", with("/protocol_version", "2.0")).string();
  const std::string two = folder.file("two.json", "{}").string();
  const Checked checked = check({one, two, seed_path}, false);
  BOOST_TEST(checked.status == 1);
  BOOST_TEST(std::ranges::count(checked.text, '\n') == 6);
  BOOST_TEST(checked.text.starts_with(one + ":1: /protocol_version: "));
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_read_is_2) {
  BOOST_TEST(check({"/nowhere", seed_path}).status == 2);
  BOOST_TEST(check({"/"}).status == 2);
}

BOOST_AUTO_TEST_CASE(what_hosts_refuse_is_a_hint) {
  const Checked checked = check({seed_path});
  BOOST_TEST(checked.status == 0);
  BOOST_TEST(checked.text.find("hint: " + seed_path + ": /tools/0/parameters: OpenAI strict") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(wrong_arguments_are_2) {
  const std::vector<const char*> none{"check"};
  BOOST_TEST(check_command(1, none.data()) == 2);
  const std::vector<const char*> odd{"check", "--odd", "x"};
  BOOST_TEST(check_command(3, odd.data()) == 2);
  const std::vector<const char*> help{"check", "--help"};
  BOOST_TEST(check_command(2, help.data()) == 0);
}
