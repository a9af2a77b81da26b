// What a configuration says of TLS, with what is in its files.
#pragma once

#include <string>
#include <toolwire/tls.hpp>

#include "configuration/tls_settings.hpp"

namespace toolwire::bridge::cluster {

/// Throws std::invalid_argument that begins with the member whose file cannot be used.
Tls tls_of(const TlsSettings& settings);

}  // namespace toolwire::bridge::cluster
