// What authors have written down that their server does: steps on connections with it, and what is expected of each.
// Plain values; README.md says how a file has them.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <toolwire/json.hpp>

#include "catalogue/catalogue.hpp"

namespace toolwire::conformance {

/// The connection of steps that name none.
inline constexpr const char* main_connection = "main";

/// What is to come of a request: a result or an error that matches (see matcher.hpp). Neither: any result.
struct Expectation {
  std::optional<Json> result = {}, error = {};
};

/// One step. Its JSON still has `${variables}` in it.
struct Step {
  enum class Kind { connect, request, await, cancel, notify, send, expect_message, expect_no_message, close };

  Kind kind = Kind::request;
  std::string text = {};                      // for people: `step 2, "request": "tools/call"`
  std::string connection = main_connection;   // that it is on, or opens, or closes
  std::string subject = {};                   // a method, a line, or the name of a request that was sent before
  std::string as = {};                        // sent, and not waited for: the name it has from now on
  JsonObject params = {};                     // of a request or notification
  Json message = {};                          // what a message of the server has to match
  Expectation expected = {};                  // of a request
  std::map<std::string, std::string> keep{};  // variables, and JSON pointers to what becomes their values
  std::optional<std::chrono::milliseconds> within = {};
  JsonObject capabilities = {}, answers = {};  // of a new connection; results by the method of the question
};

struct Scenario {
  Requirement requirement;  // as which it is listed, judged and reported
  JsonObject variables = {};
  std::vector<Step> steps = {};
};

}  // namespace toolwire::conformance
