// Types of somebody else: Describe<T> for their members, Codec<T> for those that have none.
#define BOOST_TEST_MODULE described_outside_test
#include <boost/test/unit_test.hpp>

#include <charconv>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "toolwire/detail/texts.hpp"
#include "toolwire/prompt.hpp"
#include "toolwire/tool.hpp"

namespace vendor {

struct Point {
  double x = 0, y = 0;
};

/// Says of itself what Describe says otherwise.
struct Named {
  int size = 0;
  static constexpr auto describe() { return toolwire::fields(toolwire::field<&Named::size>("Its own words")); }
};

class Money {
 public:
  Money() = default;
  Money(long cents, std::string currency) : cents_(cents), currency_(std::move(currency)) {}
  long cents() const { return cents_; }
  const std::string& currency() const { return currency_; }

 private:
  long cents_ = 0;
  std::string currency_ = "EUR";
};

enum class Level { low, high };

struct Matrix {
  std::vector<double> cells;
};

class Segment {
 public:
  Point from, to;
};

}  // namespace vendor

template <>
struct toolwire::Describe<vendor::Point> {
  static constexpr auto describe() {
    return fields(field<&vendor::Point::x>("To the right").between(0, 9), field<&vendor::Point::y>("Up").optional());
  }
};

template <>
struct toolwire::Describe<vendor::Named> {
  static constexpr auto describe() { return fields(field<&vendor::Named::size>("Other words").named("length")); }
};

template <>
struct toolwire::Codec<vendor::Money> {
  static std::string to(const vendor::Money& money) { return std::to_string(money.cents()) + " " + money.currency(); }
  static vendor::Money from(const std::string& text) {
    long cents = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cents);
    if (error != std::errc() || *end != ' ') {
      throw std::invalid_argument("expected cents and a currency, such as \"100 EUR\"");
    }
    return {cents, end + 1};
  }
  static Json schema() { return {{"type", "string"}, {"pattern", "^[0-9]+ [A-Z]{3}$"}}; }
};

template <>
struct toolwire::Codec<vendor::Level> {
  static int to(vendor::Level level) { return level == vendor::Level::high ? 10 : 1; }
  static vendor::Level from(int number) {
    if (number != 1 && number != 10) throw std::invalid_argument("expected 1 or 10");
    return number == 10 ? vendor::Level::high : vendor::Level::low;
  }
};

template <>
struct toolwire::Codec<vendor::Matrix> {
  static Json to(const vendor::Matrix& matrix) { return JsonArray(matrix.cells.begin(), matrix.cells.end()); }
  static vendor::Matrix from(const Json& json) {
    vendor::Matrix matrix;
    if (!json.is_array()) throw std::invalid_argument("expected rows");
    for (const Json& cell : json.get_array()) matrix.cells.push_back(cell.to_number<double>());
    return matrix;
  }
  static Json schema() { return {{"type", "array"}}; }
};

template <>
struct toolwire::Codec<vendor::Segment> {
  static std::vector<vendor::Point> to(const vendor::Segment& segment) { return {segment.from, segment.to}; }
  static vendor::Segment from(const std::vector<vendor::Point>& ends) {
    if (ends.size() != 2) throw std::invalid_argument("expected two points");
    return {ends[0], ends[1]};
  }
};

using namespace toolwire;

namespace {

struct Order {
  vendor::Point at;
  vendor::Money price;
  std::optional<vendor::Level> level;
  std::vector<vendor::Money> parts;
  vendor::Money fee{5, "EUR"};
  static constexpr auto describe() {
    return fields(field<&Order::at>("Where"), field<&Order::price>("How much"), field<&Order::level>("How urgent"),
                  field<&Order::parts>("Of what").optional(), field<&Order::fee>("For us").optional());
  }
};

struct Texts {
  vendor::Money price;
  vendor::Level level = vendor::Level::low;
  static constexpr auto describe() {
    return fields(field<&Texts::price>("How much"), field<&Texts::level>("How urgent"));
  }
};

template <class T>
T read(const char* text) {
  T value{};
  Violations violations;
  decode(parse_json(text), value, "", violations);
  BOOST_TEST(violations.text() == "");
  return value;
}

template <class T>
std::string violations_of(const char* text) {
  T value{};
  Violations violations;
  decode(parse_json(text), value, "", violations);
  return violations.text();
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_struct_of_somebody_else_is_described_beside_it) {
  BOOST_TEST(read<vendor::Point>(R"({"x":3})").x == 3);
  BOOST_TEST(violations_of<vendor::Point>(R"({"x":10})") == "x: 10 is not between 0 and 9");
  BOOST_TEST(to_json_text(encode(vendor::Point{1, 2})) == R"({"x":1,"y":2})");
  BOOST_TEST(to_json_text(schema_of<vendor::Point>()) ==
             R"({"type":"object","properties":{"x":{"type":"number","description":"To the right","minimum":0,)"
             R"("maximum":9},"y":{"type":"number","description":"Up","default":0}},"required":["x"],)"
             R"("additionalProperties":false})");
}

BOOST_AUTO_TEST_CASE(a_description_from_outside_replaces_that_of_the_struct) {
  BOOST_TEST(to_json_text(encode(vendor::Named{4})) == R"({"length":4})");
}

BOOST_AUTO_TEST_CASE(a_codec_reads_and_writes_by_another_type) {
  BOOST_TEST(to_json_text(encode(vendor::Money(250, "USD"))) == "\"250 USD\"");
  BOOST_TEST(read<vendor::Money>("\"250 USD\"").currency() == "USD");
  BOOST_TEST(to_json_text(schema_of<vendor::Money>()) == R"({"type":"string","pattern":"^[0-9]+ [A-Z]{3}$"})");
  BOOST_TEST(to_json_text(schema_of<vendor::Level>()) == R"({"type":"integer"})");
  BOOST_TEST(to_json_text(encode(vendor::Level::high)) == "10");
  BOOST_TEST((read<vendor::Level>("1") == vendor::Level::low));
}

BOOST_AUTO_TEST_CASE(what_a_codec_refuses_is_a_violation_in_its_words) {
  BOOST_TEST(violations_of<Order>(R"({"at":{"x":1},"price":"250","level":2,"parts":["1 EUR","2"]})") ==
             "price: expected cents and a currency, such as \"100 EUR\"\n"
             "level: expected 1 or 10\n"
             "parts[1]: expected cents and a currency, such as \"100 EUR\"");
}

BOOST_AUTO_TEST_CASE(a_value_that_is_none_of_the_wire_type_never_reaches_the_codec) {
  BOOST_TEST(violations_of<vendor::Money>("5") == "arguments: expected a string");
  BOOST_TEST(violations_of<Order>(R"({"at":{"x":1},"price":5})") == "price: expected a string");
  BOOST_TEST(violations_of<vendor::Segment>(R"([{"x":1},{"x":10}])") == "[1].x: 10 is not between 0 and 9");
  BOOST_TEST(violations_of<Order>(R"({"at":{"x":1}})") == "price: missing (a string: How much)");
}

BOOST_AUTO_TEST_CASE(other_exceptions_of_a_codec_are_those_of_the_tool) {
  Violations violations;
  vendor::Matrix matrix;
  BOOST_CHECK_THROW(decode(parse_json(R"(["x"])"), matrix, "", violations), boost::system::system_error);
}

BOOST_AUTO_TEST_CASE(a_codec_stands_inside_of_structs_vectors_and_optionals) {
  const auto order = read<Order>(R"({"at":{"x":1},"price":"7 EUR","level":10,"parts":["1 EUR","2 USD"]})");
  BOOST_TEST(order.price.cents() == 7);
  BOOST_TEST((order.level == vendor::Level::high));
  BOOST_TEST(order.parts.at(1).currency() == "USD");
  BOOST_TEST(order.fee.cents() == 5);
  BOOST_TEST(to_json_text(encode(order)) ==
             R"({"at":{"x":1,"y":0},"price":"7 EUR","level":10,"parts":["1 EUR","2 USD"],"fee":"5 EUR"})");
  const Json schema = schema_of<Order>();
  BOOST_TEST(to_json_text(schema.at("properties").at("fee")) ==
             R"({"type":"string","description":"For us","pattern":"^[0-9]+ [A-Z]{3}$","default":"5 EUR"})");
  BOOST_TEST(to_json_text(schema.at("required")) == R"(["at","price"])");
}

BOOST_AUTO_TEST_CASE(a_codec_may_make_json) {
  BOOST_TEST(to_json_text(encode(read<vendor::Matrix>("[1,2.5]"))) == "[1,2.5]");
  BOOST_TEST(violations_of<vendor::Matrix>("1") == "arguments: expected rows");
  BOOST_TEST(to_json_text(schema_of<vendor::Matrix>()) == R"({"type":"array"})");
}

BOOST_AUTO_TEST_CASE(a_codec_of_a_text_or_number_is_an_argument_of_a_prompt) {
  const auto texts = decode_texts<Texts>(parse_json(R"({"price":"3 EUR","level":"10"})"));
  BOOST_TEST(texts.price.cents() == 3);
  BOOST_TEST((texts.level == vendor::Level::high));
  const Prompt prompt = make_prompt({.name = "p"}, [](const Texts& given) { return given.price.currency(); });
  BOOST_TEST(prompt.info.arguments.size() == 2U);
  BOOST_TEST(to_json_text(form_schema_of<Texts>().at("properties").at("level").at("type")) == "\"integer\"");
}

BOOST_AUTO_TEST_CASE(tools_take_and_return_such_types) {
  const Tool tool = make_tool({.name = "pay"}, args("price", "at"), [](const vendor::Money& price, vendor::Point) {
    return vendor::Money(price.cents() * 2, "EUR");
  });
  const JsonObject none;
  Context context({}, none, none);
  const AnyOutcome outcome =
      std::get<ToolHandler>(tool.handler)(parse_json(R"({"price":"2 EUR","at":{"x":1}})"), context);
  BOOST_TEST(to_json_text(std::get<ToolResult>(outcome).structured.value()) == R"({"result":"4 EUR"})");
  BOOST_TEST(to_json_text(tool.info.output_schema.at("properties").at("result").at("pattern")) ==
             "\"^[0-9]+ [A-Z]{3}$\"");
}
