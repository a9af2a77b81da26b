// Has the desktop show a page to its user.
#pragma once

#include <string>

namespace toolwire::bridge {

/// Starts `xdg-open` with the URL as its one argument, without a shell, in a session of its own and with no stream of
/// this process. False if there is none or it cannot be started; what becomes of it is not known. The URL must begin
/// with https:// or http://, else nothing is started.
bool open_in_browser(const std::string& url);

}  // namespace toolwire::bridge
