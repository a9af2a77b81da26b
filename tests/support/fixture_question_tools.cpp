#include <optional>
#include <string>

#include "fixture_tools.hpp"

namespace toolwire_test {
namespace {

using toolwire::Answer;
using toolwire::ask;
using toolwire::Context;
using toolwire::field;
using toolwire::fields;
using toolwire::Outcome;
using toolwire::ToolInfo;

struct Target {
  std::string target;
  static constexpr auto describe() { return fields(field<&Target::target>("What it is about")); }
};

struct Confirm {
  bool sure = false;
  std::optional<std::string> note;
  static constexpr auto describe() {
    return fields(field<&Confirm::sure>("Really?"), field<&Confirm::note>("A remark"));
  }
};

enum class Color { red, green };

struct Choice {
  Color color = Color::red;
  int count = 1;
  static constexpr auto describe() {
    return fields(field<&Choice::color>("Which one"), field<&Choice::count>("How many").between(1, 9).optional());
  }
};

std::string text_of(const Answer<Confirm>& answer) {
  if (answer.action == Answer<Confirm>::Action::decline) return "declined";
  if (!answer.accepted()) return "cancelled";
  return std::string(answer.value->sure ? "sure" : "unsure") + (answer.value->note ? ", " + *answer.value->note : "");
}

std::string text_of(const Answer<Choice>& answer) {
  if (!answer.accepted()) return "nothing";
  return std::to_string(answer.value->count) + (answer.value->color == Color::red ? " red" : " green");
}

Outcome<std::string> ask_once(const Target& target, Context& context) {
  auto confirm = context.answer<Confirm>("confirm");
  if (!confirm) return ask<Confirm>("confirm", "About " + target.target + "?");
  return target.target + ": " + text_of(*confirm);
}

Outcome<std::string> ask_two(Context& context) {
  auto confirm = context.answer<Confirm>("confirm");
  auto choice = context.answer<Choice>("choice");
  if (!confirm && !choice) return ask<Confirm>("confirm", "Go on?").also(ask<Choice>("choice", "Which?"));
  if (!confirm) return ask<Confirm>("confirm", "Go on?");
  if (!choice) return ask<Choice>("choice", "Which?");
  return text_of(*confirm) + "; " + text_of(*choice);
}

Outcome<std::string> ask_in_turn(Context& context) {
  auto confirm = context.answer<Confirm>("confirm");
  if (!confirm) return ask<Confirm>("confirm", "Go on?");
  if (!confirm->accepted()) return std::string("stopped");
  auto choice = context.answer<Choice>("choice");
  if (!choice) return ask<Choice>("choice", "Which?");
  return text_of(*confirm) + ", then " + text_of(*choice);
}

}  // namespace

void add_question_tools(FixtureTools& tools) {
  tools.add("ask", "Asks once", ask_once);
  tools.add("ask_too", "Asks the same", ask_once);
  tools.add("ask_two", "Asks two things at once", ask_two);
  tools.add("ask_in_turn", "Asks one thing, then another", ask_in_turn);
  tools.add(ToolInfo{.name = "ask_limited", .description = "Asks, once a minute", .rate_per_minute = 1}, ask_once);
}

}  // namespace toolwire_test
