#include "toolwire/describe.hpp"

#include <cstdint>

#define BOOST_TEST_MODULE describe_test
#include <boost/test/unit_test.hpp>

namespace {

using toolwire::field;
using toolwire::FieldInfo;

struct Sample {
  std::string text;
  int number = 3;
  std::optional<double> real;
  std::vector<int> list;
  std::uint64_t large = 0;

  static constexpr auto describe() { return toolwire::fields(field<&Sample::text>("A text")); }
};

struct Undescribed {
  int a;
};

struct Empty {
  static constexpr auto describe() { return toolwire::fields(); }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_field_has_the_name_of_its_member_and_is_required) {
  constexpr auto text = field<&Sample::text>("A text");
  BOOST_TEST(text.name == "text");
  BOOST_TEST(text.description == "A text");
  BOOST_TEST(text.required);
  BOOST_TEST(text.title("Text").FieldInfo::title == "Text");
}

BOOST_AUTO_TEST_CASE(an_optional_member_is_not_required) {
  BOOST_TEST(!field<&Sample::real>("").required);
  BOOST_TEST(!field<&Sample::number>("").optional().required);
}

BOOST_AUTO_TEST_CASE(a_field_may_have_another_name_on_the_wire) {
  BOOST_TEST(field<&Sample::text>("").named("wire-name").name == "wire-name");
}

BOOST_AUTO_TEST_CASE(bounds_are_kept_exactly) {
  constexpr auto limited = field<&Sample::large>("").between(1, 18446744073709551615U);
  BOOST_TEST((limited.minimum == 1));
  BOOST_TEST((limited.maximum == 18446744073709551615.0L));
  constexpr auto real = field<&Sample::real>("").at_most(0.1);
  BOOST_TEST((real.minimum == -FieldInfo::unbounded));
  BOOST_TEST((static_cast<double>(real.maximum) == 0.1));
  BOOST_TEST((field<&Sample::number>("").at_least(-5).minimum == -5));
}

BOOST_AUTO_TEST_CASE(sizes_limit_strings_and_vectors) {
  constexpr auto text = field<&Sample::text>("").length(1, 20);
  BOOST_TEST(text.min_size == 1U);
  BOOST_TEST(text.max_size == 20U);
  constexpr auto list = field<&Sample::list>("").items(0, 3);
  BOOST_TEST(list.max_size == 3U);
}

BOOST_AUTO_TEST_CASE(a_text_may_have_a_form) {
  constexpr auto text = field<&Sample::text>("").pattern("^a").format("email").length(1, 2);
  BOOST_TEST(text.FieldInfo::pattern == "^a");
  BOOST_TEST(text.FieldInfo::format == "email");
  BOOST_TEST(field<&Sample::text>("").FieldInfo::pattern.empty());
}

BOOST_AUTO_TEST_CASE(each_change_leaves_the_rest_as_it_was) {
  constexpr auto all = field<&Sample::number>("How many").between(1, 9).optional().named("n").title("N").at_most(8);
  BOOST_TEST(all.description == "How many");
  BOOST_TEST(all.name == "n");
  BOOST_TEST(!all.required);
  BOOST_TEST((all.minimum == 1));
  BOOST_TEST((all.maximum == 8));
}

BOOST_AUTO_TEST_CASE(a_struct_is_described_by_its_function) {
  BOOST_TEST(toolwire::Described<Sample>);
  BOOST_TEST(toolwire::Described<Empty>);
  BOOST_TEST(!toolwire::Described<Undescribed>);
  BOOST_TEST(!toolwire::Described<int>);
}
