#include "protocol/input_requests/question_params.hpp"

#include <string>
#include <utility>

#include <toolwire/json_members.hpp>

#include "types/random_id.hpp"

namespace toolwire::protocol {
namespace {

/// 2025-06-18 knows titles of choices as a list beside them.
void name_choices(JsonObject& field) {
  const Json* choices = field.if_contains("oneOf");
  if (choices == nullptr || !choices->is_array()) return;
  JsonArray values;
  JsonArray names;
  for (const Json& choice : choices->get_array()) {
    if (!choice.is_object()) continue;
    values.emplace_back(text_member(choice.get_object(), "const"));
    names.emplace_back(text_member(choice.get_object(), "title"));
  }
  field.stable_erase("oneOf");
  field["enum"] = std::move(values);
  field["enumNames"] = std::move(names);
}

/// 2025-06-18 client/elicitation: of the primitives, booleans alone have a default.
void lower_form(JsonObject& params) {
  Json* schema = params.if_contains("requestedSchema");
  Json* properties =
      schema != nullptr && schema->is_object() ? schema->get_object().if_contains("properties") : nullptr;
  if (properties == nullptr || !properties->is_object()) return;
  for (auto& [name, field] : properties->get_object()) {
    if (!field.is_object()) continue;
    JsonObject& about = field.get_object();
    if (text_member(about, "type") != "boolean") about.stable_erase("default");
    name_choices(about);
  }
}

/// Audio came with 2025-03-26.
void lower_block(const Revision& revision, Json& block) {
  if (!block.is_object() || revision.tool_annotations || text_member(block.get_object(), "type") != "audio") return;
  std::string note = "[audio, " + std::string(text_member(block.get_object(), "mimeType")) +
                     ": this client's protocol revision has none]";
  block = JsonObject{{"type", "text"}, {"text", note}};
}

/// Before 2025-11-25 a message has one block: one with several becomes several messages of the same role.
JsonArray split_messages(const Revision& revision, JsonArray&& messages) {
  JsonArray split;
  for (Json& message : messages) {
    Json* content = message.is_object() ? message.get_object().if_contains("content") : nullptr;
    if (content == nullptr || !content->is_array()) {
      if (content != nullptr) lower_block(revision, *content);
      split.push_back(std::move(message));
      continue;
    }
    for (Json& block : content->get_array()) {
      lower_block(revision, block);
      split.push_back(JsonObject{{"role", text_member(message.get_object(), "role")}, {"content", std::move(block)}});
    }
  }
  return split;
}

/// Where a page has an id, it needs one: other servers' questions of the newest revision come without.
void fit_page_id(const Revision& revision, JsonObject& params) {
  if (!revision.elicitation_ids) params.stable_erase("elicitationId");
  if (revision.elicitation_ids && text_member(params, "mode") == "url" && !params.contains("elicitationId"))
    params["elicitationId"] = types::random_id();
}

}  // namespace

Json params_for(const Revision& revision, const Question& question) {
  Json params = question.params;
  if (!params.is_object()) return params;
  JsonObject& members = params.get_object();
  if (question.method == "elicitation/create") {
    fit_page_id(revision, members);
    if (!revision.elicitation_mode) {
      members.stable_erase("mode");
      lower_form(members);
    }
  } else if (question.method == "sampling/createMessage" && !revision.sampling_tools) {
    Json* messages = members.if_contains("messages");
    if (messages != nullptr && messages->is_array())
      *messages = split_messages(revision, std::move(messages->get_array()));
  }
  return params;
}

}  // namespace toolwire::protocol
