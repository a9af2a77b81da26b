#include "features/read_output.hpp"

#include <optional>
#include <utility>
#include <variant>

#include "features/truncate_result.hpp"

namespace toolwire::features {
namespace {

struct ReadOutput {
  std::string cursor;
  static constexpr auto describe() {
    return fields(field<&ReadOutput::cursor>("As the notice in the result gave it."));
  }
};

using Found = std::optional<KeptOutputs::Part>;

ToolResult answer_to(Done<Found>::Result&& found, const OutputBudget& budget) {
  if (std::holds_alternative<std::exception_ptr>(found))
    return failure("unavailable", "What was kept of outputs cannot be read now; try again shortly.", true);
  const Found& part = std::get<Found>(found);
  if (part) return read_on(*part, budget);
  return ToolResult::error(
      "There is no output with this cursor: give it exactly as the result did. If it is old, the output "
      "is forgotten; call the tool again that made it.");
}

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
  return make_tool(std::move(info),
                   [&kept, budget = std::move(budget)](const ReadOutput& arguments, Context& context, Reply reply) {
                     kept.find(arguments.cursor, context.principal().id,
                               Done<Found>([budget, reply = std::move(reply)](Done<Found>::Result&& found) mutable {
                                 reply(answer_to(std::move(found), budget));
                               }));
                   });
}

}  // namespace toolwire::features
