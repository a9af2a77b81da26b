#include "toolwire/completion.hpp"

#define BOOST_TEST_MODULE completion_test
#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>

#include "toolwire/detail/prompt_arguments_of.hpp"
#include "toolwire/detail/type_table_of.hpp"

using namespace toolwire;

namespace {

enum class Size { small, large };

struct Order {
  std::string what;
  std::optional<Size> size;
  bool gift = false;
  static constexpr auto describe() {
    return fields(field<&Order::what>("What"), field<&Order::size>("How large"),
                  field<&Order::gift>("Wrapped").optional());
  }
};

std::string suggested(const Completer& completer, std::string_view typed) {
  std::string all;
  for (const std::string& value : completer(typed, {}).values) all += value + " ";
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(choices_that_begin_with_what_is_typed_are_suggested_in_their_order) {
  const Completer completer = complete_from({"python", "Perl", "ruby", "PHP"});
  BOOST_TEST(suggested(completer, "p") == "python Perl PHP ");
  BOOST_TEST(suggested(completer, "PE") == "Perl ");
  BOOST_TEST(suggested(completer, "") == "python Perl ruby PHP ");
  BOOST_TEST(suggested(completer, "pythonic") == "");
}

BOOST_AUTO_TEST_CASE(enumerations_and_booleans_complete_themselves) {
  Completers completers;
  completers["gift"] = complete_from({"of course"});
  detail::add_completers_of(detail::ShapeOf<Order>::value, completers);
  BOOST_TEST(completers.size() == 3u);
  BOOST_TEST(!completers.at("what"));
  BOOST_TEST(suggested(completers.at("size"), "l") == "large ");
  BOOST_TEST(suggested(completers.at("gift"), "") == "of course ");
}
