#include "toolwire/detail/names.hpp"

#include <cstdint>
#include <limits>

#define BOOST_TEST_MODULE names_test
#include <boost/test/unit_test.hpp>

namespace sample {
enum class Plain { first, second, seventh = 7 };
enum class Small : std::uint8_t { none, last = 127, high = 255 };
enum class Flags : std::uint64_t { none = 0, some = 1, far = 1ULL << 12, last = 1ULL << 63 };
enum class Negative { failed = -1, lowest = -128 };
enum class Far { near = 3, hidden = 300 };
enum class Flag : bool { off, on };
enum class Letter : char { a = 'a', b = 'b' };
enum class Huge : std::uint64_t { one = 1, beyond = std::numeric_limits<std::uint64_t>::max() };
enum class Wide { below = -2, zero = 0, far = 300 };
constexpr toolwire::EnumeratorRange enumerator_range(Wide) { return {-2, 300}; }
enum class Renamed { low, high };
constexpr auto enumerator_names(Renamed) {
  return std::to_array<toolwire::Enumerator<Renamed>>({{Renamed::high, "very high"}, {Renamed::low, "very low"}});
}
enum class Narrow : std::int8_t { a = -128, b = 127 };
constexpr toolwire::EnumeratorRange enumerator_range(Narrow) { return {-1000, 1000}; }
enum class Twice { a = 1, same_as_a = 1, b = 2 };
enum Unscoped { x };
enum Typed : short { below = -1, t, above = 200 };
struct Holder {
  enum Inner : int { inside = 4 };
};
enum Listed { listed = 70000 };
constexpr auto enumerator_names(Listed) {
  return std::to_array<toolwire::Enumerator<Listed>>({{listed, "the first", "The first of all"}});
}

template <class A, class B>
struct Pair {
  A first_of_pair;
  B other;
};
struct Base {
  int inherited;
};
struct Derived : Base {
  int its_own;
};
}  // namespace sample

namespace {
enum class Hidden { a, b };

template <class E>
std::string joined() {
  std::string out;
  for (const auto& one : toolwire::enumerators<E>()) {
    out += std::string(one.name) + "=" + std::to_string(static_cast<int>(one.value)) + " ";
  }
  return out;
}
}  // namespace

BOOST_AUTO_TEST_CASE(enumerators_are_found_in_the_order_of_their_values) {
  BOOST_TEST(joined<sample::Plain>() == "first=0 second=1 seventh=7 ");
  BOOST_TEST(joined<Hidden>() == "a=0 b=1 ");
}

BOOST_AUTO_TEST_CASE(small_values_and_flags_are_searched_unless_a_range_is_declared) {
  BOOST_TEST(joined<sample::Small>() == "none=0 last=127 high=255 ");
  BOOST_TEST(joined<sample::Negative>() == "lowest=-128 failed=-1 ");
  BOOST_TEST(joined<sample::Far>() == "near=3 ");
  const auto& flags = toolwire::enumerators<sample::Flags>();
  BOOST_REQUIRE(flags.size() == 4U);
  BOOST_TEST(flags[2].name == "far");
  BOOST_TEST((flags[3].value == sample::Flags::last));
  BOOST_TEST(joined<sample::Wide>() == "below=-2 zero=0 far=300 ");
}

BOOST_AUTO_TEST_CASE(the_range_is_cut_to_what_the_type_can_hold) {
  BOOST_TEST(joined<sample::Flag>() == "off=0 on=1 ");
  BOOST_TEST(joined<sample::Letter>() == "a=97 b=98 ");
  BOOST_TEST(joined<sample::Huge>() == "one=1 ");
  BOOST_TEST(joined<sample::Narrow>() == "a=-128 b=127 ");
}

BOOST_AUTO_TEST_CASE(an_author_may_list_other_names) {
  BOOST_TEST(joined<sample::Renamed>() == "very high=1 very low=0 ");
}

BOOST_AUTO_TEST_CASE(of_two_enumerators_with_one_value_the_first_counts) {
  BOOST_TEST(joined<sample::Twice>() == "a=1 b=2 ");
}

BOOST_AUTO_TEST_CASE(enumerations_inside_functions_have_names) {
  enum class Local { here, there };
  BOOST_TEST(joined<Local>() == "here=0 there=1 ");
}

BOOST_AUTO_TEST_CASE(members_have_the_names_they_were_declared_with) {
  using toolwire::detail::member_name;
  struct Local {
    int in_a_function;
  };
  BOOST_TEST(member_name<&sample::Derived::its_own>() == "its_own");
  BOOST_TEST(member_name<&sample::Derived::inherited>() == "inherited");
  BOOST_TEST((member_name<&sample::Pair<sample::Pair<int, char>, Hidden>::first_of_pair>() == "first_of_pair"));
  BOOST_TEST(member_name<&Local::in_a_function>() == "in_a_function");
}

BOOST_AUTO_TEST_CASE(enumerations_count_whose_values_can_be_tried_out_or_are_listed) {
  BOOST_TEST(toolwire::NamedEnum<sample::Plain>);
  BOOST_TEST(toolwire::NamedEnum<sample::Typed>);
  BOOST_TEST(toolwire::NamedEnum<sample::Listed>);
  BOOST_TEST(!toolwire::NamedEnum<sample::Unscoped>);
  BOOST_TEST(!toolwire::NamedEnum<std::byte>);
  BOOST_TEST(!toolwire::NamedEnum<int>);
  BOOST_TEST(joined<sample::Typed>() == "below=-1 t=0 above=200 ");
  BOOST_TEST(joined<sample::Holder::Inner>() == "inside=4 ");
  BOOST_TEST(joined<sample::Listed>() == "the first=70000 ");
}

BOOST_AUTO_TEST_CASE(an_enumerator_may_have_a_title) {
  BOOST_TEST(toolwire::enumerators<sample::Listed>()[0].title == "The first of all");
  BOOST_TEST(toolwire::enumerators<sample::Plain>()[0].title == "");
}

BOOST_AUTO_TEST_CASE(types_have_names_without_namespaces_and_arguments) {
  using toolwire::detail::type_name;
  struct Local {};
  BOOST_TEST(type_name<sample::Derived>() == "Derived");
  BOOST_TEST((type_name<sample::Pair<sample::Pair<int, char>, Hidden>>() == "Pair"));
  BOOST_TEST(type_name<Local>() == "Local");
}
