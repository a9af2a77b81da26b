#include "toolwire/convert.hpp"

void refused() { toolwire::schema_of<std::vector<std::optional<int>>>(); }
