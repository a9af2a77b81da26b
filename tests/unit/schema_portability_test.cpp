#define BOOST_TEST_MODULE schema_portability
#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "toolwire/convert.hpp"
#include "toolwire/schema.hpp"

namespace {

using toolwire::field;
using toolwire::fields;
using toolwire::parse_json;
using toolwire::schema_portability;

enum class Sort { relevance, newest };

struct Place {
  double x, y;
  static constexpr auto describe() { return fields(field<&Place::x>("East"), field<&Place::y>("North")); }
};

struct Label {
  std::string text;
  static constexpr auto describe() { return fields(field<&Label::text>("What it says")); }
};

struct Search {
  std::string query;
  int limit = 10;
  std::optional<std::string> language;
  Sort sort = Sort::newest;
  std::vector<Place> places;
  std::map<std::string, bool> flags;
  std::variant<Place, Label> either;
  static constexpr auto describe() {
    return fields(field<&Search::query>("Text").length(1, 200),
                  field<&Search::limit>("Most").between(1, 100).optional(), field<&Search::language>("Language"),
                  field<&Search::sort>("Order").optional(), field<&Search::places>("Places"),
                  field<&Search::flags>("Flags"), field<&Search::either>("Either"));
  }
};

bool finds(std::string_view schema, std::string_view host, bool refused, std::string_view pointer) {
  const auto all = schema_portability(parse_json(schema));
  return std::any_of(all.begin(), all.end(), [&](const auto& each) {
    return each.host == host && each.refused == refused && each.pointer == pointer && !each.problem.empty() &&
           !each.rewrite.empty();
  });
}

BOOST_AUTO_TEST_CASE(schemas_of_typed_tools_are_refused_by_no_host) {
  const toolwire::Json schema = toolwire::schema_of<Search>();
  for (const auto& finding : schema_portability(schema)) {
    BOOST_TEST(!finding.refused, finding.host << " " << finding.pointer << " " << finding.problem);
  }
  BOOST_TEST(toolwire::Schema::compile(schema).is_valid(
      parse_json(R"({"query": "x", "places": [{"x": 1, "y": 2}], "flags": {"a": true}, "either": {"text": "s"}})")));
}

BOOST_AUTO_TEST_CASE(each_host_is_named_with_the_place_it_refuses) {
  BOOST_TEST(finds(R"({"type": "object", "anyOf": [{"required": ["a"]}]})", "Claude", true, "#"));
  BOOST_TEST(!finds(R"({"type": "object", "properties": {"a": {"anyOf": [{"type": "string"}]}}})", "Claude", true,
                    "#/properties/a"));
  BOOST_TEST(finds(R"({"type": "object", "properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"x": {}}})", "Gemini",
                   true, "#/properties/a"));
  BOOST_TEST(finds(R"({"type": "object", "properties": {"a": {"type": ["string", "null"]}}})", "Gemini", true,
                   "#/properties/a"));
  BOOST_TEST(finds(R"({"type": "object", "properties": {"a": {"type": ["string", "null"]}}})", "Cursor", true,
                   "#/properties/a"));
  BOOST_TEST(finds(R"({"type": "object", "properties": {"a": {"items": {"type": "array"}}}})", "VS Code", true,
                   "#/properties/a/items"));
  BOOST_TEST(finds(R"({"properties": {}})", "TypeScript SDK", true, "#"));
  BOOST_TEST(finds("true", "TypeScript SDK", true, "#"));
  BOOST_TEST(finds(R"({"type": "object", "properties": {"a": {}}})", "OpenAI strict", false, "#"));
  BOOST_TEST(finds(R"({"type": "object", "additionalProperties": false})", "Gemini", false, "#"));
}

BOOST_AUTO_TEST_CASE(a_plain_closed_schema_has_no_finding_but_what_gemini_dislikes) {
  for (
      const auto& finding : schema_portability(parse_json(
          R"({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false})"))) {
    BOOST_TEST(finding.host == "Gemini");
    BOOST_TEST(!finding.refused);
  }
}

}  // namespace
