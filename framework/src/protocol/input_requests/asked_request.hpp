// A request on whose way to its answer the client may be asked: tools/call, prompts/get, resources/read. Independent of
// what is asked and what the request is answered with.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "protocol/exchange.hpp"

namespace toolwire::protocol {

/// Shared by the thread that runs it and the questions that are open; its rounds come in sequence.
class AskedRequest {
 public:
  virtual ~AskedRequest() = default;
  AskedRequest() = default;
  AskedRequest(const AskedRequest&) = delete;
  AskedRequest& operator=(const AskedRequest&) = delete;

  virtual const Exchange& exchange() const = 0;
  /// What is run, as `tool NAME`, `prompt NAME`, `resource URI`: answers given for one are not valid for another.
  virtual std::string subject() const = 0;
  /// The answers belong to these, too.
  virtual const Json& arguments() const = 0;
  /// All answers so far, by key.
  virtual const JsonObject& answers() const = 0;
  /// Whether answers that were accepted once may not be used again (approvals).
  virtual bool single_use_answers() const { return false; }
  /// How old answers may be when they come back; zero: as old as the server allows.
  virtual std::chrono::milliseconds answers_within() const { return {}; }

  /// Stops the clock while a human is asked; the request need not have one.
  virtual void pause_deadline() {}
  /// Runs the function again with further answers. Throws nothing.
  virtual void run_again(JsonObject more_answers) = 0;

  /// Ends the request with a JSON-RPC error.
  virtual void fail(const ProtocolError& error) = 0;
  /// Ends it with a failure that has a code (see `toolwire::failure`): a tool with an error result, others with -32603.
  virtual void fail_with_code(std::string_view code, std::string text, bool retryable) {
    fail(ProtocolError(error_code::internal_error, std::move(text),
                       JsonObject{{"code", code}, {"retryable", retryable}}));
  }
};

}  // namespace toolwire::protocol
