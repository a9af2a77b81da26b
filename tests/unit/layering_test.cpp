#define BOOST_TEST_MODULE layering_test
#include <boost/test/unit_test.hpp>
#include <filesystem>

namespace fs = std::filesystem;

BOOST_AUTO_TEST_CASE(the_framework_keeps_private_and_public_code_apart) {
  const fs::path framework = fs::path(TOOLWIRE_SOURCE_DIR) / "framework";
  BOOST_TEST(fs::is_directory(framework / "include/toolwire"));
  BOOST_TEST(fs::is_directory(framework / "src"));
}
