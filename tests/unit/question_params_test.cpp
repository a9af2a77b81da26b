#include "protocol/input_requests/question_params.hpp"

#define BOOST_TEST_MODULE question_params_test
#include <boost/test/unit_test.hpp>

#include <string>

using namespace toolwire;
using protocol::find_revision;

namespace {

std::string params_in(const char* revision, const char* method, const char* params) {
  return to_json_text(protocol::params_for(*find_revision(revision), {"key", method, parse_json(params)}));
}

constexpr const char* form =
    R"({"mode":"form","message":"m","requestedSchema":{"type":"object","properties":{)"
    R"("s":{"type":"string","default":"x"},"b":{"type":"boolean","default":true},)"
    R"("e":{"type":"string","oneOf":[{"const":"r","title":"Red"},{"const":"g","title":"Green"}],"default":"r"}}}})";

}  // namespace

BOOST_AUTO_TEST_CASE(in_2025_06_18_only_booleans_have_defaults_and_titles_stand_beside) {
  BOOST_TEST(params_in("2025-06-18", "elicitation/create", form) ==
             R"({"message":"m","requestedSchema":{"type":"object","properties":{"s":{"type":"string"},)"
             R"("b":{"type":"boolean","default":true},)"
             R"("e":{"type":"string","enum":["r","g"],"enumNames":["Red","Green"]}}}})");
}

BOOST_AUTO_TEST_CASE(later_revisions_have_forms_as_they_are) {
  BOOST_TEST(params_in("2025-11-25", "elicitation/create", form) == form);
  BOOST_TEST(params_in("2026-07-28", "elicitation/create", form) == form);
}

BOOST_AUTO_TEST_CASE(the_id_of_a_page_belongs_to_one_revision) {
  constexpr const char* page = R"({"mode":"url","message":"m","url":"https://a/","elicitationId":"1"})";
  BOOST_TEST(params_in("2025-11-25", "elicitation/create", page) == page);
  BOOST_TEST(params_in("2026-07-28", "elicitation/create", page) ==
             R"({"mode":"url","message":"m","url":"https://a/"})");
}

BOOST_AUTO_TEST_CASE(a_page_without_an_id_gets_one_where_it_needs_one) {
  constexpr const char* page = R"({"mode":"url","message":"m","url":"https://a/"})";
  const std::string first = params_in("2025-11-25", "elicitation/create", page);
  BOOST_TEST(first.starts_with(R"({"mode":"url","message":"m","url":"https://a/","elicitationId":")"), first);
  BOOST_TEST(first != params_in("2025-11-25", "elicitation/create", page));
  BOOST_TEST(params_in("2026-07-28", "elicitation/create", page) == page);
}

BOOST_AUTO_TEST_CASE(a_message_of_several_blocks_becomes_several_messages) {
  constexpr const char* request = R"({"messages":[{"role":"user","content":[{"type":"text","text":"a"},)"
                                  R"({"type":"audio","data":"","mimeType":"audio/wav"}]},)"
                                  R"({"role":"assistant","content":{"type":"text","text":"b"}}],"maxTokens":1})";
  BOOST_TEST(params_in("2025-11-25", "sampling/createMessage", request) == request);
  BOOST_TEST(params_in("2025-06-18", "sampling/createMessage", request) ==
             R"({"messages":[{"role":"user","content":{"type":"text","text":"a"}},)"
             R"({"role":"user","content":{"type":"audio","data":"","mimeType":"audio/wav"}},)"
             R"({"role":"assistant","content":{"type":"text","text":"b"}}],"maxTokens":1})");
  BOOST_TEST(params_in("2024-11-05", "sampling/createMessage", request).find("\"audio\"") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(params_of_another_shape_go_through) {
  BOOST_TEST(params_in("2024-11-05", "roots/list", "null") == "null");
  BOOST_TEST(params_in("2025-06-18", "elicitation/create", R"({"requestedSchema":5})") == R"({"requestedSchema":5})");
  BOOST_TEST(params_in("2025-06-18", "sampling/createMessage", R"({"messages":[5,{"role":"user"}]})") ==
             R"({"messages":[5,{"role":"user"}]})");
}
