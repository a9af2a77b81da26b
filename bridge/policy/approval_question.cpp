#include "policy/approval_question.hpp"

#include <toolwire/bridge/policy.hpp>

#include "policy/secrets.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::size_t max_description = 300;  // bytes
constexpr std::size_t max_arguments = 4'000;

/// U+200B…200F, 202A…202E, 2060…2069 and FEFF in UTF-8: marks that turn or hide text.
bool hides(std::string_view character) {
  if (character.size() != 3) return false;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (byte(0) == 0xef) return byte(1) == 0xbb && byte(2) == 0xbf;
  if (byte(0) != 0xe2) return false;
  if (byte(1) == 0x80) return (byte(2) >= 0x8b && byte(2) <= 0x8f) || (byte(2) >= 0xaa && byte(2) <= 0xae);
  return byte(1) == 0x81 && byte(2) >= 0xa0 && byte(2) <= 0xa9;
}

std::size_t length_of(unsigned char first) {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}

Json form() {
  return JsonObject{{"type", "object"},
                    {"properties", JsonObject{{"approve", JsonObject{{"type", "boolean"},
                                                                     {"title", "Approve"},
                                                                     {"description", "Let the tool run this once"},
                                                                     {"default", false}}}}},
                    {"required", JsonArray{"approve"}}};
}

}  // namespace

std::string plain_text(std::string_view text, std::size_t max_size) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (out.size() >= max_size) return out + "… (" + std::to_string(text.size()) + " bytes in all)";
    const auto first = static_cast<unsigned char>(text[at]);
    const std::string_view character = text.substr(at, length_of(first));
    const bool control = (first < 0x20 && first != '\n') || first == 0x7f ||
                         (first == 0xc2 && character.size() == 2 && static_cast<unsigned char>(character[1]) < 0xa0);
    out.append(control || hides(character) ? "\xef\xbf\xbd" : character);
    at += character.size();
  }
  return out;
}

Questions approval_question(const ToolDefinition& tool, const Call& call, std::string_view reason) {
  std::string message = "Run \"" + plain_text(tool.name, 100) + "\"?";
  if (!tool.description.empty()) message += "\n" + plain_text(tool.description, max_description);
  message += "\nArguments: " + plain_text(without_secrets(call.parameters, tool.parameters), max_arguments);
  if (!call.reasoning.empty()) message += "\nWhy: " + plain_text(call.reasoning, max_description);
  if (!reason.empty()) message += "\nAsked because: " + plain_text(reason, max_description);
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
