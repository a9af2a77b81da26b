// A server whose tools show every kind of result, failure and waiting that the protocol can carry. It uses no clock: a
// tool that has to wait waits for a gate that another call opens. Independent of how it is run or tested.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "toolwire/json.hpp"
#include "toolwire/server.hpp"

namespace toolwire_test {

/// What differs between one fixture server and another.
struct FixtureOptions {
  std::vector<std::string> tools = {};  // names of those to register, in this order; empty: all
  std::string resources = {};           // which of those in fixture_resources.cpp; empty: none
  bool client_tools = false;            // those of fixture_client_tools.cpp, too
  bool prompts = false;                 // those of fixture_prompts.cpp
  bool full_info = false;               // title, description, icons, website and instructions
  bool tasks = false;                   // the long-running tools, too
  toolwire::ServerOptions server = {};

  /// From {"tools": […], "full_info": …, "resources": …, "prompts": …, "client_tools": …, "logging": …, "threads": …,
  /// "page": …, "limits": {"name": …}}; times are milliseconds. Throws std::invalid_argument for a member it does not
  /// know.
  static FixtureOptions from(const toolwire::JsonObject& members);
};

/// The identity of a server with these options.
toolwire::ServerInfo fixture_info(const FixtureOptions& options);
/// Registers the tools of the options: each goes to `add`. They may change `server` later, and must not outlive it.
/// Then prompts and resources, with the server itself. Calls see only the gates made here.
void fill_fixture_server(toolwire::Server& server, const FixtureOptions& options,
                         const std::function<void(toolwire::Tool)>& add);

/// One server with tools of its own; its calls see only its own gates.
std::unique_ptr<toolwire::Server> make_fixture_server(const FixtureOptions& options);

}  // namespace toolwire_test
