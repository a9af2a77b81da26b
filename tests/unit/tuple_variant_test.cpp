// Tuples and variants: in JSON, in schemas and through a call.
#include <toolwire/testing.hpp>

#define BOOST_TEST_MODULE tuple_variant_test
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <map>
#include <string>
#include <toolwire/schema.hpp>
#include <tuple>
#include <variant>
#include <vector>

using namespace toolwire;

namespace {

enum class Size { small, large };

struct Point {
  int x = 0;
  static constexpr auto describe() { return fields(field<&Point::x>("Across")); }
  bool operator==(const Point&) const = default;
};

using Row = std::tuple<std::string, int, std::vector<bool>>;
using Cell = std::variant<bool, std::int64_t, double, std::string>;

struct Table {
  Row row;
  std::vector<Cell> cells;
  std::variant<std::string, std::vector<std::string>> names;
  std::variant<Size, Point> size;
  static constexpr auto describe() {
    return fields(field<&Table::row>("A row"), field<&Table::cells>("Cells"), field<&Table::names>("One name, or more"),
                  field<&Table::size>("How large, or where").optional());
  }
  bool operator==(const Table&) const = default;
};

/// What the text comes to when it is read as a T and written again, or why it is none.
template <class T>
std::string again(const char* json) {
  T value{};
  Violations violations;
  decode(parse_json(json), value, "", violations);
  if (violations.empty()) return to_json_text(encode(value));
  const std::string text = violations.text();
  return text.starts_with("arguments: ") ? text.substr(11) : text;  // of the value itself
}

/// Which alternative the text is read as.
template <class T>
std::size_t index_of(const char* json) {
  T value{};
  Violations violations;
  decode(parse_json(json), value, "", violations);
  BOOST_TEST(violations.empty(), violations.text());
  return value.index();
}

template <class T>
std::string returned_schema() {
  return to_json_text(output_schema_of<T>().at("properties").at("result"));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_tuple_is_an_array_of_its_items) {
  BOOST_TEST(again<Row>(R"(["a",1,[true,false]])") == R"(["a",1,[true,false]])");
  BOOST_TEST((again<std::tuple<std::tuple<int>, Point>>(R"([[1],{"x":2}])") == R"([[1],{"x":2}])"));
  BOOST_TEST(again<Row>(R"({"0":"a"})") == "expected an array of 3 items");
  BOOST_TEST(again<Row>(R"(["a",1])") == "expected 3 items, found 2");
  BOOST_TEST(again<Row>(R"(["a",1,[],null])") == "expected 3 items, found 4");
  BOOST_TEST(again<Row>(R"([1,1.5,[true,1]])") ==
             "[0]: expected a string\n[1]: 1.5 is not an integer\n[2][1]: expected a boolean");
}

BOOST_AUTO_TEST_CASE(the_schema_of_a_tuple_serves_those_who_know_prefix_items_and_those_who_do_not) {
  const std::string text = to_json_text(schema_of<std::tuple<int, std::string, int>>());
  BOOST_TEST(text == R"({"type":"array","prefixItems":[{"type":"integer"},{"type":"string"},{"type":"integer"}],)"
                     R"("items":{"anyOf":[{"type":"integer"},{"type":"string"}]},"minItems":3,"maxItems":3})");
  BOOST_TEST((to_json_text(schema_of<std::tuple<bool, bool>>()) ==
              R"({"type":"array","prefixItems":[{"type":"boolean"},{"type":"boolean"}],"items":{"type":"boolean"},)"
              R"("minItems":2,"maxItems":2})"));
  const Schema compiled = Schema::compile(parse_json(text));
  BOOST_TEST(compiled.is_valid(parse_json(R"([1,"a",2])")));
  for (const char* other : {R"([1,"a","b"])", R"([1,"a"])", R"([1,"a",2,3])", R"(["a",1,2])"})
    BOOST_TEST(!compiled.is_valid(parse_json(other)), other);
}

BOOST_AUTO_TEST_CASE(the_alternative_is_the_one_of_that_kind) {
  BOOST_TEST(index_of<Cell>("true") == 0U);
  BOOST_TEST(index_of<Cell>("7") == 1U);
  BOOST_TEST(index_of<Cell>("7.5") == 2U);
  BOOST_TEST(index_of<Cell>("\"7\"") == 3U);
  BOOST_TEST((index_of<std::variant<double, Size, std::vector<int>, Point>>("\"large\"") == 1U));
  BOOST_TEST((index_of<std::variant<double, Size, std::vector<int>, Point>>("[]") == 2U));
  BOOST_TEST((index_of<std::variant<double, Size, std::vector<int>, Point>>(R"({"x":1})") == 3U));
  BOOST_TEST((index_of<std::variant<bool, std::map<std::string, int>>>(R"({"x":1})") == 1U));
  BOOST_TEST((index_of<std::variant<int, std::chrono::seconds>>("\"PT1S\"") == 1U));
}

BOOST_AUTO_TEST_CASE(a_number_is_whole_if_it_can_be) {
  using Number = std::variant<double, std::int8_t>;  // their order does not matter
  BOOST_TEST(index_of<Number>("7.0") == 1U);
  BOOST_TEST(index_of<Number>("-128") == 1U);
  BOOST_TEST(index_of<Number>("128") == 0U);
  BOOST_TEST(index_of<Number>("0.5") == 0U);
  BOOST_TEST(index_of<Number>("1e300") == 0U);
  BOOST_TEST(index_of<Cell>("18446744073709551615") == 2U);
  BOOST_TEST(again<Number>("0.5") == "0.5");
  BOOST_TEST((again<std::variant<std::int8_t, bool>>("128") == "128 is not between -128 and 127"));
  BOOST_TEST((again<std::variant<std::int8_t, bool>>("0.5") == "0.5 is not an integer"));
  BOOST_TEST((again<std::variant<float, bool>>("1e39").starts_with("1e+39 is not between")));
}

BOOST_AUTO_TEST_CASE(what_fits_no_alternative_is_told_what_they_are) {
  BOOST_TEST(again<Cell>("null") == "expected a boolean, an integer, a number or a string");
  BOOST_TEST(again<Cell>("[1]") == "expected a boolean, an integer, a number or a string");
  BOOST_TEST((again<std::variant<Size, Point>>("5") == "expected one of \"small\", \"large\" or an object"));
  BOOST_TEST((again<std::variant<Size, Point>>("\"huge\"") == "expected one of \"small\", \"large\""));
  BOOST_TEST((again<std::variant<Size, Point>>(R"({"y":1})") == "expected an object with \"x\" (an integer)"));
  BOOST_TEST((again<std::variant<int, std::vector<int>>>("[1,true]") == "[1]: expected an integer"));
}

BOOST_AUTO_TEST_CASE(the_schema_of_a_variant_is_any_of_those_of_its_alternatives) {
  BOOST_TEST(to_json_text(schema_of<Table>().at_pointer("/properties/cells/items")) ==
             R"({"anyOf":[{"type":"boolean"},{"type":"integer"},{"type":"number"},{"type":"string"}]})");
  BOOST_TEST(to_json_text(schema_of<Table>().at_pointer("/properties/names")) ==
             R"({"description":"One name, or more","anyOf":[{"type":"string"},{"type":"array","items":)"
             R"({"type":"string"}}]})");
}

BOOST_AUTO_TEST_CASE(hosts_take_the_schemas_of_both) {
  for (const PortabilityFinding& finding : schema_portability(schema_of<Table>()))
    BOOST_TEST(!finding.refused, finding.host << " refuses " << finding.problem);
}

BOOST_AUTO_TEST_CASE(what_is_alone_in_a_result_is_wrapped) {
  BOOST_TEST(returned_schema<Cell>() ==
             R"({"anyOf":[{"type":"boolean"},{"type":"integer"},{"type":"number"},{"type":"string"}]})");
  BOOST_TEST(std::get<ToolResult>(to_outcome(Cell("a"))).structured.value() == parse_json(R"({"result":"a"})"));
}

BOOST_AUTO_TEST_CASE(both_come_back_from_a_call_as_what_they_were) {
  for (const std::string_view revision : known_revisions()) {
    BOOST_TEST_CONTEXT(revision) {
      Server server({"tables", "1"});
      server.tool("same", "", [](Table table) { return table; });
      server.tool("cell", "", args("cell"), [](Cell cell) { return cell; });
      server.tool("row", "", args("row"), [](Row row) { return row; });
      testing::Client client(server, ClientOptions{.revision = std::string(revision)});
      const Table table{{"a", 1, {true}}, {true, std::int64_t{5}, 0.5, "x"}, std::vector<std::string>{"b"}, Point{4}};
      BOOST_TEST((client.call<Table>("same", table) == table));
      BOOST_TEST((client.call<Cell>("cell", {{"cell", 0.25}}) == Cell(0.25)));
      BOOST_TEST((client.call<Cell>("cell", {{"cell", false}}) == Cell(false)));
      BOOST_TEST((client.call<Row>("row", {{"row", {"a", 1, JsonArray{}}}}) == Row("a", 1, {})));
      BOOST_TEST(client.call("row", {{"row", {"a", "b", JsonArray{}}}}).text() == "row[1]: expected an integer");
      BOOST_TEST(client.call("cell", JsonObject{}).text() ==
                 "cell: missing (a boolean, an integer, a number or a string)");
    }
  }
}

BOOST_AUTO_TEST_CASE(members_that_are_not_described_are_passed_over_in_them) {
  const auto result = [](const char* json) { return CallResult{.structured = parse_json(json)}; };
  const auto [point, number] = result_as<std::tuple<Point, int>>(result(R"({"result":[{"x":1,"y":2},3]})"));
  BOOST_TEST((point.x == 1 && number == 3));
  using Points = std::variant<std::string, std::vector<Point>>;
  BOOST_TEST(std::get<1>(result_as<Points>(result(R"({"result":[{"x":1,"y":2}]})"))).at(0).x == 1);
}
