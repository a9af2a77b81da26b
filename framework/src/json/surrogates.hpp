// Repairs escapes of half a UTF-16 pair, which some clients send when they cut a string in the middle of a character.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace toolwire::json {

/// A copy of a JSON text in which every \uD800…\uDFFF escape without its other half is \ufffd; nothing when there is
/// none. The copy is as long as the text, so that offsets hold for both. Linear.
std::optional<std::string> without_lone_surrogates(std::string_view text);

}  // namespace toolwire::json
