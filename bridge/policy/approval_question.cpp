#include "policy/approval_question.hpp"

#include <string>
#include <utility>

#include <toolwire/bridge/policy.hpp>
#include <toolwire/text.hpp>

#include "policy/secrets.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::size_t max_description = 300;  // bytes
constexpr std::size_t max_arguments = 4'000;

Json yes_or_no(const char* title, const char* description) {
  return JsonObject{{"type", "boolean"}, {"title", title}, {"description", description}, {"default", false}};
}

Json form(bool has_unseen) {
  JsonObject properties{{"approve", yes_or_no("Approve", "Let the tool run this once")}};
  JsonArray required{"approve"};
  if (has_unseen) {
    properties["approve_unseen"] = yes_or_no("Approve what is not shown",
                                             "Let it run this once with the parts of its arguments that are not shown");
    required.emplace_back("approve_unseen");
  }
  return JsonObject{{"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}};
}

/// The beginning and the end of a text that has more than `most` bytes; counts what is between.
std::string both_ends(std::string_view text, std::size_t most, std::size_t& unseen) {
  if (text.size() <= most) return std::string(text);
  const std::string_view head = text::head(text, most / 2);
  const std::string_view tail = text::tail(text, most / 2);
  const std::size_t between = text.size() - head.size() - tail.size();
  unseen += between;
  return std::string(head) + "… (" + std::to_string(between) + " bytes are not shown) …" + std::string(tail);
}

/// Depth is the parser's.
void shorten(Json& value, std::size_t most, std::size_t& unseen) {
  if (auto* const object = value.if_object()) {
    for (auto& member : *object) shorten(member.value(), most, unseen);
  } else if (auto* const array = value.if_array()) {
    for (Json& item : *array) shorten(item, most, unseen);
  } else if (value.is_string()) {
    value = both_ends(std::string_view(value.get_string()), most, unseen);
  }
}

ShownArguments shown_of(const ToolDefinition& tool, const Call& call) {
  return shown_arguments(without_secrets(call.parameters, tool.parameters), max_arguments);
}

}  // namespace

ShownArguments shown_arguments(const std::string& json, std::size_t max_size) {
  const auto visible = [](std::string_view text) { return text::visible(text, {.line_feeds = true}); };
  if (json.size() <= max_size) return {visible(json)};
  const Json whole = parse_json(json, {.max_depth = greatest_json_depth});
  for (std::size_t most = max_size / 2; most >= max_size / 64; most /= 2) {
    Json shortened = whole;
    std::size_t unseen = 0;
    shorten(shortened, most, unseen);
    if (const std::string text = to_json_text(shortened); text.size() <= max_size) return {visible(text), unseen};
  }
  std::size_t unseen = 0;
  const std::string ends = both_ends(json, max_size, unseen);
  return {visible(ends), unseen};
}

std::string excerpt(std::string_view text, std::size_t max_size) {
  const std::string shown = text::visible(text::head(text, max_size), {.line_feeds = true});
  return text.size() <= max_size ? shown : shown + "… (" + std::to_string(text.size()) + " bytes in all)";
}

Questions approval_question(const ToolDefinition& tool, const Call& call, std::string_view reason) {
  std::string message = "Run \"" + excerpt(tool.name, 100) + "\"?";
  if (!tool.description.empty()) message += "\n" + excerpt(tool.description, max_description);
  const ShownArguments arguments = shown_of(tool, call);
  message += "\nArguments: " + arguments.text;
  if (!call.reasoning.empty()) message += "\nWhy: " + excerpt(call.reasoning, max_description);
  if (!reason.empty()) message += "\nAsked because: " + excerpt(reason, max_description);
  if (arguments.unseen > 0)
    message += "\nNot all is shown: " + std::to_string(arguments.unseen) +
               " bytes of the arguments are left out, and the tool gets them, too.";
  return Questions{{form_question(std::string(Approval::key), message, form(arguments.unseen > 0))}};
}

std::optional<bool> approval_answer(const JsonObject& answers, const ToolDefinition& tool, const Call& call) {
  const Json* const answer = answers.if_contains(Approval::key);
  if (answer == nullptr) return std::nullopt;
  const JsonObject* const given = answer->if_object();
  const Json* const action = given == nullptr ? nullptr : given->if_contains("action");
  const Json* const content = given == nullptr ? nullptr : given->if_contains("content");
  const JsonObject* const form = content == nullptr ? nullptr : content->if_object();
  const auto says_yes = [&](std::string_view name) {
    const Json* const said = form == nullptr ? nullptr : form->if_contains(name);
    return said != nullptr && said->is_bool() && said->get_bool();
  };
  if (action == nullptr || *action != "accept" || !says_yes("approve")) return false;
  return says_yes("approve_unseen") || shown_of(tool, call).unseen == 0;
}

}  // namespace toolwire::bridge
