// The body of POST /api/v1/tools/execute and its answer: reads and writes JSON, runs nothing.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include <toolwire/json.hpp>
#include <toolwire/result.hpp>

#include "http/message.hpp"

namespace toolwire::bridge::http {

/// `{tool_name, arguments}`.
struct Execution {
  std::string tool = {};
  Json arguments = JsonObject{};
};

/// What is asked for, or the answer that says what is wrong with the body (400).
std::variant<Execution, Answer> read_execution(std::string_view body);

/// `{"success": false, "error": …, "code": …, "is_async": false}`.
Answer failed_execution(int status, std::string_view code, std::string_view error);

/// What a result is to the client. A plain value.
struct ExecutionEnd {
  int status = 200;
  std::string code = {};  ///< Empty: all is well.
};
ExecutionEnd end_of(const ToolResult& result);

/// `{"success": true, "result": …, "is_async": false}`, or the failure. A tool that answers with an error is an answer
/// like any other (200); a call that a policy or a lost connection ended has the status of its code.
Answer answer_execution(const ToolResult& result);

}  // namespace toolwire::bridge::http
