#include "system/program_version.hpp"

namespace toolwire::bridge {

const char* program_version() noexcept { return TOOLWIRE_VERSION; }

}  // namespace toolwire::bridge
