#include "features/invoke.hpp"

#include <exception>
#include <string>
#include <utility>

#include "log/log.hpp"
#include "toolwire/error.hpp"

namespace toolwire::features {
namespace {

/// What the model reads when a tool fails in a way its author did not mean for it. Details go to stderr, never to the
/// wire.
ToolResult unexpected(const Tool& tool, std::string_view what) {
  process::log("tool \"" + tool.info.name + "\" failed: " + std::string(what));
  return failure("execution",
                 "The tool \"" + tool.info.name + "\" failed unexpectedly; the log of its server says more.", false);
}

void run(const Tool& tool, const Json& arguments, Context& context, const Reply::Send& send) {
  if (const auto* now = std::get_if<ToolHandler>(&tool.handler)) {
    send((*now)(arguments, context));
  } else {
    std::get<LaterToolHandler>(tool.handler)(arguments, context, Reply(send));
  }
}

}  // namespace

ToolResult result_of_exception(const Tool& tool) {
  try {
    throw;
  } catch (const InvalidArguments& error) {
    return failure("invalid_arguments", error.what(), true);
  } catch (const ToolError& error) {
    return ToolResult::error(error.what());
  } catch (const std::exception& error) {
    return unexpected(tool, error.what());
  } catch (...) {
    return unexpected(tool, "an exception that is not derived from std::exception");
  }
}

void invoke(const ServedTool& served, const Json& arguments, Context& context, const Reply::Send& send) {
  if (!served.unusable.empty()) {
    return send(failure("bad_schema", "\"" + served.tool.info.name + "\" cannot be called: " + served.unusable, false));
  }
  contain(served.tool, send, [&] {
    if (served.input && !served.input->is_valid(arguments))
      throw InvalidArguments(violations_of(*served.input, arguments));
    run(served.tool, arguments, context, send);
  });
}

}  // namespace toolwire::features
