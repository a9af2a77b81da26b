// What a configuration says of TLS, with what is in its files.
#pragma once

#include <optional>
#include <toolwire/tls.hpp>

#include "configuration/tls_settings.hpp"

namespace toolwire::bridge::cluster {

/// Throws std::invalid_argument that begins with the member whose file cannot be used.
std::optional<Tls> tls_of(const WaySettings& settings);

}  // namespace toolwire::bridge::cluster
