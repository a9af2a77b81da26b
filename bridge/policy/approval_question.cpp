#include "policy/approval_question.hpp"

#include <toolwire/bridge/policy.hpp>
#include <toolwire/text.hpp>

#include "policy/secrets.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::size_t max_description = 300;  // bytes
constexpr std::size_t max_arguments = 4'000;

Json form() {
  return JsonObject{{"type", "object"},
                    {"properties", JsonObject{{"approve", JsonObject{{"type", "boolean"},
                                                                     {"title", "Approve"},
                                                                     {"description", "Let the tool run this once"},
                                                                     {"default", false}}}}},
                    {"required", JsonArray{"approve"}}};
}

}  // namespace

std::string excerpt(std::string_view text, std::size_t max_size) {
  const std::string shown = text::visible(text::head(text, max_size), {.line_feeds = true});
  return text.size() <= max_size ? shown : shown + "… (" + std::to_string(text.size()) + " bytes in all)";
}

Questions approval_question(const ToolDefinition& tool, const Call& call, std::string_view reason) {
  std::string message = "Run \"" + excerpt(tool.name, 100) + "\"?";
  if (!tool.description.empty()) message += "\n" + excerpt(tool.description, max_description);
  message += "\nArguments: " + excerpt(without_secrets(call.parameters, tool.parameters), max_arguments);
  if (!call.reasoning.empty()) message += "\nWhy: " + excerpt(call.reasoning, max_description);
  if (!reason.empty()) message += "\nAsked because: " + excerpt(reason, max_description);
  return Questions{{form_question(std::string(Approval::key), message, form())}};
}

std::optional<bool> approval_answer(const JsonObject& answers) {
  const Json* const answer = answers.if_contains(Approval::key);
  if (answer == nullptr) return std::nullopt;
  const JsonObject* const given = answer->if_object();
  const Json* const action = given == nullptr ? nullptr : given->if_contains("action");
  const Json* const content = given == nullptr ? nullptr : given->if_contains("content");
  const JsonObject* const form = content == nullptr ? nullptr : content->if_object();
  const Json* const approve = form == nullptr ? nullptr : form->if_contains("approve");
  return action != nullptr && *action == "accept" && approve != nullptr && approve->is_bool() && approve->get_bool();
}

}  // namespace toolwire::bridge
