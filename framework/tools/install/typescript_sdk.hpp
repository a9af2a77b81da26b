// What hosts built on the official TypeScript SDK (@modelcontextprotocol/sdk, version 1) ask of the answers to
// `initialize` and `tools/list`: they check each with a schema, and where one place does not fit they refuse the
// server, or see none of its tools. Other hosts take much of it. Independent of how a server is reached.
#pragma once

#include <string>
#include <string_view>
#include <toolwire/json.hpp>
#include <vector>

namespace toolwire::install {

/// What is wrong with the result of `initialize`: one text each, the first five and how many more there are. A text
/// begins with a small letter and says what is expected; it is not made fit for a terminal.
std::vector<std::string> faults_of_greeting(const Json& result);

/// The same of a result of `tools/list`. Not the root of an input schema, which `faults_of` judges.
std::vector<std::string> faults_of_tools(const Json& result);

/// What keeps them from seeing that the line has answers at all; empty if nothing does, or if it has none.
std::string fault_of_line(std::string_view line);

}  // namespace toolwire::install
