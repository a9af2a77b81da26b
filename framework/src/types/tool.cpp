#include "toolwire/tool.hpp"

namespace toolwire {

Tool detail::described(ToolInfo&& info, ErasedTool&& function) {
  Tool tool{std::move(info), {}};
  tool.takes_json = function.arguments == nullptr;
  tool.checks_output = !tool.info.output_schema.is_null();
  if (function.arguments != nullptr) tool.info.input_schema = schema_of(*function.arguments);
  if (function.output_schema != nullptr && !tool.checks_output) {
    tool.info.output_schema = function.output_schema();
    tool.checks_output = function.may_return_any_result && !tool.info.output_schema.is_null();
  }
  if (function.later) {
    tool.handler = std::move(function.later);
  } else {
    tool.handler = std::move(function.now);
  }
  return tool;
}

}  // namespace toolwire
