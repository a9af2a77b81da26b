// Forms to fill in, and pages to open.
#include <optional>
#include <string>

#include "everything/everything.hpp"

namespace everything {
namespace {

using namespace toolwire;

struct Message {
  std::string message;
  static constexpr auto describe() { return fields(field<&Message::message>("The message to show the user")); }
};

struct Response {
  std::string response;
  static constexpr auto describe() { return fields(field<&Response::response>("User's response")); }
};

enum class Status { active, inactive, pending };

struct Account {
  std::string name = "John Doe";
  int age = 30;
  double score = 95.5;
  Status status = Status::active;
  bool verified = true;
  static constexpr auto describe() {
    return fields(field<&Account::name>("User name").optional(), field<&Account::age>("User age").optional(),
                  field<&Account::score>("User score").optional(), field<&Account::status>("User status").optional(),
                  field<&Account::verified>("Verification status").optional());
  }
};

/// Every kind of choice a form can have. Written as a schema, because descriptions of structs have no titles of
/// choices.
constexpr std::string_view choices = R"json({
  "type": "object",
  "properties": {
    "untitledSingle": {"type": "string", "description": "Select one option", "enum": ["option1", "option2", "option3"]},
    "titledSingle": {"type": "string", "description": "Select one option with titles",
      "oneOf": [{"const": "value1", "title": "First Option"}, {"const": "value2", "title": "Second Option"},
                {"const": "value3", "title": "Third Option"}]},
    "legacyEnum": {"type": "string", "description": "Select one option (legacy)", "enum": ["opt1", "opt2", "opt3"],
      "enumNames": ["Option One", "Option Two", "Option Three"]},
    "untitledMulti": {"type": "array", "description": "Select multiple options", "minItems": 1, "maxItems": 3,
      "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
    "titledMulti": {"type": "array", "description": "Select multiple options with titles", "minItems": 1, "maxItems": 3,
      "items": {"anyOf": [{"const": "value1", "title": "First Choice"}, {"const": "value2", "title": "Second Choice"},
                          {"const": "value3", "title": "Third Choice"}]}}
  },
  "required": []
})json";

/// "action=accept, content={…}": what the client sent.
std::string shown(const Json& answer) {
  const Json* action = answer.as_object().if_contains("action");
  const Json* content = answer.as_object().if_contains("content");
  return "action=" + (action != nullptr && action->is_string() ? std::string(action->get_string()) : "none") +
         ", content=" + (content != nullptr ? to_json_text(*content) : "{}");
}

Outcome<std::string> ask_response(const Message& message, Context& context) {
  if (!context.answer<Response>("response")) return ask<Response>("response", message.message);
  return "User response: " + shown(context.answers().at("response"));
}

Outcome<std::string> ask_with_defaults(Context& context) {
  if (!context.answer<Account>("account"))
    return ask<Account>("account", "Please review and update the form fields with defaults");
  return "Elicitation completed: " + shown(context.answers().at("account"));
}

Outcome<std::string> ask_choices(Context& context) {
  const Json* answer = context.answers().if_contains("choices");
  if (answer == nullptr)
    return Questions{{form_question("choices", "Please select options from the enum fields", parse_json(choices))}};
  return "Elicitation completed: " + shown(*answer);
}

}  // namespace

void add_question_tools(Server& server) {
  add(server, "test_elicitation", "Asks the user with a form of one line", ask_response);
  add(server, "test_elicitation_sep1034_defaults", "Asks with a form whose fields have defaults", ask_with_defaults);
  add(server, "test_elicitation_sep1330_enums", "Asks with a form of choices of every kind", ask_choices);
  add(server, "test_elicitation_url", "Asks the user to open a page",
      [&server](Context& context) -> Outcome<std::string> {
        constexpr const char* id = "everything-page";
        const auto answer = context.url_answer("page");
        if (!answer) return ask_url("page", "Please sign in", "https://example.org/sign-in", id);
        if (*answer != AnswerAction::accept) return std::string("The page was not opened");
        server.elicitation_complete(id);
        return std::string("The page was opened");
      });
}

}  // namespace everything
