// One request on its way through the protocol: its call, the revision it belongs to, and what it carries.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "protocol/connection.hpp"
#include "runtime/call.hpp"
#include "toolwire/error.hpp"

namespace toolwire::protocol {

class Task;

/// Made once, when the request's line is read. `connection` is declared first: the call must go before the parts it
/// uses.
struct Exchange {
  std::shared_ptr<Connection> connection;
  std::shared_ptr<runtime::Call> call;
  const Revision* revision = nullptr;              // null only for initialize and ping before the handshake
  json::RelocatableJson params;                    // an object
  std::shared_ptr<const Client> client;            // as of when the request came
  const Json* meta_member = nullptr;               // `_meta` of params, if it has one; or what stands in its place
  std::shared_ptr<const Json> own_meta = nullptr;  // that, where it does not stand in params
  std::size_t bytes = 0;                           // of its line
  bool in_batch = false;
  Task* task = nullptr;  // which `call` stands for, and which lives as long; null: the call is answered on the wire

  const JsonObject& arguments() const { return params.get_object(); }
  /// `_meta` of the request; empty if it has none that is an object.
  const JsonObject& meta() const;
  /// What the client declared: with this request (modern) or in `initialize` (legacy).
  const JsonObject& client_capabilities() const;
  const Principal& principal() const { return client->principal; }
  /// The id of its principal; empty: nobody in particular.
  const std::string& caller() const { return client->principal.id; }
  /// Who the client says it is: with this request, or in `initialize`; empty if it does not.
  const JsonObject& client_info() const;

  /// Answers with a complete result. `write_members` appends its members as JSON text `"name":value,…`, at least one or
  /// none. `meta`: further members of the result's `_meta`.
  template <class WriteMembers>
  void complete(WriteMembers write_members, const JsonObject& meta = {}) const {
    call->answer([&](std::string& out) {
      out.push_back('{');
      std::size_t start = out.size();
      write_members(out);
      close_result(out, out.size() > start, meta);
    });
  }
  void fail(const ProtocolError& error) const;  // as the free function does

  /// Appends what every complete result of the revision ends with (resultType and serverInfo in 2026-07-28), and the
  /// brace.
  void close_result(std::string& out, bool has_members, const JsonObject& meta) const;
};

/// Ends a call with the error object that a ProtocolError stands for. The one place where it is put on the wire.
void fail(runtime::Call& call, const ProtocolError& error);
/// The same where memory has run out on the way to the answer.
void fail_without_memory(runtime::Call& call);

}  // namespace toolwire::protocol
