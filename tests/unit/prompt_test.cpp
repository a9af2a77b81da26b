#include <toolwire/prompt.hpp>

#define BOOST_TEST_MODULE prompt_test
#include <boost/test/unit_test.hpp>

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "features/served_prompt.hpp"

using namespace toolwire;

namespace {

enum class Size { small, large };

struct Cake {
  std::string name;
  Size size = Size::small;
  std::optional<int> candles;
  bool iced = false;
  static constexpr auto describe() {
    return fields(field<&Cake::name>("Whose").title("Name"), field<&Cake::size>("How large").optional(),
                  field<&Cake::candles>("How many"), field<&Cake::iced>("With sugar").optional());
  }
};

std::string bake(const Cake& cake) {
  return cake.name + (cake.size == Size::small ? " small " : " large ") + std::to_string(cake.candles.value_or(-1)) +
         (cake.iced ? " iced" : "");
}

PromptOutcome run(const Prompt& prompt, const char* texts) {
  const JsonObject none;
  Context context({}, none, none);
  return std::get<PromptHandler>(prompt.handler)(parse_json(texts), context);
}

template <class F>
Prompt prompt_of(F function) {
  return make_prompt(PromptInfo{.name = "p"}, std::move(function));
}

std::string text_of(const PromptOutcome& outcome) {
  return std::get<TextContent>(std::get<PromptResult>(outcome).messages.at(0).content.item).text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(arguments_are_told_as_the_struct_describes_them) {
  const auto arguments = prompt_of(bake).info.arguments;
  BOOST_REQUIRE(arguments.size() == 4u);
  BOOST_TEST(arguments[0].name == "name");
  BOOST_TEST(arguments[0].title == "Name");
  BOOST_TEST(arguments[0].description == "Whose");
  BOOST_TEST(arguments[0].required);
  BOOST_TEST(!arguments[1].required);
  BOOST_TEST(!arguments[2].required);
}

BOOST_AUTO_TEST_CASE(texts_become_numbers_truth_values_and_enumerators) {
  const Prompt prompt = prompt_of(bake);
  BOOST_TEST(text_of(run(prompt, R"({"name":"5"})")) == "5 small -1");
  BOOST_TEST(text_of(run(prompt, R"({"name":"Ada","size":"large","candles":"7","iced":"true"})")) ==
             "Ada large 7 iced");
  for (const char* misfit : {R"({"name":"a","candles":"many"})", R"({"name":"a","size":"huge"})",
                             R"({"name":"a","iced":"yes"})", R"({"name":"a","candles":"1.5"})", "{}"}) {
    BOOST_TEST_INFO(misfit);
    BOOST_CHECK_THROW(run(prompt, misfit), InvalidArguments);
  }
}

BOOST_AUTO_TEST_CASE(what_a_function_returns_becomes_messages) {
  BOOST_TEST(text_of(run(prompt_of([] { return "literal"; }), "{}")) == "literal");
  BOOST_TEST(text_of(run(prompt_of([] { return PromptMessage::assistant("one"); }), "{}")) == "one");
  BOOST_TEST(text_of(run(prompt_of([] { return std::vector{PromptMessage::user("many")}; }), "{}")) == "many");
  BOOST_TEST(text_of(run(prompt_of([] { return PromptResult{}.user("built"); }), "{}")) == "built");
  const auto either = [](bool asks) {
    return prompt_of([asks]() -> Outcome<std::string> {
      if (asks) return ask_roots("roots");
      return std::string("text");
    });
  };
  BOOST_TEST(text_of(run(either(false), "{}")) == "text");
  BOOST_TEST(std::get<Questions>(run(either(true), "{}")).list.front().method == "roots/list");
}

BOOST_AUTO_TEST_CASE(an_outcome_that_the_function_keeps_is_the_same_every_time) {
  Outcome<std::string> kept(std::string("a text that no small buffer holds"));
  const Prompt prompt = prompt_of([&kept]() -> Outcome<std::string>& { return kept; });
  BOOST_TEST(text_of(run(prompt, "{}")) == "a text that no small buffer holds");
  BOOST_TEST(text_of(run(prompt, "{}")) == "a text that no small buffer holds");
}

BOOST_AUTO_TEST_CASE(a_prompt_may_see_the_texts_themselves) {
  const Prompt prompt = prompt_of([](const Json& texts, Context&) { return to_json_text(texts); });
  BOOST_TEST(text_of(run(prompt, R"({"a":"1"})")) == R"({"a":"1"})");
}

BOOST_AUTO_TEST_CASE(a_reply_that_is_dropped_ends_the_request_with_an_error) {
  std::vector<PromptOutcome> outcomes;
  {
    PromptReply reply([&](PromptOutcome&& outcome) { outcomes.push_back(std::move(outcome)); });
  }
  BOOST_REQUIRE(outcomes.size() == 1u);
  BOOST_TEST(std::get<ProtocolError>(outcomes.front()).code == error_code::internal_error);
  BOOST_TEST(std::get<ProtocolError>(outcomes.front()).data == (Json{{"code", "dropped"}, {"retryable", false}}));
}

BOOST_AUTO_TEST_CASE(enumerations_suggest_themselves) {
  PromptInfo info{.name = "p"};
  info.completers["name"] = complete_from({"Ada", "Alan", "Grace"});
  const auto served = features::serve(make_prompt(std::move(info), bake));
  const auto suggested = [&](const char* argument, const char* typed) {
    return (*served->completer(argument))(typed, {}).values;
  };
  BOOST_TEST(suggested("name", "a") == (std::vector<std::string>{"Ada", "Alan"}), boost::test_tools::per_element());
  BOOST_TEST(suggested("size", "l") == std::vector<std::string>{"large"}, boost::test_tools::per_element());
  BOOST_TEST(!*served->completer("candles"));
  BOOST_TEST(served->completer("nothing") == nullptr);
}

BOOST_AUTO_TEST_CASE(a_prompt_that_makes_no_sense_is_refused) {
  BOOST_CHECK_THROW(features::serve(make_prompt(PromptInfo{}, bake)), std::invalid_argument);
  PromptInfo twice{.name = "p", .arguments = {{.name = "a"}, {.name = "a"}}};
  BOOST_CHECK_THROW(features::serve(make_prompt(twice, [](const Json&) { return "x"; })), std::invalid_argument);
  PromptInfo stray{.name = "p", .arguments = {{.name = "a"}}};
  stray.completers["b"] = complete_from({});
  BOOST_CHECK_THROW(features::serve(make_prompt(stray, [](const Json&) { return "x"; })), std::invalid_argument);
}
