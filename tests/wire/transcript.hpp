// A conversation in a file, replayed against the fixture server or another that has its tools. The format is told in
// tests/wire/README.md.
#pragma once

#include <filesystem>

#include "served_fixture.hpp"

namespace toolwire_test {

/// Replays the file with servers of `maker`; every difference is a failed check of the running Boost.Test case that
/// names the line. Stops at the first.
void replay(const std::filesystem::path& file, const ServerMaker& maker = make_fixture_server);

}  // namespace toolwire_test
