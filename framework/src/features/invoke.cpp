#include "features/invoke.hpp"

#include <string>
#include <utility>

#include "toolwire/error.hpp"

namespace toolwire::features {
namespace {

void run(const Tool& tool, const Json& arguments, Context& context, const Reply::Send& send) {
  if (const auto* now = std::get_if<ToolHandler>(&tool.handler)) {
    send((*now)(arguments, context));
  } else {
    std::get<LaterToolHandler>(tool.handler)(arguments, context, Reply(send));
  }
}

}  // namespace

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
