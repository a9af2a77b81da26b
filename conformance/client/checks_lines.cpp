// The group client-lines: lines that are no messages, and messages that come as nobody expects.
#include <array>

#include "client/looking.hpp"

namespace toolwire::conformance {
namespace {

/// Characters of several bytes, of which no read has all.
void takes_characters(const Play& play, const HostTraits& traits, Verdicts& verdicts) {
  takes_answer(play, traits, verdicts);
  if (play.output.find("\xEF\xBF\xBD") != std::string::npos)
    verdicts.fault(play, "the characters as they came", "the host showed replacement characters");
}

constexpr std::array all_line_checks{
    HostCheck{"client-banner", "banner", comes_through, not_tried},
    HostCheck{"client-byte-order-mark", "byte-order-mark", comes_through, not_tried},
    HostCheck{"client-foreign-line", "foreign-line", survives, not_tried},
    HostCheck{"client-coloured-line", "coloured-line", survives, not_tried},
    HostCheck{"client-empty-lines", "empty-lines", survives, not_tried},
    HostCheck{"client-broken-json", "broken-json", survives, not_tried},
    HostCheck{"client-scalars", "scalars", survives, not_tried},
    HostCheck{"client-empty-batch", "empty-array", survives, not_tried},
    HostCheck{"client-empty-object", "empty-object", survives, not_tried},
    HostCheck{"client-two-methods", "twice-named", survives, not_tried},
    HostCheck{"client-invalid-bytes", "invalid-bytes", survives, not_tried},
    HostCheck{"client-lone-surrogate", "lone-surrogate", survives, not_tried},
    HostCheck{"client-zero-bytes", "zero-bytes", survives, not_tried},
    HostCheck{"client-deep-nesting", "deep-nesting", survives, not_tried},
    HostCheck{"client-long-foreign-line", "long-foreign-line", survives, not_tried},
    HostCheck{"client-long-answer", "long-answer", takes_answer, not_tried},
    HostCheck{"client-pieces", "pieces", takes_characters, not_tried},
    HostCheck{"client-joined-lines", "joined", takes_answer, not_tried},
    HostCheck{"client-carriage-returns", "carriage-returns", takes_answer, not_tried},
    HostCheck{"client-line-separators", "separators", survives, not_tried},
};

}  // namespace

std::span<const HostCheck> line_host_checks() { return all_line_checks; }

}  // namespace toolwire::conformance
