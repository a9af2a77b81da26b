// Which of several names somebody probably meant who wrote another one. Independent of where the names come from.
#pragma once

#include <span>
#include <string_view>

namespace toolwire::system {

/// The name among `known` that differs least from `written`: in case, in '_' or '-', or by few wrong, missing,
/// additional or swapped letters. Empty when none is near, or `written` is longer than any sensible name.
std::string_view nearest_name(std::string_view written, std::span<const std::string_view> known);

}  // namespace toolwire::system
