#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fixture_tools.hpp"
#include "toolwire/error.hpp"

namespace toolwire_test {
namespace {

using toolwire::Context;
using toolwire::field;
using toolwire::fields;
using toolwire::Reply;
using toolwire::ToolInfo;

struct Gate {
  std::string gate;
  static constexpr auto describe() { return fields(field<&Gate::gate>("Name of a gate")); }
};

struct Settle {
  std::string gate;
  std::string text;
  static constexpr auto describe() {
    return fields(field<&Settle::gate>("Name of a call that waits"), field<&Settle::text>("Its answer"));
  }
};

struct Steps {
  std::vector<double> steps;
  std::optional<double> total;
  std::string message;
  std::string gate;
  static constexpr auto describe() {
    return fields(field<&Steps::steps>("What to report, one after the other"), field<&Steps::total>("Of how many"),
                  field<&Steps::message>("What to say with it").optional(),
                  field<&Steps::gate>("Waits for it at the end").optional());
  }
};

struct Named {
  std::string name;
  static constexpr auto describe() { return fields(field<&Named::name>("Name of a tool")); }
};

void add_gated_tools(FixtureTools& tools) {
  auto gates = tools.gates;
  tools.add("wait",
            "Waits until its gate is opened, or it is told to stop; opens \"GATE has begun\" and \"GATE has ended\"",
            [gates](const Gate& g, Context& context) {
              gates->open(g.gate + " has begun");
              bool opened = gates->wait(g.gate, context.stop_token());
              gates->open(g.gate + " has ended");
              return std::string(opened ? "opened" : "stopped");
            });
  tools.add("open", "Opens a gate", [gates](const Gate& g) {
    gates->open(g.gate);
    return g.gate;
  });
  tools.add("deaf", "Waits for its gate and does not listen to the stop token; opens \"GATE has begun\"",
            [gates](const Gate& g) {
              gates->open(g.gate + " has begun");
              gates->wait(g.gate, {});
              return g.gate;
            });
}

void add_later_tools(FixtureTools& tools) {
  auto gates = tools.gates;
  tools.add("later", "Answers when it is settled; opens \"GATE is kept\"",
            [gates](const Gate& g, Context&, Reply reply) {
              gates->keep(g.gate, std::move(reply));
              gates->open(g.gate + " is kept");
            });
  tools.add("settle", "Answers a call that waits", [gates](const Settle& settle) {
    auto reply = gates->take(settle.gate);
    if (!reply) throw toolwire::ToolError("nobody waits there");
    (*reply)(settle.text);
    return std::string("settled");
  });
  tools.add("drop", "Forgets a call that waits", [gates](const Gate& g) { return gates->take(g.gate).has_value(); });
}

}  // namespace

void add_flow_tools(FixtureTools& tools) {
  add_gated_tools(tools);
  add_later_tools(tools);
  auto gates = tools.gates;
  tools.add("progress", "Reports progress; opens \"GATE is reported\"", [gates](const Steps& steps, Context& context) {
    for (double done : steps.steps) context.progress(done, steps.total, steps.message);
    gates->open(steps.gate + " is reported");
    if (!steps.gate.empty()) gates->wait(steps.gate, context.stop_token());
    return std::string(context.wants_progress() ? "reported" : "nobody asked");
  });
  tools.add(ToolInfo{.name = "limited", .description = "Twice a minute", .rate_per_minute = 2},
            [] { return "served"; });
  tools.add(ToolInfo{.name = "hasty",
                     .description = "Has a millisecond; opens \"hasty has ended\"",
                     .timeout = std::chrono::milliseconds(1)},
            [gates](Context& context) {
              gates->wait("never", context.stop_token());
              gates->open("hasty has ended");
            });
  toolwire::Server& server = tools.server;
  tools.add("grow", "Adds a tool", [&server](const Named& named) {
    server.tool(named.name, "A new tool", [] { return "new"; });
    return named.name;
  });
  tools.add("shrink", "Removes a tool", [&server](const Named& named) { return server.remove_tool(named.name); });
}

}  // namespace toolwire_test
