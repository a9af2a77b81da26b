#include "toolwire/server.hpp"

struct Search {
  int limit = 0;
  static constexpr auto describe() {
    return toolwire::fields(toolwire::field<&Search::limit>("How many").between(0.5, 5));
  }
};
