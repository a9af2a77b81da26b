// Messages as a developer reads them.
#pragma once

#include <string>
#include <string_view>

namespace toolwire::dev {

/// One line: what kind of message it is, its id, and the beginning of what it brings. What cannot be seen stands as
/// escapes, and "(redacted)" where redact.hpp knows of a secret.
std::string readable(std::string_view line);

}  // namespace toolwire::dev
