// What a check found. Plain values.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "driver/recording.hpp"

namespace toolwire::conformance {

struct Requirement;
struct Revision;

enum class Verdict { pass, info, skip, warn, fail };

inline std::string_view text_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "PASS";
    case Verdict::info:
      return "INFO";
    case Verdict::skip:
      return "SKIP";
    case Verdict::warn:
      return "WARN";
    case Verdict::fail:
      break;
  }
  return "FAIL";
}

/// What the sessions of a failed check show of the reason, whatever the check was about.
enum class Symptom {
  none,
  ended,           // the process ended, though nobody had asked it to
  silent,          // it answers nothing any more after what is no message
  foreign_output,  // the check complains of a line on standard output that is no message
  dropped,         // a line got no answer, and the next request did
  internal_error,  // -32603 where the fault was the client's
  no_ping          // it knows no ping, with which checks ask whether it still answers
};

struct Evidence {
  Symptom symptom = Symptom::none;
  std::string stimulus = {};  // the kind of what was sent before: "input that is no message", "tools/call"
  std::string detail = {};    // how it ended; the foreign line
};

/// One check in one revision.
struct Finding {
  const Requirement* requirement = nullptr;
  const Revision* revision = nullptr;
  Verdict verdict = Verdict::pass;
  std::string message = {};   // a sentence; the reason of a skip
  std::string expected = {};  // of a failure
  std::string got = {};
  std::string transcript = {};  // what went over the wire, with times
  std::chrono::milliseconds time{0};
  std::string traffic = {};        // of one that observes others: the check or group in whose session it was seen
  bool known = false;              // listed in the baseline
  std::string known_because = {};  // the reason the baseline gives
  Evidence evidence = {};          // of a failure
  Stimuli sent = {};               // what went to the server, of a failure
  std::string cause = {};          // the id of what explains it, see report/causes.hpp
  Verdict was = Verdict::pass;     // of a SKIP whose cause is told elsewhere: what it would be by itself
};

}  // namespace toolwire::conformance
