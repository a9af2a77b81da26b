#include "protocol/input_requests/client_ability.hpp"

#include <algorithm>

#include <toolwire/json_members.hpp>

namespace toolwire::protocol {
namespace {

enum class Kind { form, url, model, model_with_tools, roots, other };

const JsonObject& params_of(const Question& question) {
  static const JsonObject none;
  return question.params.is_object() ? question.params.get_object() : none;
}

bool uses_tools(const JsonObject& params) { return params.contains("tools") || params.contains("toolChoice"); }

Kind kind_of(const Question& question) {
  if (question.method == "elicitation/create") {
    const Json* mode = params_of(question).if_contains("mode");
    return mode != nullptr && *mode == "url" ? Kind::url : Kind::form;
  }
  if (question.method == "sampling/createMessage")
    return uses_tools(params_of(question)) ? Kind::model_with_tools : Kind::model;
  return question.method == "roots/list" ? Kind::roots : Kind::other;
}

bool declares_within(const JsonObject* capability, std::string_view name) {
  return capability != nullptr && object_member(*capability, name) != nullptr;
}

/// Lists of choices came with 2025-11-25; a form with one cannot be put in the words of 2025-06-18.
bool has_lists(const Question& question) {
  const Json* schema = params_of(question).if_contains("requestedSchema");
  const Json* properties =
      schema != nullptr && schema->is_object() ? schema->get_object().if_contains("properties") : nullptr;
  if (properties == nullptr || !properties->is_object()) return false;
  const JsonObject& fields = properties->get_object();
  return std::any_of(fields.begin(), fields.end(), [](const auto& field) {
    const Json* type = field.value().is_object() ? field.value().get_object().if_contains("type") : nullptr;
    return type != nullptr && *type == "array";
  });
}

/// Elicitation without modes means forms only (2025-11-25 client/elicitation, capabilities).
bool can_fill_forms(const Revision& revision, const JsonObject* elicitation, const Question& question) {
  if (!revision.elicitation || elicitation == nullptr) return false;
  if (!revision.elicitation_mode) return !has_lists(question);
  return elicitation->empty() || elicitation->contains("form");
}

}  // namespace

JsonObject capability_for(const Question& question) {
  switch (kind_of(question)) {
    case Kind::form:
      return {{"elicitation", JsonObject{}}};
    case Kind::url:
      return {{"elicitation", JsonObject{{"url", JsonObject{}}}}};
    case Kind::model:
      return {{"sampling", JsonObject{}}};
    case Kind::model_with_tools:
      return {{"sampling", JsonObject{{"tools", JsonObject{}}}}};
    case Kind::roots:
      return {{"roots", JsonObject{}}};
    case Kind::other:
      break;
  }
  return {{std::string_view(question.method).substr(0, question.method.find('/')), JsonObject{}}};
}

bool can_answer(const Revision& revision, const JsonObject& client_capabilities, const Question& question) {
  switch (kind_of(question)) {
    case Kind::form:
      return can_fill_forms(revision, object_member(client_capabilities, "elicitation"), question);
    case Kind::url:
      return revision.elicitation_mode && declares_within(object_member(client_capabilities, "elicitation"), "url");
    case Kind::model:
      return object_member(client_capabilities, "sampling") != nullptr;
    case Kind::model_with_tools:
      return revision.sampling_tools && declares_within(object_member(client_capabilities, "sampling"), "tools");
    case Kind::roots:
      return object_member(client_capabilities, "roots") != nullptr;
    case Kind::other:
      break;
  }
  return false;
}

const char* wish_of(const Question& question) {
  switch (kind_of(question)) {
    case Kind::form:
      return "the user to fill in a form";
    case Kind::url:
      return "the user to open a page";
    case Kind::model:
      return "the client's model";
    case Kind::model_with_tools:
      return "the client's model, with tools";
    case Kind::roots:
      return "for the client's roots";
    case Kind::other:
      break;
  }
  return "for what no revision of the protocol has";
}

}  // namespace toolwire::protocol
