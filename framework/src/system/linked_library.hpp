// Libraries whose code is in the program itself, where other programs load them. A program that is linked statically
// adds them; SharedLibrary looks here first, so whoever calls a library's functions knows nothing of it.
#pragma once

#include <span>

namespace toolwire::system {

struct LinkedFunction {
  const char* name;
  void* address;
};

/// Known by the name of the file that would be loaded otherwise.
struct LinkedLibrary {
  const char* name;
  std::span<const LinkedFunction> functions;
};

/// Until the program ends; `library` has to live as long. For the time before main(): not to be called by two threads.
void add_linked_library(const LinkedLibrary& library);

}  // namespace toolwire::system
