// A record of every call, one line of JSON each, for people who want to know later what was read and changed. It knows
// the tools only by their names and arguments.
#pragma once

#include <memory>
#include <string>
#include <toolwire/middleware.hpp>

namespace workspace {

/// A middleware that appends to the file at `path`, which is made (mode 0600) if it is not there and may be shared by
/// several processes: time, tool, arguments, outcome, milliseconds, client. Of texts to be written only their sizes are
/// kept. A file that was moved away or removed is made anew; where that is not possible, as in a process that is
/// confined, what is there is written to on. Either failure is reported on stderr, once until all is well again. Throws
/// std::system_error if the file cannot be opened.
toolwire::Middleware audit_to(const std::string& path);

}  // namespace workspace
