#include "toolwire/server.hpp"

struct Search {
  std::string query;
  static constexpr auto describe() { return toolwire::fields(toolwire::field<&Search::query>("Words").items(1, 5)); }
};
