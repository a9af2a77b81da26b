// A socket that listens already when this program starts, as systemd hands it over (sd_listen_fds(3)).
#pragma once

#include <cstdint>
#include <string>

namespace toolwire::bridge {

/// The descriptor of the handed socket that is bound to this path; -1: none is. Programs that are started later do not
/// get it.
int handed_socket(const std::string& path);

/// The same for a TCP socket at this address, in numbers, and port; 0: any.
int handed_socket(const std::string& address, std::uint16_t port);

}  // namespace toolwire::bridge
