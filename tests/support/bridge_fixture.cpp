#include "bridge_fixture.hpp"

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include <toolwire/bridge/bridge.hpp>

#include "manifest_document.hpp"

namespace toolwire_test {
namespace {

using namespace toolwire;
using namespace toolwire::bridge;

/// Runs the function of a fixture's tool.
class FixtureActivity : public Activity {
 public:
  explicit FixtureActivity(Tool tool) : tool_(std::move(tool)) {}

  void start(const Call& call, ActivityContext& context, Reply reply) override {
    if (const auto* now = std::get_if<ToolHandler>(&tool_.handler))
      return reply((*now)(call.parameters, context.request()));
    std::get<LaterToolHandler>(tool_.handler)(call.parameters, context.request(), std::move(reply));
  }
  std::string_view kind() const override { return "fixture"; }

 private:
  const Tool tool_;
};

ToolDefinition native(const ToolInfo& info) {
  return {.name = info.name,
          .title = info.title,
          .description = info.description,
          .parameters = info.input_schema,
          .output = info.output_schema};
}

/// A bridge, and what the fixture's tools declare that a native tool cannot: hints, milliseconds, rates, tasks.
class BridgedFixture {
 public:
  explicit BridgedFixture(const FixtureOptions& options) : bridge_(fixture_info(options), options_for(options)) {
    {
      const Bridge::Pause pause = bridge_.pause();
      fill_fixture_server(bridge_.server(), options, [this](Tool tool) { add(std::move(tool)); });
      if (options.tools.empty()) add_seed();
    }
    bridge_.server().describe_tools({});  // which no other server has
  }

  Server& server() { return bridge_.server(); }

 private:
  BridgeOptions options_for(const FixtureOptions& options) {
    BridgeOptions result{.server = options.server, .offer_reasoning = false};
    result.registry.bounds = {.lines = 1u << 30, .bytes = 1u << 30, .structured = 1u << 30};
    result.adjust = [this, tasks = options.tasks](const ToolDefinition& tool, ToolInfo& info) {
      if (const auto stated = stated_.find(tool.name); stated != stated_.end()) info = stated->second;
      if (!tasks) info.long_running = false;  // as the manifest's tool is; hosts would be offered tasks
    };
    return result;
  }

  void add(Tool tool) {
    const std::string name = tool.info.name;
    stated_[name] = tool.info;
    bridge_.tool(native(tool.info));
    bridge_.activities().add(name, std::make_shared<FixtureActivity>(std::move(tool)));
  }

  void add_seed() {
    ManifestReading reading = read_manifest(seed_text(), seed_path);
    for (ToolDefinition& tool : reading.manifest->tools) {
      bridge_.activities().add(tool.name, [](const Json&) { return Json("spawned"); });
      bridge_.tool(std::move(tool));
    }
  }

  std::map<std::string, ToolInfo> stated_;  // before the bridge, which reads it
  Bridge bridge_;
};

}  // namespace

std::shared_ptr<Server> make_bridge_fixture(const FixtureOptions& options) {
  const auto fixture = std::make_shared<BridgedFixture>(options);
  return {fixture, &fixture->server()};
}

}  // namespace toolwire_test
