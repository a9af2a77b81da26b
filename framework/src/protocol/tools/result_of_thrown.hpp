// The one place where a server makes a result of what a tool has thrown.
#pragma once

#include <exception>
#include <string_view>

#include "protocol/service.hpp"

namespace toolwire::protocol {

/// What ServerOptions::on_exception makes of it, else what result_of_exception does. `thrown` is not null and no
/// ProtocolError; throws the one that `on_exception` throws.
ToolResult result_of_thrown(const Service& service, const std::exception_ptr& thrown, std::string_view tool);

}  // namespace toolwire::protocol
