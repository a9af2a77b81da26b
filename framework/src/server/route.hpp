// The way of a request from its message to its handler, the same for all kinds of connections.
#pragma once

#include <memory>

#include "jsonrpc/message.hpp"
#include "protocol/connection.hpp"
#include "runtime/answer_sink.hpp"

namespace toolwire::server {

/// Finds its revision and its method, and has it handled; whatever is wrong with it is its answer. The answer goes to
/// `sink`, or to the output of the connection if there is none. `meta`: its `_meta`, if its params do not have it. Must
/// not wait; one request of a connection at a time.
void route(const std::shared_ptr<protocol::Connection>& connection, jsonrpc::Request&& request,
           std::shared_ptr<runtime::AnswerSink> sink, bool in_batch, const std::shared_ptr<const Json>& meta = {});

}  // namespace toolwire::server
