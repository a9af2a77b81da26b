#include "toolwire/server.hpp"

struct Search {
  int limit = 0;
  static constexpr auto describe() {
    return toolwire::fields(toolwire::field<&Search::limit>("How many").length(1, 5));
  }
};
