#include "toolwire/system/shared_library.hpp"

#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace toolwire::system {
namespace {

std::string last_problem() {
  const char* text = ::dlerror();
  return text == nullptr ? "no reason is given" : text;
}

}  // namespace

SharedLibrary::SharedLibrary(std::span<const char* const> names) {
  std::string problems;
  for (const char* name : names) {
    handle_ = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) return;
    problems += (problems.empty() ? "" : "; ") + last_problem();
  }
  throw std::runtime_error(problems);
}

void* SharedLibrary::address_of(const char* name) const {
  void* found = ::dlsym(handle_, name);
  if (found == nullptr) throw std::runtime_error(last_problem());
  return found;
}

}  // namespace toolwire::system
