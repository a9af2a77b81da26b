// Which hosts are this machine, by what they are called.
#pragma once

#include <string_view>

namespace toolwire::bridge {

/// "localhost", and addresses of loopback, with brackets or without. Names are not looked up.
bool is_this_machine(std::string_view host);

}  // namespace toolwire::bridge
