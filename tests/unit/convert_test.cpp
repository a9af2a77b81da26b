#include "toolwire/convert.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

#define BOOST_TEST_MODULE convert_test
#include <boost/test/unit_test.hpp>

namespace {

using toolwire::field;
using toolwire::fields;

enum class Sort { relevance, newest };

struct Circle {
  double radius;
  static constexpr auto describe() { return fields(field<&Circle::radius>("Radius")); }
};
struct Box {
  double width, height;
  static constexpr auto describe() {
    return fields(field<&Box::width>("Width").between(0.5, 10), field<&Box::height>("Height"));
  }
};
struct Search {
  std::string query;
  int limit = 10;
  std::optional<std::string> language;
  Sort sort = Sort::relevance;
  std::vector<std::string> files;
  static constexpr auto describe() {
    return fields(field<&Search::query>("Text to look for").length(1, 8),
                  field<&Search::limit>("How many hits").between(1, 100).optional(),
                  field<&Search::language>("Language"), field<&Search::sort>("Order").optional(),
                  field<&Search::files>("Where").items(0, 2).optional());
  }
};
struct Deep {
  std::map<std::string, std::vector<Circle>> groups;
  std::variant<Circle, Box> shape;
  std::array<bool, 2> pair{};
  std::vector<bool> bits;
  toolwire::Json any;
  static constexpr auto describe() {
    return fields(field<&Deep::groups>("").optional(), field<&Deep::shape>("").optional(),
                  field<&Deep::pair>("").optional(), field<&Deep::bits>("").optional(),
                  field<&Deep::any>("").optional());
  }
};

struct Dial {
  float angle = 0.1F;
  static constexpr auto describe() { return fields(field<&Dial::angle>("").between(0.1F, 0.9F).optional()); }
};

template <class T>
struct Decoded {
  T value{};
  std::string violations;
};

template <class T>
Decoded<T> read(std::string_view text, const std::string& path = "") {
  Decoded<T> decoded;
  toolwire::Violations violations;
  toolwire::decode(toolwire::parse_json(text), decoded.value, path, violations);
  decoded.violations = violations.text();
  return decoded;
}

template <class T>
std::string wrong(std::string_view text) {
  return read<T>(text, "x").violations;
}

template <class T>
std::string written(const T& value) {
  return toolwire::to_json_text(toolwire::encode(value));
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_left_out_keeps_its_initializer) {
  const auto [search, violations] = read<Search>(R"({"query":"hi"})");
  BOOST_TEST(violations == "");
  BOOST_TEST(search.query == "hi");
  BOOST_TEST(search.limit == 10);
  BOOST_TEST(!search.language.has_value());
}

BOOST_AUTO_TEST_CASE(null_counts_as_absent_for_what_may_be_absent) {
  const auto [search, violations] = read<Search>(R"({"query":"hi","limit":null,"language":null,"files":null})");
  BOOST_TEST(violations == "");
  BOOST_TEST(search.limit == 10);
  BOOST_TEST(read<Search>(R"({"query":null})").violations == "query: expected a string");
}

BOOST_AUTO_TEST_CASE(every_violation_is_reported_with_its_path) {
  const std::string expected =
      "query: missing (a string of 1 to 8 characters: Text to look for)\n"
      "limit: 999 is not between 1 and 100\n"
      "sort: expected one of \"relevance\", \"newest\"\n"
      "files[0]: expected a string";
  BOOST_TEST(read<Search>(R"({"limit":999,"sort":"best","files":[1]})").violations == expected);
}

BOOST_AUTO_TEST_CASE(an_unknown_member_is_refused_with_a_suggestion) {
  BOOST_TEST(read<Search>(R"({"query":"a","Languge":"de"})").violations ==
             "Languge: not an argument of this tool; did you mean \"language\"? "
             "expected: query, limit, language, sort, files");
  BOOST_TEST(read<Circle>(R"({"radius":1,"zzz":1})", "shape").violations ==
             "shape.zzz: not a member of this object; expected: radius");
}

BOOST_AUTO_TEST_CASE(only_what_is_still_missing_is_suggested) {
  BOOST_TEST(read<Circle>(R"({"radius":1,"radiuss":1})").violations ==
             "radiuss: not an argument of this tool; expected: radius");
}

BOOST_AUTO_TEST_CASE(names_of_the_peer_are_cut_and_made_harmless) {
  const std::string text = read<Circle>("{\"radius\":1,\"" + std::string(63, 'a') + "é\\u001b\":1}").violations;
  BOOST_TEST(text.starts_with("[\"" + std::string(63, 'a') + "…\"]: not an argument"));
  BOOST_TEST(read<Circle>(R"({"radius":1,"\u001b[2J\n":1})").violations.starts_with("[\"\\u{1B}[2J\\n\"]: not an"));
}

BOOST_AUTO_TEST_CASE(the_root_has_a_name) {
  BOOST_TEST(read<Search>("[]").violations == "arguments: expected an object");
  BOOST_TEST(read<Search>("[]", "confirm").violations == "confirm: expected an object");
}

BOOST_AUTO_TEST_CASE(whole_numbers_stay_within_their_type) {
  BOOST_TEST(wrong<std::int8_t>("300") == "x: 300 is not between -128 and 127");
  BOOST_TEST(wrong<std::int8_t>("-129") == "x: -129 is not between -128 and 127");
  BOOST_TEST(wrong<std::uint16_t>("-1") == "x: -1 is not between 0 and 65535");
  BOOST_TEST(wrong<int>("1e30") == "x: 1e+30 is not between -2147483648 and 2147483647");
  BOOST_TEST(wrong<std::int64_t>("9223372036854775808") ==
             "x: 9223372036854775808 is not between -9223372036854775808 and 9223372036854775807");
  BOOST_TEST(wrong<std::uint64_t>("18446744073709551616") ==
             "x: 18446744073709551616 is not between 0 and 18446744073709551615");
}

BOOST_AUTO_TEST_CASE(the_largest_and_smallest_numbers_are_exact) {
  BOOST_TEST(read<std::uint64_t>("18446744073709551615").value == 18446744073709551615U);
  BOOST_TEST(read<std::int64_t>("-9223372036854775808").value == std::numeric_limits<std::int64_t>::min());
  BOOST_TEST(read<std::int64_t>("9007199254740993").value == 9007199254740993);
  BOOST_TEST(read<std::int8_t>("-128").value == -128);
  BOOST_TEST(read<unsigned long long>("1").value == 1U);
}

BOOST_AUTO_TEST_CASE(a_whole_number_may_be_written_with_a_fraction_of_zero) {
  BOOST_TEST(read<int>("1.0").value == 1);
  BOOST_TEST(read<int>("-0.0").violations == "");
  BOOST_TEST(wrong<int>("1.5") == "x: 1.5 is not an integer");
  BOOST_TEST(wrong<int>("\"1\"") == "x: expected an integer");
  BOOST_TEST(wrong<int>("true") == "x: expected an integer");
}

BOOST_AUTO_TEST_CASE(real_numbers_take_every_number_in_range) {
  BOOST_TEST(read<double>("3").value == 3.0);
  BOOST_TEST(read<double>("18446744073709551615").value == 18446744073709551615.0);
  BOOST_TEST(read<float>("0.1").value == 0.1F);
  BOOST_TEST(wrong<float>("1e39").starts_with("x: 1e+39 is not between -3.4028234663852886e+38 and "));
  BOOST_TEST(wrong<double>("null") == "x: expected a number");
}

/// 0.1F is more than 0.1, and written as 0.1, in values as in the schema.
BOOST_AUTO_TEST_CASE(a_float_keeps_to_its_bounds_as_they_are_written) {
  BOOST_TEST(toolwire::to_json_text(toolwire::schema_of<Dial>().at("properties").at("angle")) ==
             R"({"type":"number","minimum":0.1,"maximum":0.9,"default":0.1})");
  for (const char* fits : {R"({"angle":0.1})", R"({"angle":0.9})", R"({"angle":0.5})", "{}"})
    BOOST_TEST(read<Dial>(fits).violations == "", fits);
  BOOST_TEST(wrong<Dial>(R"({"angle":0.09})") == "x.angle: 0.09 is not between 0.1 and 0.9");
  BOOST_TEST(wrong<Dial>(R"({"angle":0.91})") == "x.angle: 0.91 is not between 0.1 and 0.9");
  const float largest = std::numeric_limits<float>::max();
  for (const float extreme : {largest, -largest}) BOOST_TEST(read<float>(written(extreme)).value == extreme);
}

BOOST_AUTO_TEST_CASE(sizes_count_characters_and_items) {
  BOOST_TEST(read<Search>(R"({"query":"éééééééé"})").violations == "");
  BOOST_TEST(read<Search>(R"({"query":"123456789"})").violations == "query: expected 1 to 8 characters, found 9");
  BOOST_TEST(read<Search>(R"({"query":"a","files":["a","b","c"]})").violations ==
             "files: expected at most 2 items, found 3");
}

BOOST_AUTO_TEST_CASE(containers_are_read_with_paths_into_them) {
  const auto [deep, violations] =
      read<Deep>(R"({"groups":{"a":[{"radius":2}]},"pair":[true,false],"bits":[true],"any":{"z":[1]}})");
  BOOST_TEST(violations == "");
  BOOST_TEST(deep.groups.at("a").at(0).radius == 2.0);
  BOOST_TEST(deep.pair[0]);
  BOOST_TEST(deep.bits.at(0));
  BOOST_TEST(toolwire::to_json_text(deep.any) == R"({"z":[1]})");
  BOOST_TEST(read<Deep>(R"({"groups":{"a":[{"radius":2},{}],"b.c":1},"pair":[true],"bits":[1]})").violations ==
             "groups.a[1].radius: missing (a number: Radius)\n"
             "groups[\"b.c\"]: expected an array\n"
             "pair: expected 2 items, found 1\n"
             "bits[0]: expected a boolean");
}

BOOST_AUTO_TEST_CASE(a_variant_takes_the_first_alternative_that_fits) {
  BOOST_TEST(read<Deep>(R"({"shape":{"radius":1}})").value.shape.index() == 0U);
  const auto box = read<Deep>(R"({"shape":{"width":1,"height":2}})");
  BOOST_TEST(box.violations == "");
  BOOST_TEST(std::get<Box>(box.value.shape).height == 2.0);
}

BOOST_AUTO_TEST_CASE(a_variant_that_fits_nothing_names_what_each_alternative_needs) {
  BOOST_TEST(read<Deep>(R"({"shape":{"r":1}})").violations ==
             "shape: expected an object with \"radius\" (a number), or an object with \"width\" (a number between 0.5 "
             "and 10) and \"height\" (a number)");
  BOOST_TEST(read<Deep>(R"({"shape":{"width":99,"height":1}})").violations ==
             "shape.width: 99 is not between 0.5 and 10");
  BOOST_TEST(read<Deep>(R"({"shape":3})").violations == "shape: expected an object");
}

BOOST_AUTO_TEST_CASE(violations_are_bounded_and_counted) {
  std::string text = "[";
  for (int i = 0; i < 250; ++i) text += i == 0 ? "1" : ",1";
  toolwire::Violations violations;
  std::vector<std::string> out;
  toolwire::decode(toolwire::parse_json(text + "]"), out, "v", violations);
  BOOST_TEST(violations.list.size() == 100U);
  BOOST_TEST(violations.omitted == 150U);
  BOOST_TEST(violations.text().ends_with("v[99]: expected a string\nand 150 more"));
}

BOOST_AUTO_TEST_CASE(what_is_encoded_reads_back_the_same) {
  const char* const text =
      R"({"groups":{"a":[{"radius":0.1}],"b":[]},"shape":{"width":1.5,"height":2},"pair":[true,false],"bits":[true],"any":[null]})";
  const auto decoded = read<Deep>(text);
  BOOST_TEST(decoded.violations == "");
  BOOST_TEST(written(decoded.value) == text);
}

BOOST_AUTO_TEST_CASE(empty_optionals_are_left_out) {
  Search search;
  search.query = "a";
  BOOST_TEST(written(search) == R"({"query":"a","limit":10,"sort":"relevance","files":[]})");
  BOOST_TEST(written(Search{.query = "a", .limit = 1, .language = "de", .sort = Sort::newest, .files = {"f"}}) ==
             R"({"query":"a","limit":1,"language":"de","sort":"newest","files":["f"]})");
}

BOOST_AUTO_TEST_CASE(numbers_are_encoded_exactly) {
  BOOST_TEST(written(std::uint64_t{18446744073709551615U}) == "18446744073709551615");
  BOOST_TEST(written(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
  BOOST_TEST(written(std::int8_t{-5}) == "-5");
  BOOST_TEST(written(0.1F) == "0.1");
  BOOST_TEST(written(0.1) == "0.1");
  BOOST_TEST(written(std::string_view("text")) == "\"text\"");
}

BOOST_AUTO_TEST_CASE(what_json_cannot_express_is_refused) {
  BOOST_CHECK_THROW(toolwire::encode(std::numeric_limits<double>::quiet_NaN()), std::invalid_argument);
  BOOST_CHECK_THROW(toolwire::encode(std::numeric_limits<float>::infinity()), std::invalid_argument);
  BOOST_CHECK_THROW(toolwire::encode(static_cast<Sort>(9)), std::invalid_argument);
}
