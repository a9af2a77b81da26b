// What a configuration says of TLS to a server that replicas share. A plain value; asks nobody.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <toolwire/json.hpp>

#include "manifest/findings.hpp"

namespace toolwire::bridge {

/// Files are absolute paths of texts in PEM; empty: none.
struct TlsSettings {
  std::string ca_file = {};  ///< Empty: what the system trusts.
  std::string certificate_file = {};
  std::string key_file = {};
  std::string server_name = {};  ///< Empty: the host of the address.
};

/// Reads the member "tls" that stands at `pointer`. Relative paths count from `directory`. Nothing if there are
/// problems, which go to `findings`, with the places that `place_of` gives for pointers.
std::optional<TlsSettings> read_tls_settings(const Json& json, const std::string& pointer, const std::string& directory,
                                             const std::function<std::string(const std::string&)>& place_of,
                                             Findings& findings);

}  // namespace toolwire::bridge
