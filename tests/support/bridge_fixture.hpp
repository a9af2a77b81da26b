// The fixture server as a bridge: its tools are native tools whose Activities are the fixture's functions, and the tool
// of the discovery document's manifest.
#pragma once

#include <memory>

#include "fixture_server.hpp"

namespace toolwire_test {

/// A ServerMaker. The tool of the manifest is there unless the options name the tools.
std::shared_ptr<toolwire::Server> make_bridge_fixture(const FixtureOptions& options);

}  // namespace toolwire_test
