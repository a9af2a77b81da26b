#include "features/kept_outputs.hpp"

#define BOOST_TEST_MODULE kept_outputs_test
#include <boost/test/unit_test.hpp>

#include <string>

using toolwire::features::KeptOutputs;

BOOST_AUTO_TEST_CASE(a_cursor_leads_to_its_part) {
  KeptOutputs kept(100);
  const auto part = kept.keep("0123456789", 3, 8);
  BOOST_TEST_REQUIRE(part.has_value());
  const auto found = kept.find(KeptOutputs::cursor_of(*part));
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST(found->text->substr(found->begin, found->end - found->begin) == "34567");
}

BOOST_AUTO_TEST_CASE(the_oldest_goes_when_there_is_no_more_room) {
  KeptOutputs kept(25);
  const auto first = kept.keep(std::string(10, 'a'), 0, 1);
  const auto second = kept.keep(std::string(10, 'b'), 0, 1);
  const auto third = kept.keep(std::string(10, 'c'), 0, 1);
  BOOST_TEST(!kept.find(KeptOutputs::cursor_of(*first)).has_value());
  BOOST_TEST(kept.find(KeptOutputs::cursor_of(*second)).has_value());
  BOOST_TEST(kept.find(KeptOutputs::cursor_of(*third)).has_value());
}

BOOST_AUTO_TEST_CASE(what_is_larger_than_all_the_room_is_not_kept_and_drives_nothing_out) {
  KeptOutputs kept(15);
  const auto small = kept.keep(std::string(10, 'a'), 0, 1);
  BOOST_TEST(!kept.keep(std::string(16, 'b'), 0, 1).has_value());
  BOOST_TEST(kept.find(KeptOutputs::cursor_of(*small)).has_value());
  BOOST_TEST(!KeptOutputs(0).keep("x", 0, 1).has_value());
}

BOOST_AUTO_TEST_CASE(a_cursor_that_was_changed_leads_nowhere) {
  KeptOutputs kept(100);
  const auto part = kept.keep("0123456789", 3, 8);
  const std::string id = part->id;
  for (const char* tail : {".3.11", ".8.3", ".3", "", ".3.8.", ".3.8x", ".-1.8", ".99999999999999999999.8", ".3,8"}) {
    BOOST_TEST(!kept.find(id + tail).has_value());
  }
}
