#include "activities/constant_activity.hpp"

#include <memory>
#include <optional>
#include <utility>

#include "templates/body_template.hpp"
#include "templates/parameter_names.hpp"

namespace toolwire::bridge {
namespace {

class ConstantActivity : public Activity {
 public:
  ConstantActivity(std::optional<BodyTemplate> result, ToolResult otherwise, JsonObject defaults)
      : result_(std::move(result)), otherwise_(std::move(otherwise)), defaults_(std::move(defaults)) {}

  void start(const Call& call, ActivityContext&, Reply reply) override {
    reply(result_ ? ToolResult::of(result_->expand(with_defaults(call.parameters, defaults_))) : otherwise_);
  }
  std::string_view kind() const override { return "constant"; }

 private:
  const std::optional<BodyTemplate> result_;
  const ToolResult otherwise_;
  const JsonObject defaults_;
};

}  // namespace

ActivityPointer make_constant_activity(const JsonObject& settings, JsonObject defaults, const std::string& pointer,
                                       Findings& findings) {
  std::optional<BodyTemplate> result;
  ToolResult otherwise;
  if (const Json* value = settings.if_contains("result")) result.emplace(*value, below(pointer, "result"), findings);
  if (const Json* text = settings.if_contains("text")) otherwise = ToolResult::text(std::string(text->get_string()));
  if (const Json* error = settings.if_contains("error"))
    otherwise = failure("back_end_error", std::string(error->get_string()), false);
  return std::make_shared<ConstantActivity>(std::move(result), std::move(otherwise), std::move(defaults));
}

}  // namespace toolwire::bridge
