#include "toolwire/server.hpp"

auto refused() { return toolwire::arg("text").between(1, 5).length(1, 5); }
