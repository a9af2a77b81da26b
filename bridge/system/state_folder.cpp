#include "system/state_folder.hpp"

#include <cstdlib>

namespace toolwire::bridge {
namespace {

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

}  // namespace

std::string state_folder(std::string_view name) {
  if (const auto state = variable("XDG_STATE_HOME"); state.starts_with('/'))
    return std::string(state).append("/toolwire/").append(name);
  const auto home = variable("HOME");
  return home.starts_with('/') ? std::string(home).append("/.local/state/toolwire/").append(name) : std::string();
}

}  // namespace toolwire::bridge
