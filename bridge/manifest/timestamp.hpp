// Times as manifests write them. Independent of what they stand for.
#pragma once

#include <string_view>

namespace toolwire::bridge {

/// A date and time of ISO 8601 as RFC 3339 has it, with an offset or `Z`.
bool is_timestamp(std::string_view text);

}  // namespace toolwire::bridge
