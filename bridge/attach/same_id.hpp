// Whether two ids of messages are the same one, although a text can be written in several ways.
#pragma once

#include <string_view>

namespace toolwire::attach {

/// As they stand in their messages.
bool same_id(std::string_view one, std::string_view other);

}  // namespace toolwire::attach
