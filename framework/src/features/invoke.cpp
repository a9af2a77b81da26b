#include "features/invoke.hpp"

#include <string>
#include <utility>

#include "toolwire/error.hpp"
#include "toolwire/result_checks.hpp"

namespace toolwire::features {

void invoke(const ServedTool& served, const Json& arguments, Context& context, const Reply::Send& send) {
  const Tool& tool = served.tool;
  if (!served.unusable.empty())
    return send(failure("bad_schema", "\"" + tool.info.name + "\" cannot be called: " + served.unusable, false));
  if (served.input && !served.input->is_valid(arguments))
    throw InvalidArguments(violations_of(*served.input, arguments));
  if (const auto* now = std::get_if<ToolHandler>(&tool.handler)) return send((*now)(arguments, context));
  std::get<LaterToolHandler>(tool.handler)(arguments, context, Reply(send));
}

}  // namespace toolwire::features
