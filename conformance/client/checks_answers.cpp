// The group client-answers: answers that are wrong, or unusual.
#include <array>

#include "client/looking.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::string_view answers_shows_nothing = "the host does not show what it was answered";

/// Whatever else it does, it does not take the wrong answer for the right one.
void not_fooled(const Play& play, const HostTraits& traits, Verdicts& verdicts) {
  if (stimulated(play) == nullptr || !traits.shows_answers) return;
  ++verdicts.looked_at;
  if (play.output.find(wrong_marker) != std::string::npos)
    verdicts.fault(play, "the answer to its own request alone", "the host showed the wrong answer");
  else if (!shows_answer(play, traits) && !sign_of_life(play, traits).empty())
    verdicts.fault(play, "the answer to its own request", "the host did not show the right answer");
}

/// What users of a tool need is still there.
void shows_rest(const Play& play, const HostTraits& traits, Verdicts& verdicts) {
  if (stimulated(play) == nullptr || !traits.shows_answers || !traits.calls) return;
  ++verdicts.looked_at;
  if (!shows_answer(play, traits)) verdicts.fault(play, "the text beside it is shown", fate(play));
}

/// The good tool of the list can still be used.
void lists_rest(const Play& play, const HostTraits& traits, Verdicts& verdicts) {
  if (stimulated(play) == nullptr) return;
  if (!traits.calls && !traits.shows_answers) return;
  ++verdicts.looked_at;
  const auto calls = [](const Message& it) { return is_request(it, "tools/call"); };
  const bool called = first_of(sent_after_stimulus(play), calls) != nullptr;
  const bool shown = !traits.calls && play.output.find(listed_marker) != std::string::npos;
  if (!called && !shown) verdicts.fault(play, "the good tool of the list can be used", fate(play));
}

constexpr std::array all_answer_checks{
    HostCheck{"client-unknown-id", "unknown-id", survives, not_tried},
    HostCheck{"client-unknown-id-not-taken", "unknown-id", not_fooled, answers_shows_nothing},
    HostCheck{"client-null-id", "null-id", survives, not_tried},
    HostCheck{"client-id-type-not-taken", "id-of-other-type", not_fooled, answers_shows_nothing},
    HostCheck{"client-answer-twice", "twice", survives_later, not_tried},
    HostCheck{"client-second-answer-not-taken", "twice", not_fooled, answers_shows_nothing},
    HostCheck{"client-result-and-error", "result-and-error", ends_or_survives, not_tried},
    HostCheck{"client-neither-result-nor-error", "neither", ends_or_survives, not_tried},
    HostCheck{"client-error-text", "error-text", ends_or_survives, not_tried},
    HostCheck{"client-error-code-text", "error-code-text", ends_or_survives, not_tried},
    HostCheck{"client-error-unknown", "error-unknown", ends_or_survives, not_tried},
    HostCheck{"client-result-list", "result-list", ends_or_survives, not_tried},
    HostCheck{"client-result-null", "result-null", ends_or_survives, not_tried},
    HostCheck{"client-answer-without-version", "version-absent", ends_or_survives, not_tried},
    HostCheck{"client-tools-object", "tools-object", ends_or_survives, not_tried},
    HostCheck{"client-tools-absent", "tools-absent", ends_or_survives, not_tried},
    HostCheck{"client-misshapen-tool", "tools-misshapen", lists_rest, not_tried},
    HostCheck{"client-odd-schemas", "odd-schemas", lists_rest, not_tried},
    HostCheck{"client-tool-twice", "twice-listed", lists_rest, not_tried},
    HostCheck{"client-unknown-content", "content-unknown", shows_rest, answers_shows_nothing},
    HostCheck{"client-broken-image", "image-broken", shows_rest, answers_shows_nothing},
    HostCheck{"client-content-absent", "content-absent", ends_or_survives, not_tried},
    HostCheck{"client-content-text", "content-text", ends_or_survives, not_tried},
    HostCheck{"client-tool-error-shown", "tool-failed", shows_rest, answers_shows_nothing},
};

}  // namespace

std::span<const HostCheck> answer_host_checks() { return all_answer_checks; }

}  // namespace toolwire::conformance
