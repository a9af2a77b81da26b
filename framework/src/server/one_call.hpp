// One call of one tool from the command line, through the same path as a client's: session, protocol, dispatch.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "toolwire/json.hpp"
#include "toolwire/transport.hpp"

namespace toolwire::server {

/// What a call prints on a terminal.
struct CallReport {
  int status = 0;     // of the process: 0, or 1 if the call failed
  std::string out;    // for standard output
  std::string error;  // for standard error
};

/// Text content as it is, all other content as JSON; structured content only if no text repeats it. With `as_json` the
/// whole result as JSON, and on standard output even if the call failed.
CallReport report_of(const Json& response, bool as_json);

/// A connection in memory with this process at both ends. Used by one thread; destroying it ends the session.
class OneCall {
 public:
  /// `serve` runs a session until the end of its connection; it is called on a thread of its own.
  explicit OneCall(std::function<void(Transport&)> serve);
  ~OneCall();
  OneCall(const OneCall&) = delete;
  OneCall& operator=(const OneCall&) = delete;

  /// Waits for the answer, however long the tool takes; also of one that can be called as a task only.
  CallReport call(const std::string& tool, const Json& arguments, bool as_json);

 private:
  Json answer_to(std::string_view method, const JsonObject& params, const JsonObject& capabilities);
  Json followed(Json begun);
  std::string next_line();
  Json response();

  std::unique_ptr<Transport> client_;
  std::unique_ptr<Transport> server_;
  std::string received_;  // not yet taken
  std::thread session_;
};

}  // namespace toolwire::server
