// The tools of {{NAME}}: a look into the world, and a hand in it.
#pragma once

#include <toolwire/server.hpp>

#include "world.hpp"

/// The world must outlive the server, and is touched on the thread that runs the tools.
void add_tools(toolwire::Server& server, World& world);
