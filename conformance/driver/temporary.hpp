// Files and folders with fresh names among the temporary ones. Who makes them removes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace toolwire::conformance {

/// A new file with this content. Nothing if it cannot be made or written; then there is none.
std::optional<std::string> temporary_file(std::string_view content);

/// A new folder whose name begins with `prefix`. Nothing if it cannot be made.
std::optional<std::string> temporary_folder(std::string_view prefix);

/// Removes all of them that are still there, for a program that is ended by a signal; from then on none is made. False
/// if there was none. Another thread may put something into one meanwhile: then it is to be called again.
bool remove_temporaries();

}  // namespace toolwire::conformance
