// The groups of tools the fixture server is made of.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gates.hpp"
#include "toolwire/server.hpp"

namespace toolwire_test {

/// What every group gets: the server (it outlives the tools' calls), the gates, and where to put its tools.
struct FixtureTools {
  toolwire::Server& server;
  std::shared_ptr<Gates> gates;
  std::vector<toolwire::Tool> all = {};

  template <class F>
  void add(toolwire::ToolInfo info, F handler) {
    all.push_back(toolwire::make_tool(std::move(info), std::move(handler)));
  }
  template <class F>
  void add(std::string name, std::string description, F handler) {
    add(toolwire::ToolInfo{.name = std::move(name), .description = std::move(description)}, std::move(handler));
  }
};

void add_plain_tools(FixtureTools& tools);     // results of every kind
void add_failing_tools(FixtureTools& tools);   // failures of every kind
void add_flow_tools(FixtureTools& tools);      // waiting, progress, answering later, limits, a changing list
void add_question_tools(FixtureTools& tools);  // questions to the user
void add_client_tools(FixtureTools& tools);    // pages, models, roots, logs, traces; only if asked for
void add_process_tools(FixtureTools& tools);   // what a tool can do to its process
void add_task_tools(FixtureTools& tools);      // long-running ones; only if asked for

/// Prompts of every kind, and the tools that change their list.
void add_prompts(toolwire::Server& server, const std::shared_ptr<Gates>& gates);

/// Resources: "all" kinds, some "listed" by a template, or one "plain"; with them the tools that change them.
void add_resources(toolwire::Server& server, const std::shared_ptr<Gates>& gates, const std::string& which);

}  // namespace toolwire_test
