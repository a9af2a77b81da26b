// What a command says when the system does not give what it needs to begin.
#pragma once

#include <exception>

namespace toolwire::bridge {

/// Writes "COMMAND: …" to standard error and returns the status to leave with. 2 for a refusal of the system: the text
/// says what is missing, descriptors, memory or threads, and which limit to raise. Else 1, and the error's own text.
int report_failed_start(const char* command, const std::exception& error);

}  // namespace toolwire::bridge
