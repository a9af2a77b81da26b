#define BOOST_TEST_MODULE linked_library_test
#include "system/linked_library.hpp"

#include <array>
#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <string>
#include <toolwire/system/shared_library.hpp>

namespace {

namespace system = toolwire::system;

int three() { return 3; }

const std::array functions{system::LinkedFunction{"three", reinterpret_cast<void*>(&three)}};
const system::LinkedLibrary library{"libthree.so.1", functions};

struct Added {
  Added() {
    static const bool once = (system::add_linked_library(library), true);
    static_cast<void>(once);
  }
};

BOOST_FIXTURE_TEST_CASE(what_is_linked_is_not_loaded, Added) {
  constexpr std::array names{"libthree.so.1"};
  int (*found)() = nullptr;
  system::SharedLibrary(names).find(found, "three");
  BOOST_REQUIRE(found != nullptr);
  BOOST_TEST(found() == 3);
}

BOOST_FIXTURE_TEST_CASE(the_first_name_that_is_known_counts, Added) {
  constexpr std::array names{"libmissing.so.9", "libthree.so.1"};
  int (*found)() = nullptr;
  system::SharedLibrary(names).find(found, "three");
  BOOST_TEST(found != nullptr);
}

BOOST_FIXTURE_TEST_CASE(a_function_that_is_not_linked_is_named, Added) {
  constexpr std::array names{"libthree.so.1"};
  int (*found)() = nullptr;
  BOOST_CHECK_EXCEPTION(system::SharedLibrary(names).find(found, "four"), std::runtime_error, [](const auto& error) {
    return std::string(error.what()) == "four is not linked to this program";
  });
}

BOOST_FIXTURE_TEST_CASE(others_are_loaded_as_ever, Added) {
  constexpr std::array names{"libm.so.6"};
  double (*found)(double) = nullptr;
  system::SharedLibrary(names).find(found, "sqrt");
  BOOST_REQUIRE(found != nullptr);
  BOOST_TEST(found(9) == 3);
  constexpr std::array missing{"libmissing.so.9"};
  BOOST_CHECK_THROW(system::SharedLibrary{missing}, std::runtime_error);
}

}  // namespace
