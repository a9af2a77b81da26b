// Versions of the discovery protocol. Decides which are understood. Independent of documents.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace toolwire::bridge {

/// Why a `protocol_version` is not understood, naming it; nothing for 1, 1.x and 1.x.y.
std::optional<std::string> problem_of_version(std::string_view version);

}  // namespace toolwire::bridge
