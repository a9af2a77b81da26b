#include "protocol/listing/pages.hpp"

#define BOOST_TEST_MODULE pages_test
#include <boost/test/unit_test.hpp>

using namespace toolwire;
using protocol::ListNames;
using protocol::page_of;
using protocol::PageRange;

namespace {

constexpr ListNames names{.method = "things/list", .member = "things", .cursor_prefix = "things-after-"};

PageRange page(const Json& cursor, std::size_t count, std::size_t size) {
  return page_of(JsonObject{{"cursor", cursor}}, names, count, size);
}

}  // namespace

BOOST_AUTO_TEST_CASE(without_a_cursor_the_list_begins) {
  const PageRange all = page_of({}, names, 5, 0);
  BOOST_TEST(all.is_all(5));
  const PageRange first = page_of({}, names, 5, 2);
  BOOST_TEST(first.from == 0u);
  BOOST_TEST(first.to == 2u);
  BOOST_TEST(!first.is_all(5));
  BOOST_TEST(page_of({}, names, 0, 2).is_all(0));
}

BOOST_AUTO_TEST_CASE(a_cursor_goes_on_where_it_says) {
  BOOST_TEST(page("things-after-2", 5, 2).from == 2u);
  BOOST_TEST(page("things-after-2", 5, 2).to == 4u);
  BOOST_TEST(page("things-after-4", 5, 2).to == 5u);
  BOOST_TEST(page("things-after-5", 5, 2).to == 5u);
}

BOOST_AUTO_TEST_CASE(anything_else_is_refused_naming_the_list) {
  for (const Json& cursor : {Json(5), Json(nullptr), Json(""), Json("things-after-"), Json("things-after-6"),
                             Json("things-after--1"), Json("things-after-1x"), Json("others-after-1"),
                             Json("things-after-99999999999999999999"), Json(JsonObject{})}) {
    BOOST_CHECK_EXCEPTION(page(cursor, 5, 2), ProtocolError, [](const ProtocolError& error) {
      return error.code == -32602 && std::string(error.what()).find("things/list") != std::string::npos;
    });
  }
}
