// Libraries of the system that are loaded when they are first needed.
#pragma once

#include <span>

namespace toolwire::system {

/// A shared library; stays loaded until the process ends, since threads of it may run until then.
class SharedLibrary {
 public:
  /// Loads the first of `names` that the system finds. Throws std::runtime_error that says why there is none.
  explicit SharedLibrary(std::span<const char* const> names);

  /// Points to the function of that name. Throws std::runtime_error that names it if the library has none such.
  template <class Function>
  void find(Function& pointer, const char* name) const {
    pointer = reinterpret_cast<Function>(address_of(name));
  }

 private:
  [[nodiscard]] void* address_of(const char* name) const;

  void* handle_ = nullptr;
};

}  // namespace toolwire::system
