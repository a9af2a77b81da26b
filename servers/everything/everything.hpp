// A server that shows all of the protocol: a tool, resource or prompt for everything a server can do, for tests, for
// conformance suites, and for people who write clients. The fixtures of the official conformance suite have the names
// and behaviour that it expects. Independent of how the server is run.
#pragma once

#include <memory>
#include <toolwire/server.hpp>
#include <utility>

namespace everything {

/// Every tool, resource and prompt below, on a server with these options. Logging is declared, and tools whose schema
/// is unusable are listed whatever `options` say. The server must not be destroyed on a thread of one of its tools.
std::unique_ptr<toolwire::Server> make_server(toolwire::ServerOptions options = {});

void add_content_tools(toolwire::Server& server);   // what a result can hold, and failures
void add_schema_tools(toolwire::Server& server);    // schemas of every dialect, good and bad
void add_flow_tools(toolwire::Server& server);      // time, progress, logs, large answers
void add_process_tools(toolwire::Server& server);   // what a tool can do to its process
void add_changing_tools(toolwire::Server& server);  // lists and resources that change
void add_question_tools(toolwire::Server& server);  // forms and pages
void add_model_tools(toolwire::Server& server);     // the client's model and its roots
void add_input_tools(toolwire::Server& server);     // several questions, rounds and states (2026-07-28 mrtr)
void add_task_tools(toolwire::Server& server);      // long-running ones
void add_resources(toolwire::Server& server);
void add_prompts(toolwire::Server& server);

/// The description of a tool that changes nothing. This holds for all tools here: what some add to and remove from
/// lists belongs to the server and is harmless.
toolwire::ToolInfo harmless(std::string name, std::string description);

template <class F>
void add(toolwire::Server& server, std::string name, std::string description, F handler) {
  server.tool(harmless(std::move(name), std::move(description)), std::move(handler));
}

}  // namespace everything
