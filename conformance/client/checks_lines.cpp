// The group client-lines: lines that are no messages, and messages that come as nobody expects.
#include <array>

#include "client/looking.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::string_view unseen =
    "the host made no request at which it could be tried, or nothing shows whether it goes on";

/// Characters of several bytes, of which no read has all.
void takes_characters(const Play& play, const HostTraits& traits, Verdicts& verdicts) {
  takes_answer(play, traits, verdicts);
  if (play.output.find("\xEF\xBF\xBD") != std::string::npos)
    verdicts.fault(play, "the characters as they came", "the host showed replacement characters");
}

constexpr std::array all{
    HostCheck{"client-banner", "banner", comes_through, unseen},
    HostCheck{"client-byte-order-mark", "byte-order-mark", comes_through, unseen},
    HostCheck{"client-foreign-line", "foreign-line", survives, unseen},
    HostCheck{"client-coloured-line", "coloured-line", survives, unseen},
    HostCheck{"client-empty-lines", "empty-lines", survives, unseen},
    HostCheck{"client-broken-json", "broken-json", survives, unseen},
    HostCheck{"client-scalars", "scalars", survives, unseen},
    HostCheck{"client-empty-batch", "empty-array", survives, unseen},
    HostCheck{"client-empty-object", "empty-object", survives, unseen},
    HostCheck{"client-two-methods", "twice-named", survives, unseen},
    HostCheck{"client-invalid-bytes", "invalid-bytes", survives, unseen},
    HostCheck{"client-lone-surrogate", "lone-surrogate", survives, unseen},
    HostCheck{"client-zero-bytes", "zero-bytes", survives, unseen},
    HostCheck{"client-deep-nesting", "deep-nesting", survives, unseen},
    HostCheck{"client-long-foreign-line", "long-foreign-line", survives, unseen},
    HostCheck{"client-long-answer", "long-answer", takes_answer, unseen},
    HostCheck{"client-pieces", "pieces", takes_characters, unseen},
    HostCheck{"client-joined-lines", "joined", takes_answer, unseen},
    HostCheck{"client-carriage-returns", "carriage-returns", takes_answer, unseen},
    HostCheck{"client-line-separators", "separators", survives, unseen},
};

}  // namespace

std::span<const HostCheck> line_host_checks() { return all; }

}  // namespace toolwire::conformance
