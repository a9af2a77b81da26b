// Recognizes files with secrets by their names alone: keys, credentials, environments. It does not look at contents, so
// secrets in files with unusual names are not found. The names are in secret_names.hpp.
#pragma once

#include <string_view>

namespace workspace {

/// Whether files that hold secrets are served like others.
enum class Secrets { shown, left_out };

/// True if a part of `path` (relative, as from Root::relative) is the name of something that usually holds secrets.
/// Case does not matter. Suffixes do not either (".env~", "server.pem.bak"), unless they say that the file is made to
/// be shown (".env.example", "id_rsa.pub") or is source code ("process.env.ts").
bool holds_secrets(std::string_view path);

/// The same of the last part alone, for walks, which have looked at those above it.
bool last_part_holds_secrets(std::string_view path);

}  // namespace workspace
