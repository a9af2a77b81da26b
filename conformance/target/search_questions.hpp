// Tools that ask the client while they are tried.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "target/search.hpp"

namespace toolwire::conformance::questions {

/// One call of a tool, and what the server sent between the request and its response.
struct Trial {
  Answer answer = {};
  std::size_t progress = 0;                         // notifications with its token
  std::size_t logs = 0;                             // log messages below the level emergency
  std::set<std::string, std::less<>> levels = {};   // of all log messages
  std::set<std::string, std::less<>> changed = {};  // notifications that a list is another
  std::set<std::string, std::less<>> updated = {};  // URIs of resources that are said to be others
  std::size_t foreign = 0;                          // lines that are no messages
  bool crashed = false;                             // its process ended by a fault of its own
  bool has_asked = false;                           // the client, by requests of the legacy era
  std::vector<Json> asked = {};  // {"method", "params"}: these requests, or the input requests of its result
  bool is_error_result() const { return answer.ok() && get(answer.result, "isError") == Json(true); }
  bool is_success() const { return answer.ok() && !is_error_result(); }
};

/// With a progress token, and the level of logging debug.
Trial try_tool(Search& search, const Json& tool, const JsonObject& arguments);

/// Adds a tool that has asked as the kinds of fixture that it is, if it asks again.
void take_questions(Search& search, const Json& tool, const JsonObject& arguments, const Trial& trial);

}  // namespace toolwire::conformance::questions
