#include "registry/references.hpp"

#define BOOST_TEST_MODULE schemas in other documents
#include <boost/test/unit_test.hpp>

using namespace toolwire;
using namespace toolwire::bridge;

BOOST_AUTO_TEST_CASE(local_references_follow_their_schema) {
  BOOST_TEST(
      moved_schema(parse_json(R"({"$ref":"#","items":{"$ref":"#/$defs/a"},"anyOf":[{"$ref":"#/x"}]})"), "#/p/q") ==
      parse_json(R"({"$ref":"#/p/q","items":{"$ref":"#/p/q/$defs/a"},"anyOf":[{"$ref":"#/p/q/x"}]})"));
}

BOOST_AUTO_TEST_CASE(other_references_and_data_stay_as_they_are) {
  const Json schema = parse_json(R"({"properties":{"$ref":{"type":"string"},"a":{"$ref":"https://example.org/s#/b"}},
    "const":{"$ref":"#/c"},"enum":[{"$ref":"#/c"}],"default":{"$ref":"#/c"},"examples":[{"$ref":"#/c"}],
    "$defs":{"own":{"$id":"https://example.org/own","items":{"$ref":"#/d"}}}})");
  BOOST_TEST(moved_schema(schema, "#/p") == schema);
}

BOOST_AUTO_TEST_CASE(a_property_may_be_called_like_a_keyword) {
  BOOST_TEST(moved_schema(parse_json(R"({"properties":{"const":{"$ref":"#/a"},"$ref":{"$ref":"#/b"}}})"), "#/p") ==
             parse_json(R"({"properties":{"const":{"$ref":"#/p/a"},"$ref":{"$ref":"#/p/b"}}})"));
}

BOOST_AUTO_TEST_CASE(references_below_a_place_are_found) {
  BOOST_TEST(refers_below(parse_json(R"({"items":[{"$ref":"#/$defs/a"}]})"), "#/$defs/"));
  BOOST_TEST(!refers_below(parse_json(R"({"items":[{"const":{"$ref":"#/$defs/a"}}]})"), "#/$defs/"));
}
