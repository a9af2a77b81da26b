#include "toolwire/describe.hpp"

struct Add {
  int a, b;
  static constexpr auto describe() {
    return toolwire::fields(toolwire::field<&Add::a>("One"), toolwire::field<&Add::b>("Other").named("a"));
  }
};
constexpr auto described = Add::describe();
