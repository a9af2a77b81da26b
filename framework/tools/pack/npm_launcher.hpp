// The script of a package of npm that stands for a program: npm_launcher.js, compiled in.
#pragma once

#include <string_view>

namespace toolwire::pack {

/// @PACKAGES@ in it stands for an object of packages by platform, @NAME@ for the program's name.
std::string_view npm_launcher();

}  // namespace toolwire::pack
