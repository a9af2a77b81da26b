// Many calls at once over one session: sent together, their answers counted, each id once.
#pragma once

#include <cstddef>

#include "bench/session.hpp"

namespace toolwire::bench {

/// Sends `count` calls with the ids from `first` on, in as few writes as the pipe allows.
void send_calls(Session& session, CallLine& call, Id first, std::size_t count);

/// Reads until each of these ids is answered, in any order. Throws MeasureFailed for a refusal, an answer that was not
/// asked for, and when nothing has come for ten seconds.
void take_answers(Session& session, Id first, std::size_t count);

}  // namespace toolwire::bench
