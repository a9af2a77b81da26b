// The version of this program, which is that of the whole project.
#pragma once

namespace toolwire::bridge {

/// As in "1.0.0".
const char* program_version() noexcept;

}  // namespace toolwire::bridge
