// The handlers behind the table of methods, each in the file of its name.
#pragma once

#include "protocol/exchange.hpp"

namespace toolwire::protocol {

void initialize(Exchange&& exchange);  // handshake.cpp
void ping(Exchange&& exchange);        // handshake.cpp
void discover(Exchange&& exchange);    // discover.cpp
void list_tools(Exchange&& exchange);  // tools/list_tools.cpp
void call_tool(Exchange&& exchange);   // tools/call_tool.cpp
void listen(Exchange&& exchange);      // subscriptions.cpp

void initialized(Connection& connection, const JsonObject& params);  // handshake.cpp
void cancelled(Connection& connection, const JsonObject& params);    // cancelled.cpp

}  // namespace toolwire::protocol
