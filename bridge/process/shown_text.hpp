// What a program, a service or a server has written, as models and people read it. Takes values, returns values.
#pragma once

#include <string>

namespace toolwire::bridge {

/// The text with escapes for what nobody can see and what terminals would obey (text::visible), and with line feeds as
/// the only line ends.
std::string shown(std::string text);

}  // namespace toolwire::bridge
