#include <toolwire/system/nearest_name.hpp>

#include <array>
#include <string>

#define BOOST_TEST_MODULE nearest_name_test
#include <boost/test/unit_test.hpp>

namespace {

constexpr std::array<std::string_view, 5> known{"color", "max_results", "path", "id", "recursive"};

std::string_view nearest(std::string_view written) { return toolwire::system::nearest_name(written, known); }

}  // namespace

BOOST_AUTO_TEST_CASE(small_mistakes_are_recognized) {
  BOOST_TEST(nearest("colour") == "color");
  BOOST_TEST(nearest("clor") == "color");
  BOOST_TEST(nearest("paht") == "path");
  BOOST_TEST(nearest("recursivly") == "recursive");
}

BOOST_AUTO_TEST_CASE(case_and_separators_do_not_count) {
  BOOST_TEST(nearest("maxResults") == "max_results");
  BOOST_TEST(nearest("MAX-RESULTS") == "max_results");
}

BOOST_AUTO_TEST_CASE(what_is_not_near_is_not_suggested) {
  BOOST_TEST(nearest("filename") == "");
  BOOST_TEST(nearest("xy") == "");
  BOOST_TEST(nearest("") == "");
  BOOST_TEST(nearest(std::string(1000, 'a')) == "");
}
