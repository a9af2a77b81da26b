// How a bridge is doing, as pages of its port.
#pragma once

#include <vector>

#include <toolwire/http/listen.hpp>

namespace toolwire::bridge {

class ServedBridge;

/// "/metrics", "/status" and "/status.json". The bridge must outlive them.
std::vector<http::Page> status_pages_of(ServedBridge& served);

}  // namespace toolwire::bridge
