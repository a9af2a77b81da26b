#include "schema/key_table.hpp"

#define BOOST_TEST_MODULE schema_key_table
#include <boost/test/unit_test.hpp>

namespace {

using toolwire::schema::KeyTable;

BOOST_AUTO_TEST_CASE(every_added_name_is_found_under_its_number_and_no_other) {
  KeyTable table;
  std::vector<std::string> names = {"", "a", "ab", "abc", "abcd", "b", "12345678", "123456789", std::string("a\0b", 3)};
  for (int index = 0; index < 2000; ++index) names.push_back("property_number_" + std::to_string(index));
  for (std::uint32_t index = 0; index < names.size(); ++index) BOOST_TEST_REQUIRE(table.add(names[index]) == index);
  for (std::uint32_t index = 0; index < names.size(); ++index) {
    BOOST_TEST_REQUIRE(table.find(names[index]) == index);
    BOOST_TEST_REQUIRE(table.name(index) == names[index]);
    BOOST_TEST_REQUIRE(table.find(names[index].data(), names[index].size(), index) == index);
    BOOST_TEST_REQUIRE(table.find(names[index].data(), names[index].size(), index + 1) == index);  // a wrong guess
  }
  for (const char* absent : {"c", "abd", "12345670", "property_number_2000", "property_number", "ba"}) {
    BOOST_TEST(table.find(absent) == KeyTable::none);
  }
}

BOOST_AUTO_TEST_CASE(a_name_added_twice_keeps_its_number) {
  KeyTable table;
  BOOST_TEST(table.add("x") == 0U);
  BOOST_TEST(table.add("y") == 1U);
  BOOST_TEST(table.add("x") == 0U);
  BOOST_TEST(table.size() == 2U);
}

BOOST_AUTO_TEST_CASE(long_names_that_differ_only_in_the_middle_are_told_apart) {
  KeyTable table;
  const std::string begin(20, 'a');
  for (char c = 'a'; c <= 'z'; ++c) table.add(begin + c + begin);
  BOOST_TEST(table.find(begin + "q" + begin) == 16U);
  BOOST_TEST(table.find(begin + "Q" + begin) == KeyTable::none);
}

BOOST_AUTO_TEST_CASE(an_empty_table_knows_no_name) {
  const KeyTable table;
  BOOST_TEST(table.find("") == KeyTable::none);
  BOOST_TEST(table.find("a") == KeyTable::none);
}

}  // namespace
