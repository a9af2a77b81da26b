// The group client-lines: lines that are no messages, and messages that come as nobody expects.
#include <array>

#include "client/looking.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::string_view lines_unseen =
    "the host made no request at which it could be tried, or nothing shows whether it goes on";

/// Characters of several bytes, of which no read has all.
void takes_characters(const Play& play, const HostTraits& traits, Verdicts& verdicts) {
  takes_answer(play, traits, verdicts);
  if (play.output.find("\xEF\xBF\xBD") != std::string::npos)
    verdicts.fault(play, "the characters as they came", "the host showed replacement characters");
}

constexpr std::array all_line_checks{
    HostCheck{"client-banner", "banner", comes_through, lines_unseen},
    HostCheck{"client-byte-order-mark", "byte-order-mark", comes_through, lines_unseen},
    HostCheck{"client-foreign-line", "foreign-line", survives, lines_unseen},
    HostCheck{"client-coloured-line", "coloured-line", survives, lines_unseen},
    HostCheck{"client-empty-lines", "empty-lines", survives, lines_unseen},
    HostCheck{"client-broken-json", "broken-json", survives, lines_unseen},
    HostCheck{"client-scalars", "scalars", survives, lines_unseen},
    HostCheck{"client-empty-batch", "empty-array", survives, lines_unseen},
    HostCheck{"client-empty-object", "empty-object", survives, lines_unseen},
    HostCheck{"client-two-methods", "twice-named", survives, lines_unseen},
    HostCheck{"client-invalid-bytes", "invalid-bytes", survives, lines_unseen},
    HostCheck{"client-lone-surrogate", "lone-surrogate", survives, lines_unseen},
    HostCheck{"client-zero-bytes", "zero-bytes", survives, lines_unseen},
    HostCheck{"client-deep-nesting", "deep-nesting", survives, lines_unseen},
    HostCheck{"client-long-foreign-line", "long-foreign-line", survives, lines_unseen},
    HostCheck{"client-long-answer", "long-answer", takes_answer, lines_unseen},
    HostCheck{"client-pieces", "pieces", takes_characters, lines_unseen},
    HostCheck{"client-joined-lines", "joined", takes_answer, lines_unseen},
    HostCheck{"client-carriage-returns", "carriage-returns", takes_answer, lines_unseen},
    HostCheck{"client-line-separators", "separators", survives, lines_unseen},
};

}  // namespace

std::span<const HostCheck> line_host_checks() { return all_line_checks; }

}  // namespace toolwire::conformance
