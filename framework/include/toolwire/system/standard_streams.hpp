// What the standard streams of this process are, for people who start it by hand. The protocol has its own transport.
#pragma once

#include <string_view>

namespace toolwire::system {

enum class StandardStream { input, output, errors };

bool is_terminal(StandardStream stream);

/// Writes all of it, unbuffered; waits as long as nobody reads. Gives up if the stream is closed.
void write_to_standard_error(std::string_view text) noexcept;

}  // namespace toolwire::system
