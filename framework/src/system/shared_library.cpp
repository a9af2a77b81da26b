#include "toolwire/system/shared_library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "system/linked_library.hpp"

namespace toolwire::system {
namespace {

std::vector<const LinkedLibrary*>& linked_libraries() {
  static std::vector<const LinkedLibrary*> added;
  return added;
}

/// As the handle of a library that was loaded; nobody changes what it leads to.
void* linked_library(std::string_view name) {
  const auto found = std::ranges::find(linked_libraries(), name, [](const LinkedLibrary* one) { return one->name; });
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): handles are what dlopen gives
  return found == linked_libraries().end() ? nullptr : const_cast<LinkedLibrary*>(*found);
}

void* address_in(const LinkedLibrary& library, std::string_view name) {
  const auto found = std::ranges::find(library.functions, name, &LinkedFunction::name);
  if (found != library.functions.end()) return found->address;
  throw std::runtime_error(std::string(name) + " is not linked to this program");
}

std::string last_problem() {
  const char* text = ::dlerror();
  return text == nullptr ? "no reason is given" : text;
}

}  // namespace

void add_linked_library(const LinkedLibrary& library) { linked_libraries().push_back(&library); }

SharedLibrary::SharedLibrary(std::span<const char* const> names) {
  std::string problems;
  for (const char* name : names) {
    handle_ = linked_library(name);
    if (handle_ != nullptr) return;
    handle_ = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) return;
    problems += (problems.empty() ? "" : "; ") + last_problem();
  }
  throw std::runtime_error(problems);
}

void* SharedLibrary::address_of(const char* name) const {
  const auto linked = std::ranges::find(linked_libraries(), handle_);
  if (linked != linked_libraries().end()) return address_in(**linked, name);
  void* found = ::dlsym(handle_, name);
  if (found == nullptr) throw std::runtime_error(last_problem());
  return found;
}

}  // namespace toolwire::system
