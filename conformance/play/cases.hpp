// The cases: what a played server does, right or wrong, each as one function, in the files of their topics. Whether a
// host takes it well is judged elsewhere.
#pragma once

#include <chrono>
#include <span>
#include <string_view>
#include <vector>

#include "play/stage.hpp"

namespace toolwire::conformance {

/// In which revisions a case is played.
enum class Played {
  every,     // each that the host speaks
  newest,    // the newest of those with a handshake; 2026-07-28 if the host speaks nothing else
  legacy,    // the newest of those with a handshake
  batching,  // 2025-03-26
  modern     // 2026-07-28
};

struct Case {
  std::string_view name;
  Played played = Played::newest;
  std::string_view says;  // what the server does, in words
  void (*play)(Stage& stage);
  bool ends_host_late = false;  // the host may need long to end such a server
};

/// In which a host takes up a changed list.
inline constexpr std::chrono::milliseconds time_for_lists{400};

/// All of them.
const std::vector<Case>& cases();
/// Null if there is none.
const Case* find_case(std::string_view name);

std::span<const Case> answer_cases();
std::span<const Case> handshake_cases();
std::span<const Case> line_cases();
std::span<const Case> message_cases();
std::span<const Case> modern_cases();
std::span<const Case> process_cases();
std::span<const Case> question_cases();
std::span<const Case> request_cases();

}  // namespace toolwire::conformance
