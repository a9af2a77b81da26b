// What the standard streams of this process are, for people who start it by hand. The protocol has its own transport.
#pragma once

#include <string_view>

namespace toolwire::system {

enum class StandardStream { input, output, errors };

/// Whether a person sits behind it.
bool is_terminal(StandardStream stream);

/// All of it, unbuffered; waits as long as nobody reads. Gives up if there is no such stream any more.
void write_to_standard_error(std::string_view text) noexcept;

}  // namespace toolwire::system
