#include "toolwire/detail/texts.hpp"

#define BOOST_TEST_MODULE texts_test
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <optional>
#include <string>

using namespace toolwire;

namespace {

enum class Colour { red, green };

struct All {
  std::string text;
  int count = 3;
  std::optional<double> weight;
  bool loud = false;
  Colour colour = Colour::green;
  std::optional<std::uint64_t> large;
  static constexpr auto describe() {
    return fields(field<&All::text>("A text"), field<&All::count>("A number").between(0, 10).optional(),
                  field<&All::weight>("A fraction"), field<&All::loud>("Whether").optional(),
                  field<&All::colour>("Which").optional(), field<&All::large>("A large number"));
  }
};

All read(const char* json) { return decode_texts<All>(parse_json(json)); }

std::string objection(const char* json) {
  try {
    read(json);
  } catch (const InvalidArguments& error) {
    return error.what();
  }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(texts_become_what_the_members_are) {
  const All all = read(
      R"({"text":"10","count":"7","weight":"-1.5e2","loud":"true","colour":"red","large":"18446744073709551615"})");
  BOOST_TEST(all.text == "10");
  BOOST_TEST(all.count == 7);
  BOOST_TEST(all.weight.value() == -150.0);
  BOOST_TEST(all.loud);
  BOOST_CHECK(all.colour == Colour::red);
  BOOST_TEST(all.large.value() == 18446744073709551615u);
}

BOOST_AUTO_TEST_CASE(what_is_left_out_keeps_its_initializer) {
  const All all = read(R"({"text":""})");
  BOOST_TEST(all.count == 3);
  BOOST_TEST(!all.weight.has_value());
  BOOST_CHECK(all.colour == Colour::green);
}

BOOST_AUTO_TEST_CASE(violations_name_the_member) {
  BOOST_TEST(objection("{}").find("text: missing") == 0u);
  BOOST_TEST(objection(R"({"text":"","count":"11"})") == "count: 11 is not between 0 and 10");
  for (const char* number : {"x", "", " ", "0x1", "007", "1 2", "null", "[1]", "1e999", "+1"})
    BOOST_TEST(objection(to_json_text(JsonObject{{"text", ""}, {"count", number}}).c_str()).find("count: expected") ==
               0u);
  BOOST_TEST(objection(R"({"text":"","loud":"yes"})").find("loud: expected") == 0u);
  BOOST_TEST(objection(R"({"text":"","loud":"1"})").find("loud: expected") == 0u);
  BOOST_TEST(objection(R"({"text":"","colour":"blue"})").find("colour: expected") == 0u);
  BOOST_TEST(objection(R"({"text":"","other":"1"})").find("other") == 0u);
}
