// The group client-questions: roots, the model and the user, asked in the revisions with a handshake.
#include <array>

#include <toolwire/error.hpp>

#include "client/looking.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::string_view not_declared = "the host does not declare the capability";
constexpr std::string_view is_declared = "the host declares the capability";

/// The answer to the question of this id, where the host has declared (or not) what it needs. Null: not judged, or
/// the verdict is there.
const PlayedLine* judged_answer(const Play& play, Verdicts& verdicts, const char* capability, bool wanted,
                                std::string_view id, const std::string& expected) {
  if (stimulated(play) == nullptr || get(declared(play), capability).is_object() != wanted) return nullptr;
  ++verdicts.looked_at;
  const PlayedLine* answer = answer_to(play, Json(id));
  if (answer == nullptr) verdicts.fault(play, expected, fate(play));
  return answer;
}

void refused_with(const Play& play, Verdicts& verdicts, const PlayedLine* answer, int code) {
  if (answer == nullptr) return;
  if (answer->message.error_code() != code) verdicts.fault(play, "the error " + std::to_string(code), answer->text);
}

void roots_refused(const Play& play, const HostTraits&, Verdicts& verdicts) {
  const std::string expected = "the error -32601, as the host has no roots";
  refused_with(play, verdicts, judged_answer(play, verdicts, "roots", false, "roots", expected),
               error_code::method_not_found);
}

bool is_root(const Json& root) {
  const Json& name = get(root, "name");
  return get(root, "uri").is_string() && (name.is_null() || name.is_string());
}

void roots_listed(const Play& play, const HostTraits&, Verdicts& verdicts) {
  const PlayedLine* answer = judged_answer(play, verdicts, "roots", true, "roots", "a list of roots");
  if (answer == nullptr) return;
  const JsonArray* roots = get(answer->message.json, "result", "roots").if_array();
  if (roots == nullptr) return verdicts.fault(play, "an array of roots", answer->text);
  for (const Json& root : *roots) {
    if (!is_root(root)) verdicts.fault(play, "roots with an uri, and a text as name if they have one", answer->text);
  }
}

void roots_are_files(const Play& play, const HostTraits&, Verdicts& verdicts) {
  const PlayedLine* answer = answer_to(play, "roots");
  const JsonArray* roots = answer == nullptr ? nullptr : get(answer->message.json, "result", "roots").if_array();
  if (roots == nullptr || roots->empty()) return;
  ++verdicts.looked_at;
  for (const Json& root : *roots) {
    if (!text_of(get(root, "uri")).starts_with("file://"))
      verdicts.fault(play, "URIs that begin with file://", answer->text);
  }
}

/// Some error, whatever its code: the host could not have answered.
void questions_refused(const Play& play, Verdicts& verdicts, const PlayedLine* answer) {
  if (answer != nullptr && !answer->message.is_error()) verdicts.fault(play, "an error", answer->text);
}

void sampling_refused(const Play& play, const HostTraits&, Verdicts& verdicts) {
  questions_refused(play, verdicts, judged_answer(play, verdicts, "sampling", false, "sampling", "an error"));
}

/// A result of the model, or that the user does not want it.
void sampling_answered(const Play& play, const HostTraits&, Verdicts& verdicts) {
  const PlayedLine* answer = judged_answer(play, verdicts, "sampling", true, "sampling", "a result or an error");
  if (answer == nullptr || answer->message.is_error()) return;
  const Json& result = answer->message.member("result");
  const Json& content = get(result, "content");
  if (!get(result, "model").is_string() || !get(result, "role").is_string() ||
      !(content.is_object() || content.is_array()))
    verdicts.fault(play, "role, content and model", answer->text);
}

void sampling_malformed(const Play& play, const HostTraits&, Verdicts& verdicts) {
  questions_refused(play, verdicts, judged_answer(play, verdicts, "sampling", true, "sampling-malformed", "an error"));
}

void sampling_tools(const Play& play, const HostTraits&, Verdicts& verdicts) {
  if (get(declared(play), "sampling", "tools").is_object()) return;
  questions_refused(play, verdicts, judged_answer(play, verdicts, "sampling", true, "sampling-tools", "an error"));
}

void elicitation_refused(const Play& play, const HostTraits&, Verdicts& verdicts) {
  questions_refused(play, verdicts, judged_answer(play, verdicts, "elicitation", false, "elicitation", "an error"));
}

void elicitation_answered(const Play& play, const HostTraits&, Verdicts& verdicts) {
  const PlayedLine* answer =
      judged_answer(play, verdicts, "elicitation", true, "elicitation", "accept, decline or cancel");
  if (answer == nullptr || answer->message.is_error()) return;
  const std::string_view action = text_of(get(answer->message.json, "result", "action"));
  if (action != "accept" && action != "decline" && action != "cancel")
    verdicts.fault(play, "an action: accept, decline or cancel", answer->text);
}

void elicitation_fits(const Play& play, const HostTraits&, Verdicts& verdicts) {
  const PlayedLine* answer = answer_to(play, "elicitation");
  if (answer == nullptr) return;
  const Json& result = answer->message.member("result");
  if (text_of(get(result, "action")) != "accept") return;
  ++verdicts.looked_at;
  if (!get(result, "content", "name").is_string())
    verdicts.fault(play, "content that fits the form: a text as name", answer->text);
}

void elicitation_malformed(const Play& play, const HostTraits&, Verdicts& verdicts) {
  questions_refused(play, verdicts,
                    judged_answer(play, verdicts, "elicitation", true, "elicitation-malformed", "an error"));
}

/// A mode that is not declared is refused.
void elicitation_url(const Play& play, const HostTraits&, Verdicts& verdicts) {
  if (get(declared(play), "elicitation", "url").is_object() || play.revision->name < "2025-11-25") return;
  const PlayedLine* answer = judged_answer(play, verdicts, "elicitation", true, "elicitation-url", "the error -32602");
  refused_with(play, verdicts, answer, error_code::invalid_params);
}

void elicitation_mode(const Play& play, const HostTraits&, Verdicts& verdicts) {
  if (play.revision->name < "2025-11-25") return;
  questions_refused(play, verdicts, judged_answer(play, verdicts, "elicitation", true, "elicitation-mode", "an error"));
}

/// A question that needs somebody does not keep the host from hearing.
void pings_beside(const Play& play, const HostTraits&, Verdicts& verdicts) {
  if (stimulated(play) == nullptr) return;
  ++verdicts.looked_at;
  if (answer_to(play, "second") == nullptr)
    verdicts.fault(play, "an answer to the ping, whatever becomes of the question before it", fate(play));
}

constexpr std::array all_question_checks{
    HostCheck{"client-roots-undeclared-refused", "roots", roots_refused, is_declared},
    HostCheck{"client-roots-listed", "roots", roots_listed, not_declared},
    HostCheck{"client-roots-are-files", "roots", roots_are_files, "the host listed no roots"},
    HostCheck{"client-sampling-undeclared-refused", "sampling", sampling_refused, is_declared},
    HostCheck{"client-sampling-answered", "sampling", sampling_answered, not_declared},
    HostCheck{"client-sampling-malformed-refused", "sampling-malformed", sampling_malformed, not_declared},
    HostCheck{"client-sampling-tools-refused", "sampling-tools", sampling_tools,
              "the host declares no sampling, or takes tools with it"},
    HostCheck{"client-elicitation-undeclared-refused", "elicitation", elicitation_refused, is_declared},
    HostCheck{"client-elicitation-answered", "elicitation", elicitation_answered, not_declared},
    HostCheck{"client-elicitation-fits-form", "elicitation", elicitation_fits, "the host accepted no form"},
    HostCheck{"client-elicitation-malformed-refused", "elicitation-malformed", elicitation_malformed, not_declared},
    HostCheck{"client-elicitation-url-refused", "elicitation-url", elicitation_url,
              "the host declares no elicitation, or opens pages"},
    HostCheck{"client-elicitation-mode-refused", "elicitation-mode", elicitation_mode, not_declared},
    HostCheck{"client-question-taken-back", "taken-back", survives, could_not_be_asked},
    HostCheck{"client-ping-beside-question", "two-at-once", pings_beside, could_not_be_asked},
};

}  // namespace

std::span<const HostCheck> question_host_checks() { return all_question_checks; }

}  // namespace toolwire::conformance
