// Which files hold secrets, told by their names alone: keys, credentials, environments. Knows nothing of contents, and
// of nothing that is spelled in a way of its own.
#pragma once

#include <string_view>

namespace workspace {

/// Whether files that hold secrets are served like others.
enum class Secrets { shown, left_out };

/// True if a part of `path` (relative, as from Root::relative) is the name of something that usually holds secrets.
/// Case does not matter. ".env.example" and its like are made to be shown.
bool holds_secrets(std::string_view path);

}  // namespace workspace
