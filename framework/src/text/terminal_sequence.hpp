// The sequences that terminals obey (ECMA-48, fifth edition). Knows nothing of what they do.
#pragma once

#include <cstddef>
#include <string_view>

namespace toolwire::text {

/// The length in bytes of the sequence that `text` begins with, 0 if it begins with none. A control sequence ends at
/// the first byte that cannot belong to it, a string (OSC, DCS, SOS, PM, APC) at its terminator, or else with the text.
std::size_t terminal_sequence_length(std::string_view text);

}  // namespace toolwire::text
