// Validating a value that fits does not allocate.
#define BOOST_TEST_MODULE schema_allocation
#include <boost/test/unit_test.hpp>

#include "counted_allocations.hpp"
#include "toolwire/schema.hpp"

namespace {

using toolwire_test::allocations;

BOOST_AUTO_TEST_CASE(a_value_that_fits_is_validated_without_allocating) {
  const auto schema = toolwire::Schema::compile(toolwire::parse_json(R"({
    "type": "object", "required": ["kind"], "propertyNames": {"maxLength": 60},
    "properties": {
      "kind": {"enum": ["a", "b", 1, null]}, "count": {"type": "integer", "multipleOf": 0.5, "minimum": 0},
      "name": {"type": "string", "minLength": 2, "maxLength": 50}, "list": {"type": "array", "uniqueItems": true, "contains": {"const": 3}},
      "tree": {"$ref": "#/$defs/tree"}, "shape": {"oneOf": [{"type": "object", "properties": {"t": {"const": "x"}}, "required": ["t"]},
                                                           {"type": "object", "properties": {"t": {"const": "y"}}, "required": ["t"]}]}},
    "allOf": [{"properties": {"extra": {"type": "number"}}}], "anyOf": [{"required": ["name"]}, {"properties": {"other": true}}],
    "if": {"required": ["count"]}, "then": {"required": ["list"]}, "dependentRequired": {"list": ["count"]}, "unevaluatedProperties": false,
    "$defs": {"tree": {"type": "array", "items": {"$ref": "#/$defs/tree"}}}})"));
  const auto value =
      toolwire::parse_json(R"({"kind": "b", "count": 3, "name": "a name that is longer than a short string", "other": 1,
    "list": [1, 2, 3, "four", 5.5, null, [6], {"seven": 7}, 8, 9, 10], "tree": [[], [[]]], "shape": {"t": "y"}, "extra": 1.5})");
  const long before = allocations;
  const bool fits = schema.is_valid(value);
  const long taken = allocations - before;
  BOOST_TEST(fits);
  BOOST_TEST(taken == 0);
  BOOST_TEST(before > 0);  // the counter counts
}

}  // namespace
