#include "toolwire/convert.hpp"

#include <cstdint>
#include <stdexcept>

#define BOOST_TEST_MODULE schema_of_test
#include <boost/test/unit_test.hpp>

namespace {

using toolwire::field;
using toolwire::fields;

enum class Sort { relevance, newest };

struct Add {
  double a, b;
  static constexpr auto describe() { return fields(field<&Add::a>("First number"), field<&Add::b>("Second number")); }
};
struct Search {
  std::string query;
  int limit = 10;
  std::optional<std::string> language;
  Sort sort = Sort::newest;
  static constexpr auto describe() {
    return fields(field<&Search::query>("Text to look for").length(1, 200).title("Query"),
                  field<&Search::limit>("How many").between(1, 100).optional(), field<&Search::language>("Language"),
                  field<&Search::sort>("Order").optional().named("sort_by"));
  }
};
struct Limits {
  std::uint8_t small = 0;
  std::uint64_t large = 1;
  std::int64_t lowest = 0;
  float real = 0.5F;
  std::optional<std::vector<int>> list;
  static constexpr auto describe() {
    return fields(field<&Limits::small>(""), field<&Limits::large>("").between(1, 18446744073709551615U),
                  field<&Limits::lowest>("").at_least(INT64_MIN), field<&Limits::real>("").at_most(0.5).optional(),
                  field<&Limits::list>("").items(1, 3));
  }
};
struct Deep {
  Add add;
  std::vector<Add> many;
  std::map<std::string, bool> flags;
  std::variant<Add, Limits> either;
  std::array<Sort, 2> pair{};
  toolwire::Json any;
  static constexpr auto describe() {
    return fields(field<&Deep::add>("Nested"), field<&Deep::many>("Many"), field<&Deep::flags>("Flags"),
                  field<&Deep::either>("Either"), field<&Deep::pair>("Pair"), field<&Deep::any>("Anything"));
  }
};
struct Empty {
  static constexpr auto describe() { return fields(); }
};
struct BrokenDefault {
  int limit = 0;
  static constexpr auto describe() { return fields(field<&BrokenDefault::limit>("").between(1, 9).optional()); }
};
struct Form {
  std::string name;
  bool agreed = false;
  std::optional<int> age;
  Sort sort = Sort::relevance;
  static constexpr auto describe() {
    return fields(field<&Form::name>("Your name"), field<&Form::agreed>("Agreed").optional(),
                  field<&Form::age>("Your age").between(0, 150), field<&Form::sort>("Order"));
  }
};

template <class T>
std::string schema() {
  return toolwire::to_json_text(toolwire::schema_of<T>());
}

constexpr std::string_view add_schema =
    R"({"type":"object","properties":{"a":{"type":"number","description":"First number"},)"
    R"("b":{"type":"number","description":"Second number"}},"required":["a","b"],"additionalProperties":false})";

// Every object in a schema, as `path` and members.
void check_portable(const toolwire::Json& schema, bool is_root) {
  const auto& object = schema.as_object();
  BOOST_TEST(!object.contains("$ref"));
  BOOST_TEST(!object.contains("$defs"));
  BOOST_TEST((!is_root || !object.contains("anyOf")));
  if (const auto* type = object.if_contains("type")) {
    BOOST_TEST(type->is_string());
    BOOST_TEST((*type != "array" || object.contains("items")));
  }
  if (const auto* properties = object.if_contains("properties")) {
    for (const auto& property : properties->as_object()) check_portable(property.value(), false);
  }
  if (const auto* items = object.if_contains("items")) check_portable(*items, false);
  if (const auto* alternatives = object.if_contains("anyOf")) {
    for (const auto& alternative : alternatives->as_array()) check_portable(alternative, false);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_described_struct_is_an_object_with_its_members_in_order) {
  BOOST_TEST(schema<Add>() == add_schema);
  BOOST_TEST(schema<Empty>() == R"({"type":"object","properties":{},"additionalProperties":false})");
}

BOOST_AUTO_TEST_CASE(constraints_titles_and_defaults_are_published) {
  BOOST_TEST(
      schema<Search>() ==
      R"({"type":"object","properties":{)"
      R"("query":{"type":"string","title":"Query","description":"Text to look for","minLength":1,"maxLength":200},)"
      R"("limit":{"type":"integer","description":"How many","minimum":1,"maximum":100,"default":10},)"
      R"("language":{"type":"string","description":"Language"},)"
      R"("sort_by":{"type":"string","description":"Order","enum":["relevance","newest"],"default":"newest"}},)"
      R"("required":["query"],"additionalProperties":false})");
}

BOOST_AUTO_TEST_CASE(bounds_are_published_as_written_and_zero_for_unsigned_numbers) {
  BOOST_TEST(schema<Limits>() == R"({"type":"object","properties":{"small":{"type":"integer","minimum":0},)"
                                 R"("large":{"type":"integer","minimum":1,"maximum":18446744073709551615},)"
                                 R"("lowest":{"type":"integer","minimum":-9223372036854775808},)"
                                 R"("real":{"type":"number","maximum":0.5,"default":0.5},)"
                                 R"("list":{"type":"array","items":{"type":"integer"},"minItems":1,"maxItems":3}},)"
                                 R"("required":["small","large","lowest"],"additionalProperties":false})");
}

BOOST_AUTO_TEST_CASE(nested_types_are_inlined) {
  const toolwire::Json deep = toolwire::schema_of<Deep>();
  const auto& properties = deep.at("properties");
  const auto text = [&](const char* name) { return toolwire::to_json_text(properties.at(name)); };
  BOOST_TEST(text("flags") == R"({"type":"object","description":"Flags","additionalProperties":{"type":"boolean"}})");
  BOOST_TEST(text("pair") == R"({"type":"array","description":"Pair","items":{"type":"string","enum":["relevance",)"
                             R"("newest"]},"minItems":2,"maxItems":2})");
  BOOST_TEST(text("any") == R"({"description":"Anything"})");
  BOOST_TEST(text("many") == R"({"type":"array","description":"Many","items":)" + std::string(add_schema) + "}");
  BOOST_TEST(toolwire::to_json_text(properties.at("either").at("anyOf").at(0)) == add_schema);
}

BOOST_AUTO_TEST_CASE(schemas_are_portable_between_hosts) {
  check_portable(toolwire::schema_of<Deep>(), true);
  check_portable(toolwire::schema_of<Limits>(), true);
}

BOOST_AUTO_TEST_CASE(types_without_members_have_schemas_too) {
  BOOST_TEST(schema<bool>() == R"({"type":"boolean"})");
  BOOST_TEST(schema<std::optional<int>>() == R"({"type":"integer"})");
  BOOST_TEST(schema<std::vector<bool>>() == R"({"type":"array","items":{"type":"boolean"}})");
  BOOST_TEST(schema<toolwire::Json>() == "{}");
  BOOST_TEST(schema<std::string_view>() == R"({"type":"string"})");
}

BOOST_AUTO_TEST_CASE(an_initializer_outside_its_own_limits_is_an_error_of_the_author) {
  BOOST_CHECK_EXCEPTION(toolwire::schema_of<BrokenDefault>(), std::invalid_argument, [](const auto& error) {
    return std::string_view(error.what()).ends_with("limit: 0 is not between 1 and 9");
  });
}

BOOST_AUTO_TEST_CASE(a_form_is_a_flat_object) {
  BOOST_TEST(toolwire::to_json_text(toolwire::form_schema_of<Form>()) ==
             R"({"type":"object","properties":{"name":{"type":"string","description":"Your name"},)"
             R"("agreed":{"type":"boolean","description":"Agreed","default":false},)"
             R"("age":{"type":"integer","description":"Your age","minimum":0,"maximum":150},)"
             R"("sort":{"type":"string","description":"Order","enum":["relevance","newest"]}},)"
             R"("required":["name","sort"]})");
}
