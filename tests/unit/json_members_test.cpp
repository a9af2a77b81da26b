#include <toolwire/json_members.hpp>

#define BOOST_TEST_MODULE json_members_test
#include <boost/test/unit_test.hpp>

using namespace toolwire;

namespace {

const Json document = parse_json(R"({"name": "n", "empty": "", "yes": true, "number": 1, "nothing": null,
                                     "object": {"inner": {"text": "deep"}}, "array": [1]})");

}  // namespace

BOOST_AUTO_TEST_CASE(a_member_is_found_in_an_object_and_in_a_value_that_is_one) {
  BOOST_TEST(find_member(document, "name") == find_member(document.get_object(), "name"));
  BOOST_TEST(find_member(document, "name")->get_string() == "n");
  BOOST_TEST(find_member(document, "nothing")->is_null());
  BOOST_TEST(find_member(document, "absent") == nullptr);
  BOOST_TEST(find_member(document.at("array"), "name") == nullptr);
}

BOOST_AUTO_TEST_CASE(a_path_leads_through_members_to_a_value_or_to_null) {
  BOOST_TEST(member_or_null(document, "object", "inner", "text") == Json("deep"));
  BOOST_TEST(member_or_null(document, "object", "absent", "text").is_null());
  BOOST_TEST(member_or_null(document, "array", "inner").is_null());
}

BOOST_AUTO_TEST_CASE(a_member_of_another_type_counts_as_absent) {
  BOOST_TEST(object_member(document, "object") == document.at("object").if_object());
  BOOST_TEST(object_member(document, "array") == nullptr);
  BOOST_TEST(array_member(document, "array") == document.at("array").if_array());
  BOOST_TEST(array_member(document, "object") == nullptr);
  BOOST_TEST(bool_member(document, "yes").value());
  BOOST_TEST(!bool_member(document, "number").has_value());
}

BOOST_AUTO_TEST_CASE(text_is_borrowed_or_copied_and_replaced_only_where_there_is_none) {
  BOOST_TEST(text_member(document, "name").data() == document.at("name").get_string().data());
  BOOST_TEST(text_member(document, "number").empty());
  BOOST_TEST(text_or(document, "name", "other") == "n");
  BOOST_TEST(text_or(document, "empty", "other") == "");
  BOOST_TEST(text_or(document, "number", "other") == "other");
  BOOST_TEST(text_or(document, "absent") == "");
}
