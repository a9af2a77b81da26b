// What a configuration says of the way to a server that replicas share. A plain value; asks nobody.
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

/// At most one of the two; with neither the server is on this machine.
struct WaySettings {
  std::optional<TlsSettings> tls = {};
  bool is_tunnelled = false;  ///< Something else encrypts the way.
};

/// Where settings of a server stand: its object at `pointer`, the folder that relative paths count from, and what gives
/// the places of pointers in the file.
struct SettingsPlace {
  const JsonObject& object;
  std::string pointer;
  std::string directory;
  const std::function<std::string(const std::string&)>& place_of;
};

/// Reads the members "tls" and "tunnel" of a server at `address`, which is in order; `is_unix`: a Unix socket. Nothing
/// if there are problems, which go to `findings`.
std::optional<WaySettings> read_way(const SettingsPlace& place, const std::string& address, bool is_unix,
                                    Findings& findings);

}  // namespace toolwire::bridge
