// The hidden word `play` of the program: it is the server that a host starts while it is judged.
#pragma once

#include <string>

namespace toolwire::conformance {

/// Plays what the settings in the folder say, over the standard streams, and leaves a recording there. Returns the exit
/// status. Throws std::runtime_error if the folder does not say what to play.
int play(const std::string& folder);

}  // namespace toolwire::conformance
