// How a server elsewhere is known, and this client to it. Independent of which server that is.
#pragma once

#include <string>

namespace toolwire {

/// TLS 1.2 or later. That the server's certificate comes from somebody who is trusted, holds today and is for its name
/// is always checked. A plain value; the texts are PEM.
struct Tls {
  std::string ca = {};           ///< The certificates that are trusted; empty: those that the system trusts.
  std::string certificate = {};  ///< Of this client, and those between it and the server's trust; empty: none.
  std::string key = {};          ///< Of that certificate, not encrypted.
  /// The name or address that the server's certificate has to be for, as one of its alternative names; empty: the host
  /// that is connected to.
  std::string server_name = {};
};

}  // namespace toolwire
