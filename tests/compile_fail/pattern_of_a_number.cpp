#include "toolwire/server.hpp"

struct Search {
  int query{};
  static constexpr auto describe() {
    return toolwire::fields(toolwire::field<&Search::query>("What to look for").pattern("^a"));
  }
};
