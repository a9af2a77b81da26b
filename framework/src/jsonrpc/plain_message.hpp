// The quick way through a line that holds one ordinary message, as nearly every line does. message.hpp reads the
// others, and says what is wrong with those that are none.
#pragma once

#include <cstddef>
#include <string_view>

#include "jsonrpc/message.hpp"

namespace toolwire::jsonrpc {

/// Reads one message into `into`, which is as it was made; false, with `into` in no particular state, if the line has
/// anything unusual: an unknown or doubled member, escapes in a name, a null, a batch, an error of any kind. Never
/// throws for bad input. `kept`: as for `parse`.
bool read_plain_message(std::string_view line, const json::Bounds& bounds, Message& into,
                        json::KeptMember* kept = nullptr);

}  // namespace toolwire::jsonrpc
