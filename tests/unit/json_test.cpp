#include <toolwire/json.hpp>

#define BOOST_TEST_MODULE json
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_CASE(text_comes_back_as_it_was) {
  const std::string text = R"({"b":[1,-2.5,"x\ny",null,true],"a":{}})";
  BOOST_TEST(toolwire::to_json_text(toolwire::parse_json(text)) == text);
}

BOOST_AUTO_TEST_CASE(text_that_is_not_json_throws_its_place_and_the_expectation) {
  BOOST_CHECK_EXCEPTION(toolwire::parse_json(R"({"params":{"x":}})"), toolwire::JsonError, [](const auto& error) {
    return error.offset == 15 && error.what() == std::string("at byte 15 (params.x): expected a value, found '}'");
  });
}

BOOST_AUTO_TEST_CASE(options_reach_the_parser) {
  using toolwire::parse_json;
  BOOST_CHECK_THROW(parse_json("[[]]", {.max_depth = 1}), toolwire::JsonError);
  BOOST_CHECK_THROW(parse_json(R"({"a":1,"a":1})", {.duplicate_keys = toolwire::DuplicateKeys::refuse}),
                    toolwire::JsonError);
}
