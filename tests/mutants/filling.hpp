// Values of rules into which something of the conversation is filled in: "$id", "$request/params/name", "$note/name".
#pragma once

#include "event.hpp"
#include "fault.hpp"

namespace mutants {

/// The value with "$id", "$request/…", "$message/…" and "$note/…" filled in, null for what is not there; "$$" begins a
/// text that begins with $.
toolwire::Json filled(const toolwire::Json& pattern, const Event& event, const Notes& notes);

}  // namespace mutants
