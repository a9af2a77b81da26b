#include "activities/runtime/runtime_activity.hpp"

#include <string_view>
#include <utility>

#include "confinement/confined.hpp"
#include "process/passed_values.hpp"
#include "process/shown_text.hpp"

namespace toolwire::bridge::runtimes {
namespace {

class RuntimeActivity : public Activity, public Confined {
 public:
  RuntimeActivity(std::shared_ptr<RuntimePool> pool, std::string tool)
      : pool_(std::move(pool)), tool_(std::move(tool)) {}

  void start(const Call& call, ActivityContext& context, Reply reply) override;
  std::string_view kind() const override { return "runtime"; }
  ConfinementReport confinement() const override {
    const ProcessStart& start = pool_->options().start;
    return report_on(start.confinement, start.kernel);
  }

 private:
  const std::shared_ptr<RuntimePool> pool_;
  const std::string tool_;
};

void RuntimeActivity::start(const Call& call, ActivityContext& context, Reply reply) {
  ToolCall wanted{.tool = tool_,
                  .parameters = call.parameters,
                  .session = "toolwire-bridge",
                  .meta = passable_meta(context.meta()),
                  .wants_progress = context.request().wants_progress()};
  add_trace(wanted.meta, context.trace());
  OnProgress progress;
  if (wanted.wants_progress)
    progress = [&context](double done, std::optional<double> total, std::string_view message) {
      context.progress(done, total, message);  // the context lives as long as the reply, which the pool keeps
    };
  // std::function needs a copyable target.
  const auto answer = std::make_shared<Reply>(std::move(reply));
  pool_->call(
      std::move(wanted), context.deadline(), context.stop_token(),
      [answer](RuntimeAnswer&& came) { (*answer)(tool_result_from(std::move(came))); }, std::move(progress));
}

const Json* filled(const JsonObject& result, std::string_view name) {
  const Json* value = result.if_contains(name);
  if (value == nullptr || value->is_null()) return nullptr;
  if (value->is_object() && value->get_object().empty()) return nullptr;
  if (value->is_array() && value->get_array().empty()) return nullptr;
  return value;
}

JsonObject details_of(const JsonObject& result) {
  JsonObject details;
  if (const Json* metadata = filled(result, "metadata"); metadata != nullptr && metadata->is_object())
    details = metadata->get_object();
  if (const Json* diagnostics = filled(result, "diagnostics")) details["diagnostics"] = *diagnostics;
  return details;
}

ToolResult result_from(const RuntimeTrouble& trouble) {
  if (trouble.code == "invalid_arguments") return ToolResult::error(trouble.text);
  if (trouble.is_unknown) return unknown_outcome(trouble.code, trouble.text);
  return failure(trouble.code, trouble.text, trouble.retryable, trouble.retry_after_ms);
}

}  // namespace

ToolResult tool_result_from(RuntimeAnswer&& answer) {
  if (answer.trouble) return result_from(*answer.trouble);
  JsonObject* const members = answer.result.if_object();
  if (members == nullptr)
    return failure("invalid_output", "The runtime answered with a result that is no object.", false);
  ToolResult result;
  if (Json* const structured = members->if_contains("structured")) {
    result = ToolResult::of(std::move(*structured));
  } else if (const Json* output = members->if_contains("output"); output != nullptr && output->is_string()) {
    result = ToolResult::text(shown(std::string(output->get_string())));
  } else {
    return failure("invalid_output", "The runtime answered with a result without \"output\".", false);
  }
  if (JsonObject details = details_of(*members); !details.empty())
    result.meta["dev.toolwire/details"] = std::move(details);
  return result;
}

ActivityPointer make_runtime_activity(std::shared_ptr<RuntimePool> pool, std::string tool) {
  return std::make_shared<RuntimeActivity>(std::move(pool), std::move(tool));
}

}  // namespace toolwire::bridge::runtimes
