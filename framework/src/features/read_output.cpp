#include "features/read_output.hpp"

#include <string>
#include <utility>

#include "features/truncate_result.hpp"
#include "toolwire/error.hpp"

namespace toolwire::features {
namespace {

struct ReadOutput {
  std::string cursor;
  static constexpr auto describe() {
    return fields(field<&ReadOutput::cursor>("As the notice in the result gave it."));
  }
};

}  // namespace

Tool read_output_tool(const KeptOutputs& kept, OutputBudget budget) {
  ToolInfo info;
  info.name = read_output_name;
  info.title = "Read more of an output";
  info.description =
      "Reads what was left out of another tool's result. Use it when a result says so and the missing part is needed; "
      "asking the other tool for less is often better. Old outputs are forgotten.";
  info.read_only = true;
  info.idempotent = true;
  info.open_world = false;
  return make_tool(std::move(info), [&kept, budget = std::move(budget)](const ReadOutput& arguments) {
    const auto part = kept.find(arguments.cursor);
    if (!part)
      throw ToolError(
          "There is no output with this cursor: give it exactly as the result did. If it is old, the output "
          "is forgotten; call the tool again that made it.");
    return read_on(*part, budget);
  });
}

}  // namespace toolwire::features
