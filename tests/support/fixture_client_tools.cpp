// Tools that use what clients offer beside forms: pages, models, roots, logs, traces; and answers that count once.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fixture_tools.hpp"

namespace toolwire_test {
namespace {

using namespace toolwire;

struct Count {
  int count = 0;
  static constexpr auto describe() { return fields(field<&Count::count>("How many").between(1, 1000)); }
};

struct Named {
  std::string name;
  static constexpr auto describe() { return fields(field<&Named::name>("A name")); }
};

struct Approval {
  bool approve = false;
  static constexpr auto describe() { return fields(field<&Approval::approve>("Is it allowed?")); }
};

enum class Size { small, large };

struct Order {
  std::string name = "nobody";
  Size size = Size::small;
  double price = 1.5;
  bool wrapped = true;
  static constexpr auto describe() {
    return fields(field<&Order::name>("For whom").optional(), field<&Order::size>("How large").optional(),
                  field<&Order::price>("How much").optional(), field<&Order::wrapped>("As a present").optional());
  }
};

Outcome<std::string> open_page(Context& context) {
  auto answer = context.url_answer("page");
  if (!answer) return ask_url("page", "Sign in", "https://example.org/sign-in", "page-1");
  return std::string(*answer == AnswerAction::accept    ? "opened"
                     : *answer == AnswerAction::decline ? "declined"
                                                        : "cancelled");
}

Outcome<std::string> ask_the_model(Context& context) {
  auto answer = context.model_answer("model");
  if (!answer) {
    ModelRequest request{.messages = {ModelMessage::user("2 + 2?"), ModelMessage::assistant("4")}, .max_tokens = 50};
    request.messages.push_back(ModelMessage::user("And 3 + 3?"));
    request.messages.back().content.push_back({AudioContent{"\x01", "audio/wav"}});
    request.system_prompt = "Be brief.";
    request.preferences = {.hints = {"small"}, .cost = 0.5};
    request.temperature = 0.25;
    request.stop_sequences = {"."};
    return ask_model("model", request);
  }
  return answer->accepted() ? answer->value->model + ": " + answer->value->text() : std::string("refused");
}

Outcome<std::string> let_the_model_use_tools(Context& context) {
  auto first = context.model_answer("first");
  ModelRequest request{.messages = {ModelMessage::user("The weather in Rome?")}, .max_tokens = 100};
  request.tools = {
      {"weather", "The weather", parse_json(R"({"type":"object","properties":{"city":{"type":"string"}}})")}};
  request.tool_choice = ToolChoice::automatic;
  if (!first) return ask_model("first", request);
  if (!first->accepted()) return std::string("refused");
  auto second = context.model_answer("second");
  if (!second) {
    std::vector<ToolUseResult> results;
    for (const ToolUse& use : first->value->tool_uses())
      results.push_back({use.id, to_json_text(use.input) + ": sunny"});
    request.messages.push_back(first->value->as_message());
    request.messages.push_back(tool_results(results));
    return ask_model("second", request);
  }
  return second->accepted() ? second->value->text() : std::string("refused");
}

Outcome<std::string> look_at_roots(Context& context) {
  auto roots = context.roots("roots");
  if (!roots) return ask_roots("roots");
  if (!roots->accepted()) return std::string("refused");
  std::string text = std::to_string(roots->value->size()) + " roots:";
  for (const Root& root : *roots->value) text += " " + root.name + "=" + root.uri;
  return text;
}

Outcome<std::string> ask_everything(Context& context) {
  auto approval = context.answer<Approval>("approval");
  auto model = context.model_answer("model");
  auto roots = context.roots("roots");
  Questions open;
  if (!approval) open.list.push_back(ask<Approval>("approval", "Allowed?").list.front());
  if (!model) open.list.push_back(ask_model("model", "Why?", 10).list.front());
  if (!roots) open.list.push_back(ask_roots("roots").list.front());
  if (!open.list.empty()) return open;
  return std::string(approval->accepted() ? "form" : "no form") + (model->accepted() ? ", model" : ", no model") +
         (roots->accepted() ? ", roots" : ", no roots");
}

Outcome<std::string> approve(const Named& what, Context& context) {
  auto approval = context.answer<Approval>("approval");
  if (!approval) return ask<Approval>("approval", "Do " + what.name + "?");
  return what.name + (approval->accepted() && approval->value->approve ? " is done" : " is not done");
}

Outcome<std::string> take_order(Context& context) {
  auto order = context.answer<Order>("order");
  if (!order) return ask<Order>("order", "What shall it be?");
  return order->accepted() ? to_json_text(encode(*order->value)) : std::string("nothing");
}

enum class Topping { cheese, olives, onions };

struct Pizza {
  std::vector<Topping> toppings;
  static constexpr auto describe() { return fields(field<&Pizza::toppings>("What is on it").items(1, 2)); }
};

Outcome<std::string> choose(Context& context) {
  auto pizza = context.answer<Pizza>("pizza");
  if (!pizza) return ask<Pizza>("pizza", "Which?");
  return pizza->accepted() ? to_json_text(encode(*pizza->value)) : std::string("none");
}

std::string say_everything(Context& context) {
  for (std::string_view name : log_level_names)
    context.log(*log_level_named(name), "this is " + std::string(name), "fixture");
  context.log(LogLevel::error, Json{{"code", 5}});
  return "said";
}

}  // namespace

void add_client_tools(FixtureTools& tools) {
  tools.add("open_page", "Asks to open a page", open_page);
  tools.add("page_done", "Reports that what is done on a page is done", [&server = tools.server](const Named& page) {
    return std::string(server.elicitation_complete(page.name) ? "told" : "nobody to tell");
  });
  tools.add("ask_model", "Asks the model", ask_the_model);
  tools.add("ask_model_with_tools", "Lets the model use a tool", let_the_model_use_tools);
  tools.add("ask_roots", "Asks for the roots", look_at_roots);
  tools.add("ask_everything", "Asks three things at once", ask_everything);
  tools.add("order", "Asks with defaults of every kind", take_order);
  tools.add("choose", "Asks for several choices", choose);
  tools.add(ToolInfo{.name = "approve", .description = "Asks once", .single_use_answers = true}, approve);
  tools.add("log", "Logs at every level", say_everything);
  tools.add("log_much", "Logs often", [](const Count& lines, Context& context) {
    for (int i = 1; i <= lines.count; ++i) context.log(LogLevel::info, "line " + std::to_string(i));
    return std::string("done");
  });
  tools.add("trace", "Tells the trace it belongs to", [](Context& context) {
    TraceContext trace = context.trace();
    return trace.traceparent + "|" + trace.tracestate + "|" + trace.baggage;
  });
}

}  // namespace toolwire_test
