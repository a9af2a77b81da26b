#include "json/writer.hpp"

#define BOOST_TEST_MODULE writer
#include <boost/json/monotonic_resource.hpp>
#include <boost/test/unit_test.hpp>
#include <limits>

using toolwire::Json;
using toolwire::json::write;
using toolwire::json::Writer;

namespace {

std::string text_of(const Json& value) {
  std::string out;
  write(out, value);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_kind_of_value_is_written) {
  const Json value = {{"z", nullptr}, {"b", {true, false}},         {"", "x\n"},
                      {"i", -1},      {"u", 18446744073709551615U}, {"d", 0.5}};
  BOOST_TEST(text_of(value) == R"({"z":null,"b":[true,false],"":"x\n","i":-1,"u":18446744073709551615,"d":0.5})");
}

BOOST_AUTO_TEST_CASE(commas_stand_between_members_and_elements_only) {
  BOOST_TEST(text_of(boost::json::array{}) == "[]");
  BOOST_TEST(text_of(boost::json::object{}) == "{}");
  const Json nested = {
      boost::json::array{}, boost::json::object{}, {{"a", boost::json::object{}}, {"b", {1}}}, {2, {3}}, 4};
  BOOST_TEST(text_of(nested) == R"([[],{},{"a":{},"b":[1]},[2,[3]],4])");
}

BOOST_AUTO_TEST_CASE(text_is_appended) {
  std::string out = "before ";
  write(out, 1);
  BOOST_TEST(out == "before 1");
}

BOOST_AUTO_TEST_CASE(numbers_json_cannot_express_are_refused_and_nothing_is_written) {
  for (const double number : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    std::string out = "before";
    const Json value = {{"a", {1, number}}};
    BOOST_CHECK_THROW(write(out, value), std::invalid_argument);
    BOOST_TEST(out == "before");
  }
}

BOOST_AUTO_TEST_CASE(values_deeper_than_any_stack_are_written) {
  constexpr std::size_t depth = 300'000;
  boost::json::monotonic_resource arena;  // frees the value without walking through it
  const boost::json::storage_ptr storage(&arena);
  auto* const value = new (arena.allocate(sizeof(Json), alignof(Json))) Json(boost::json::array_kind, storage);
  Json* innermost = value;
  for (std::size_t i = 1; i < depth; ++i) innermost = &innermost->get_array().emplace_back(boost::json::array_kind);
  BOOST_TEST((text_of(*value) == std::string(depth, '[') + std::string(depth, ']')));
}

BOOST_AUTO_TEST_CASE(a_writer_puts_the_commas_itself) {
  std::string out;
  Writer writer(out);
  writer.begin_object();
  writer.key("jsonrpc").string("2.0");
  writer.key("id");
  writer.raw("\"\\u0041\"");
  writer.key("list");
  writer.begin_array();
  writer.integer(std::int64_t{-1});
  writer.integer(std::uint64_t{2});
  writer.number(1.5);
  writer.boolean(true);
  writer.null();
  writer.begin_object();
  writer.end_object();
  writer.begin_array();
  writer.end_array();
  writer.value(Json{{"k", "v"}});
  writer.end_array();
  writer.key("q\"");
  writer.boolean(false);
  writer.end_object();
  BOOST_TEST(out == R"({"jsonrpc":"2.0","id":"\u0041","list":[-1,2,1.5,true,null,{},[],{"k":"v"}],"q\"":false})");
}
