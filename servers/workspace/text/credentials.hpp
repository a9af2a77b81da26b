// Credentials inside texts that are otherwise harmless: in URLs ("https://user:password@host") and in the headers that
// tools of git and HTTP keep ("Authorization: Basic …"). Found by their form; independent of files.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace workspace {

/// Of longer ones only so many bytes are looked at.
inline constexpr std::size_t max_credential = 4096;

/// Writes "*" over each byte of a credential, so that every position in the text stays. Placeholders as documentation
/// has them ("https://user:password@host", "${TOKEN}") stay. Returns whether there was anything.
bool mask_credentials(std::string& text);

/// The same, as a new text.
std::string with_masked_credentials(std::string_view text);

}  // namespace workspace
