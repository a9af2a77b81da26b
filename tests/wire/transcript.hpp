// A conversation in a file, replayed against the fixture server. The format is told in tests/wire/README.md.
#pragma once

#include <filesystem>

namespace toolwire_test {

/// Replays the file; every difference is a failed check of the running Boost.Test case that names the line. Stops at
/// the first.
void replay(const std::filesystem::path& file);

}  // namespace toolwire_test
