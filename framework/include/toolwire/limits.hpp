// Every bound the framework keeps, in one place. Reaching one gives a clear error (or waits); nothing is dropped
// silently.
#pragma once

#include <chrono>
#include <cstddef>

namespace toolwire {

/// Bounds of one session. Sizes are bytes. Lowering one is safe; each names what happens when it is reached.
struct Limits {
  std::size_t line = 80u << 20;            // a longer line: -32600, and the session goes on with the next line
  std::size_t depth = 128;                 // deeper JSON: -32700
  std::size_t values = 800'000;            // of one message, names of members included (24 bytes each); more: -32700
  std::size_t batch = 10'000;              // messages of one batch (2025-03-26); more: -32600
  std::size_t calls_in_flight = 16'384;    // one more: refused as busy
  std::size_t queued_bytes = 256u << 20;   // memory of calls that wait for a thread; beyond: refused as busy
  std::size_t output_soft = 64u << 20;     // unsent answers; beyond: no call starts, tools that report progress wait
  std::size_t output_hard = 128u << 20;    // unsent answers; beyond, nothing is read until the client reads
  std::size_t listens = 64;                // open subscriptions/listen requests; one more: -32603
  std::size_t uri = 32u << 10;             // of a resource to read or subscribe to; longer: -32602
  std::size_t listed_resources = 1'000;    // with ServerOptions::page 0: beyond, templates list theirs behind a cursor
  std::size_t watched_resources = 10'000;  // subscribed to on one connection; one more: -32603
  std::size_t open_questions = 256;        // server requests waiting for a legacy client; one more: error result
  std::size_t sealed_state = 64u << 10;    // requestState, sent or received; beyond: error result, -32602
  std::size_t progress_per_second = 20;    // per progress token; reports in between are coalesced
  std::size_t log_per_second = 100;        // messages to a client's log, per request; beyond: dropped and counted
  std::size_t log_buffer = 256u << 10;     // unsent bytes for stderr; beyond, the oldest are dropped and counted
  std::chrono::milliseconds drain{1'000};  // at the end: for running calls, and for a client that stops reading answers
  std::chrono::milliseconds task_store{30'000};  // a task store that has not answered by then has failed: -32603
  // A request whose caller is not known by then: -32603; a client that has not said its token by then is sent away.
  std::chrono::milliseconds identify{10'000};
  std::chrono::milliseconds question_age{600'000};  // a question nobody answers counts as cancelled
  std::chrono::milliseconds state_age{300'000};     // sealed requestState expires
};

}  // namespace toolwire
