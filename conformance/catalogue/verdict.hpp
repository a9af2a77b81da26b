// What a check found. Plain values.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

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
};

}  // namespace toolwire::conformance
