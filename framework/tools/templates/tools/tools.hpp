// The tools of {{NAME}}. Knows nothing of how they are served: main.cpp does, and so does the test.
#pragma once

#include <toolwire/server.hpp>

void add_tools(toolwire::Server& server);
