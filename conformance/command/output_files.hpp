// The files that runs write what they have found to.
#pragma once

#include <string>

namespace toolwire::conformance {

/// Before anything is started, since a run takes minutes. Throws UsageEnd for a file that cannot be written; "" and "-"
/// are none.
void check_writable(const std::string& file);

/// Writes `text` to `file`, or to standard output for "-". Throws UsageEnd for a file that cannot be written.
void write_output(const std::string& file, const std::string& text);

}  // namespace toolwire::conformance
