#include "toolwire/schema_of.hpp"

void refused() { toolwire::schema_of<std::vector<std::optional<int>>>(); }
