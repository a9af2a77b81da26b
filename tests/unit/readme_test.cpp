// The example in the top README is a program that is built.
#define BOOST_TEST_MODULE readme_test
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <sstream>
#include <string>

namespace {

std::string contents(const std::string& path) {
  std::ifstream file(std::string(TOOLWIRE_SOURCE_DIR) + "/" + path);
  BOOST_REQUIRE_MESSAGE(file, path << " cannot be read");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

BOOST_AUTO_TEST_CASE(the_example_is_the_hello_server_word_for_word) {
  std::string hello = contents("servers/hello/main.cpp");
  BOOST_TEST(contents("README.md").find("```cpp\n" + hello + "```") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(every_folder_it_names_has_a_readme) {
  for (const char* folder : {"framework", "bridge", "conformance", "servers", "tests"}) {
    std::string readme = std::string(folder) + "/README.md";
    BOOST_TEST(contents("README.md").find("(" + readme + ")") != std::string::npos, readme);
    BOOST_TEST(!contents(readme).empty());
  }
}

}  // namespace
