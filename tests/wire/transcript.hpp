// Replays a transcript against the fixture server, or another that has its tools. tests/wire/README.md describes the
// format.
#pragma once

#include "served_fixture.hpp"
#include "transcript_files.hpp"

namespace toolwire_test {

/// Replays the transcript with servers of `maker`. The first difference ends it, and is a failed check of the running
/// Boost.Test case that names file, line and revision.
void replay(const Transcript& transcript, const ServerMaker& maker = make_fixture_server);

}  // namespace toolwire_test
