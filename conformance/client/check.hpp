// What checks of a host are: judges of what was recorded while cases were played. They start nothing.
#pragma once

#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "client/host.hpp"

namespace toolwire::conformance {

/// What a check says of the plays it looks at, together.
struct Verdicts {
  std::size_t looked_at = 0;            // what it applies to
  std::string expected = {}, got = {};  // of the first violation; empty: none
  const Play* shown = nullptr;          // where that was
  bool only_warns = false;              // it is not worth more than a warning

  void fault(const Play& play, std::string what_was_expected, std::string what_came) {
    if (shown != nullptr) return;
    shown = &play, expected = std::move(what_was_expected), got = std::move(what_came);
  }
};

/// What is known of the host from the cases that a correct server played.
struct HostTraits {
  bool shows_answers = false;   // it prints what the main request was answered
  bool ends_by_itself = false;  // when its work is done
  bool calls = false;           // a tool
};

struct HostCheck {
  std::string_view id;
  std::string_view cases;  // their names, with blanks between; "*": it looks at all of them
  void (*judge)(const Play& play, const HostTraits& traits, Verdicts& verdicts);
  std::string_view unseen;  // why it is not judged, where there was nothing to look at
  bool looks_at(std::string_view played) const;
};

/// All of them.
const std::vector<HostCheck>& host_checks();

std::span<const HostCheck> answer_host_checks();
std::span<const HostCheck> ending_host_checks();
std::span<const HostCheck> handshake_host_checks();
std::span<const HostCheck> line_host_checks();
std::span<const HostCheck> message_host_checks();
std::span<const HostCheck> modern_host_checks();
std::span<const HostCheck> question_host_checks();
std::span<const HostCheck> request_host_checks();

}  // namespace toolwire::conformance
