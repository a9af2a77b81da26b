// The handlers behind the table of methods, each in the file of its name.
#pragma once

#include "protocol/exchange.hpp"

namespace toolwire::protocol {

void initialize(Exchange&& exchange);     // handshake.cpp
void ping(Exchange&& exchange);           // handshake.cpp
void discover(Exchange&& exchange);       // discover.cpp
void list_tools(Exchange&& exchange);     // tools/list_tools.cpp
void call_tool(Exchange&& exchange);      // tools/call_tool.cpp
void set_log_level(Exchange&& exchange);  // logging/set_level.cpp
void list_prompts(Exchange&& exchange);   // prompts/list_prompts.cpp
void get_prompt(Exchange&& exchange);     // prompts/get_prompt.cpp
void listen(Exchange&& exchange);         // subscriptions/listen.cpp
void complete(Exchange&& exchange);       // completion/complete.cpp

void read_resource(Exchange&& exchange);              // resources/read_resource.cpp
void list_resources(Exchange&& exchange);             // resources/list_resources.cpp
void list_resource_templates(Exchange&& exchange);    // resources/list_resources.cpp
void subscribe_to_resource(Exchange&& exchange);      // resources/watching.cpp
void unsubscribe_from_resource(Exchange&& exchange);  // resources/watching.cpp

void get_task(Exchange&& exchange);     // tasks/task_methods.cpp
void update_task(Exchange&& exchange);  // tasks/task_methods.cpp
void cancel_task(Exchange&& exchange);  // tasks/task_methods.cpp
void task_result(Exchange&& exchange);  // tasks/legacy_task_methods.cpp
void list_tasks(Exchange&& exchange);   // tasks/legacy_task_methods.cpp

void initialized(Connection& connection, const JsonObject& params);  // handshake.cpp
void cancelled(Connection& connection, const JsonObject& params);    // cancelled.cpp

}  // namespace toolwire::protocol
