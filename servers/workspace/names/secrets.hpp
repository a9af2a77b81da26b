// Recognizes files with secrets by their names alone: keys, credentials, environments. It does not look at contents, so
// secrets in files with unusual names are not found.
#pragma once

#include <string_view>

namespace workspace {

/// Whether files that hold secrets are served like others.
enum class Secrets { shown, left_out };

/// True if a part of `path` (relative, as from Root::relative) is the name of something that usually holds secrets.
/// Case does not matter. ".env.example" and similar names are not secret.
bool holds_secrets(std::string_view path);

}  // namespace workspace
