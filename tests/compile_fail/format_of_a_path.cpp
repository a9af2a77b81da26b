#include <filesystem>

#include "toolwire/server.hpp"

struct Search {
  std::filesystem::path query{};
  static constexpr auto describe() {
    return toolwire::fields(toolwire::field<&Search::query>("What to look for").format("uri"));
  }
};
