// Writes a file so that nobody ever reads half of it. Knows nothing of its content.
#pragma once

#include <string>
#include <string_view>

namespace toolwire::bridge {

/// Writes a new file beside the old one, with mode 0644 less the umask, and renames it over it. Throws
/// std::system_error naming the file; the old one stands then.
void replace_file(const std::string& file, std::string_view text);

}  // namespace toolwire::bridge
