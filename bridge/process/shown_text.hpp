// What a program, a service or a server has written, as models and people read it. Takes values, returns values.
#pragma once

#include <string>
#include <string_view>

namespace toolwire::bridge {

/// The text with escapes for what nobody can see and what terminals would obey (text::visible), and with line feeds as
/// the only line ends.
std::string shown(std::string text);

/// Whether a text consists of nothing but visible ASCII, tabs and line feeds, as most do: quicker than to compare with
/// `shown`, which leaves some others alone, too.
bool is_shown_as_it_is(std::string_view text);

}  // namespace toolwire::bridge
