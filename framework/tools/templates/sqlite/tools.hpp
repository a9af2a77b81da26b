// The tools of {{NAME}}: notes in a database.
#pragma once

#include <toolwire/server.hpp>

#include "database.hpp"

/// The database must outlive the server.
void add_tools(toolwire::Server& server, Database& database);
