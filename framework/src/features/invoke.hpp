// The one place where a tool's function is called, and where what it throws becomes a result.
#pragma once

#include <exception>

#include "features/served_tool.hpp"
#include "toolwire/error.hpp"
#include "toolwire/result_checks.hpp"

namespace toolwire::features {

/// Runs `body`, which is the tool or code around it; its exceptions go to `send` as results. Throws nothing but
/// ProtocolError.
template <class Body>
void contain(const Tool& tool, const Reply::Send& send, Body body) {
  try {
    body();
  } catch (const ProtocolError&) {
    throw;
  } catch (...) {
    send(result_of_exception(std::current_exception(), tool.info.name));
  }
}

/// Checks the arguments of a tool that takes JSON, and runs it; what it came to goes to `send`, at once or later.
/// Throws nothing but ProtocolError.
void invoke(const ServedTool& served, const Json& arguments, Context& context, const Reply::Send& send);

}  // namespace toolwire::features
