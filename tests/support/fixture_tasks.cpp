// Long-running tools: what tasks can do and how they end.
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "fixture_tools.hpp"
#include "toolwire/error.hpp"

namespace toolwire_test {
namespace {

using toolwire::ask;
using toolwire::Context;
using toolwire::field;
using toolwire::fields;
using toolwire::Outcome;
using toolwire::Reply;
using toolwire::ToolInfo;

struct Gate {
  std::string gate;
  static constexpr auto describe() { return fields(field<&Gate::gate>("Name of a gate")); }
};

struct Confirm {
  bool sure = false;
  static constexpr auto describe() { return fields(field<&Confirm::sure>("Really?")); }
};

struct Name {
  std::string name;
  static constexpr auto describe() { return fields(field<&Name::name>("Whose")); }
};

ToolInfo long_running(std::string name, std::string description) {
  return {.name = std::move(name), .description = std::move(description), .long_running = true};
}

Outcome<std::string> ask_once(Context& context) {
  auto confirm = context.answer<Confirm>("confirm");
  if (!confirm) return ask<Confirm>("confirm", "Go on?");
  if (!confirm->accepted()) return std::string("not accepted");
  return std::string(confirm->value->sure ? "sure" : "unsure");
}

Outcome<std::string> ask_two(Context& context) {
  auto confirm = context.answer<Confirm>("confirm");
  auto name = context.answer<Name>("name");
  if (!confirm || !name) return ask<Confirm>("confirm", "Go on?").also(ask<Name>("name", "Who?"));
  return name->value->name + (confirm->value->sure ? " is sure" : " is not sure");
}

Outcome<std::string> ask_until_sure(Context& context) {
  auto confirm = context.answer<Confirm>("confirm");
  if (!confirm || !confirm->value->sure) return ask<Confirm>("confirm", "Sure now?");
  return std::string("sure at last");
}

Outcome<std::string> ask_name(Context& context) {
  auto name = context.answer<Name>("name");
  if (!name) return ask<Name>("name", "Who?");
  return "Hello, " + name->value->name;
}

void add_waiting_tasks(FixtureTools& tools) {
  auto gates = tools.gates;
  tools.add(
      long_running("task_wait", "Waits until its gate is opened, or it is told to stop; opens \"GATE has ended\""),
      [gates](const Gate& g, Context& context) {
        gates->open(g.gate + " has begun");
        bool opened = gates->wait(g.gate, context.stop_token());
        gates->open(g.gate + " has ended");
        return std::string(opened ? "opened" : "stopped");
      });
  tools.add(long_running("task_later", "Answers when it is settled; opens \"GATE is kept\""),
            [gates](const Gate& g, Context&, Reply reply) {
              gates->keep(g.gate, std::move(reply));
              gates->open(g.gate + " is kept");
            });
  tools.add(long_running("task_progress", "Reports progress, opens \"GATE is half way\", then waits for its gate"),
            [gates](const Gate& g, Context& context) {
              context.progress(1, 2, "half");
              gates->open(g.gate + " is half way");
              gates->wait(g.gate, context.stop_token());
              context.progress(2, 2, "done");
              return std::string(context.wants_progress() ? "reported" : "nobody asked");
            });
  ToolInfo hasty = long_running("task_hasty", "Has a millisecond");
  hasty.timeout = std::chrono::milliseconds(1);
  tools.add(std::move(hasty), [gates](Context& context) { gates->wait("never", context.stop_token()); });
}

}  // namespace

void add_task_tools(FixtureTools& tools) {
  add_waiting_tasks(tools);
  tools.add(long_running("task_done", "Is done at once"), [] { return "done"; });
  tools.add(long_running("task_error", "Fails"), []() -> std::string { throw toolwire::ToolError("it went wrong"); });
  tools.add(long_running("task_protocol_error", "Ends with an error of the protocol"), []() -> std::string {
    throw toolwire::ProtocolError(-32050, "no such thing", toolwire::JsonObject{{"thing", 1}});
  });
  tools.add(long_running("task_ask", "Asks once"), ask_once);
  tools.add(long_running("task_ask_two", "Asks two things at once"), ask_two);
  tools.add(long_running("task_ask_until_sure", "Asks the same until the answer pleases"), ask_until_sure);
  ToolInfo required = long_running("task_only", "Can only be a task");
  required.only_as_task = true;
  tools.add(std::move(required), [] { return "done as a task"; });
  ToolInfo first = long_running("task_ask_first", "Asks before it becomes a task");
  first.asks_before_task = true;
  tools.add(std::move(first), ask_name);
}

}  // namespace toolwire_test
