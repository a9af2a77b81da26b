// Who calls: a stage before the handler of a request, which may take its time. Independent of methods, and of how
// callers are told apart.
#pragma once

#include <string_view>

#include "protocol/exchange.hpp"
#include "protocol/methods.hpp"

namespace toolwire::protocol {

/// Asks ServerOptions::identify, which there is, and then hands the request on with its caller: at once, or on the
/// engine once that has answered. Nothing of a request is done whose caller is not known. Runs on the driver.
void identify(Exchange&& exchange, std::string_view method, MethodHandler handle);

}  // namespace toolwire::protocol
